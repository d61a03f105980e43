import { describe, expect, it } from "vitest";
import { decode } from "./decode.ts";

const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.replace(/ /g, ""), "hex"));
const ascii = (text: string) => Buffer.from(text, "latin1");

/** Label as servers write it, bytes, the text they mean, the encoding's name. */
const charsets: [label: string, hex: string, text: string, name: string][] = [
  ["UTF-8", "C3A9 E282AC E6BCA2 F09F9880", "é€漢😀", "utf-8"],
  ["utf8", "C3BC", "ü", "utf-8"],
  ["windows-1252", "93 E9 94 20 80 96 85", "“é” €–…", "windows-1252"],
  ["ISO-8859-1", "92 E9 FF", "’éÿ", "windows-1252"],
  ["latin1", "80 A4", "€¤", "windows-1252"],
  ["us-ascii", "41 99", "A™", "windows-1252"],
  ["ISO-8859-2", "B1 E6 EA B3", "ąćęł", "iso-8859-2"],
  ["ISO-8859-5", "BF E0 D8 D2 D5 E2", "Привет", "iso-8859-5"],
  ["ISO-8859-7", "C3 E5 E9 DC", "Γειά", "iso-8859-7"],
  ["ISO-8859-9", "FD FE F0", "ışğ", "windows-1254"],
  ["ISO-8859-15", "A4 BD BE", "€œŸ", "iso-8859-15"],
  ["windows-1250", "8A 9A B9 BE", "Ššąľ", "windows-1250"],
  ["windows-1251", "CF F0 E8 E2 E5 F2", "Привет", "windows-1251"],
  ["cp1253", "E1 E2 E3", "αβγ", "windows-1253"],
  ["windows-1255", "F9 EC E5 ED", "שלום", "windows-1255"],
  ["windows-1256", "E3 D1 CD C8 C7", "مرحبا", "windows-1256"],
  ["windows-1257", "E0 E8 F0", "ąčš", "windows-1257"],
  ["windows-874", "CA C7 D1 CA B4 D5", "สวัสดี", "windows-874"],
  ["KOI8-R", "F0 D2 C9 D7 C5 D4", "Привет", "koi8-r"],
  ["koi8-u", "A4 A6 A7", "єії", "koi8-u"],
  ["macintosh", "8E D2 D3", "é“”", "macintosh"],
  ["Shift_JIS", "93FA 967B 8CEA", "日本語", "shift_jis"],
  ["EUC-JP", "C6FC CBDC B8EC", "日本語", "euc-jp"],
  ["ISO-2022-JP", "1B2442 467C 4B5C 386C 1B2842", "日本語", "iso-2022-jp"],
  ["GB2312", "D6D0 CEC4", "中文", "gbk"],
  ["gb18030", "D6D0 CEC4 8139EE39", "中文㐀", "gb18030"],
  ["Big5", "A4A4 A4E5", "中文", "big5"],
  ["EUC-KR", "C7D1 B1DB", "한글", "euc-kr"],
  ["utf-16le", "4100 E900", "Aé", "utf-16le"],
  ["utf-16be", "0041 00E9", "Aé", "utf-16be"],
];

describe("charset of a header", () => {
  it.each(charsets)("%s", (label, hex, text, name) => {
    expect(decode(bytes(hex), `text/html; charset="${label}"`)).toEqual({ text, charset: name });
  });
});

describe("charset of a page that brings no header for it", () => {
  const byteWide = charsets.filter(([label]) => !/utf-16|2022/i.test(label));

  it.each(byteWide)("meta charset %s", (label, hex, text, name) => {
    const page = Buffer.concat([ascii(`<html><head><meta charset=${label}></head><p>`), bytes(hex)]);
    const decoded = decode(page, "text/html");
    expect(decoded.charset).toBe(name);
    expect(decoded.text.endsWith(`<p>${text}`)).toBe(true);
  });

  const text = (html: string, type: string | null = "text/html") => decode(ascii(html), type).charset;

  it("is read from http-equiv", () => {
    expect(text(`<meta http-equiv='Content-Type' content='text/html; charset=koi8-r'>`)).toBe("koi8-r");
  });

  it("is read from an XML declaration", () => {
    expect(text(`<?xml version="1.0" encoding="windows-1251"?><a/>`, "text/xml")).toBe("windows-1251");
  });

  it("is not read from a comment, a script or beyond the head", () => {
    expect(text("<!-- <meta charset=koi8-r> --><p>a")).toBe("utf-8");
    expect(text("<p>set charset=koi8-r here</p>")).toBe("utf-8");
    expect(text(`${" ".repeat(5000)}<meta charset=koi8-r>`)).toBe("utf-8");
  });

  it("is UTF-8 when the page says UTF-16, and falls through when it is unknown", () => {
    expect(text("<meta charset=utf-16le><p>a")).toBe("utf-8");
    expect(text("<meta charset=klingon><p>a")).toBe("utf-8");
    expect(decode(bytes("E9"), "text/html; charset=klingon").text).toBe("é");
  });

  it("is UTF-8 when the bytes are, else windows-1252", () => {
    expect(decode(bytes("E282AC"), null)).toEqual({ text: "€", charset: "utf-8" });
    expect(decode(bytes("80 E9"), null)).toEqual({ text: "€é", charset: "windows-1252" });
  });
});

describe("which sign wins", () => {
  const meta = ascii("<meta charset=koi8-r><p>");

  it("a byte order mark over everything, and it is not part of the text", () => {
    expect(decode(Buffer.concat([bytes("EFBBBF"), ascii("a")]), "text/html; charset=koi8-r")).toEqual({
      text: "a",
      charset: "utf-8",
    });
    expect(decode(bytes("FFFE 4100"), "text/html; charset=utf-8")).toEqual({ text: "A", charset: "utf-16le" });
    expect(decode(bytes("FEFF 0041"), null)).toEqual({ text: "A", charset: "utf-16be" });
  });

  it("the header over the page, the page over the bytes", () => {
    expect(decode(meta, "text/html; charset=windows-1251").charset).toBe("windows-1251");
    expect(decode(meta, "text/html").charset).toBe("koi8-r");
  });

  it("bytes that are wrong in their charset are replaced, not refused", () => {
    expect(decode(bytes("41 FF 42"), "text/html; charset=utf-8").text).toBe("A\ufffdB");
  });
});
