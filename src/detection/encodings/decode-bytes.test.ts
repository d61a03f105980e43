import { describe, expect, it } from "vitest";
import { decodeBytes } from "./decode-bytes.ts";

const decode = (bytes: Uint8Array, contentType: string | null, url?: string) =>
  decodeBytes(bytes, { contentType, ...(url ? { url } : {}) });

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

  it("is UTF-8 when the bytes are, else windows-1252 where too few letters tell more", () => {
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

/** Bytes of a text in an encoding, found by reading all that there are. */
function encode(label: string, text: string): Buffer {
  const table = new Map<string, number[]>();
  const decoder = new TextDecoder(label);
  for (let lead = 0x80; lead < 0x100; lead += 1) {
    const letter = decoder.decode(Uint8Array.of(lead));
    if (letter.length === 1 && letter !== "\ufffd") table.set(letter, [lead]);
    for (let trail = 0x40; trail < 0xff; trail += 1) {
      const wide = decoder.decode(Uint8Array.of(lead, trail));
      if (wide.length === 1 && wide !== "\ufffd" && !table.has(wide)) table.set(wide, [lead, trail]);
    }
  }
  return Buffer.from([...text].flatMap((letter) => table.get(letter) ?? [letter.charCodeAt(0)]));
}

const sentences: [encoding: string, text: string][] = [
  ["windows-1251", "Завтра в городе откроется выставка старых карт и книг, рассказывает хранитель музея."],
  ["koi8-u", "Завтра в городе откроется выставка старых карт и книг, рассказывает хранитель музея."],
  ["ibm866", "Завтра в городе откроется выставка старых карт и книг, рассказывает хранитель музея."],
  ["iso-8859-5", "Изложбата на стари карти ще бъде открита утре в градския музей, каза уредникът."],
  ["windows-1253", "Η έκθεση παλιών χαρτών ανοίγει αύριο στο μουσείο της πόλης, είπε ο επιμελητής."],
  ["windows-1255", "תערוכת המפות העתיקות תיפתח מחר במוזיאון העירוני, אמר האוצר של האוסף."],
  ["windows-1256", "يفتتح غدا معرض الخرائط القديمة في متحف المدينة كما قال أمين المجموعة."],
  [
    "windows-1254",
    "Eski haritaların sergisi yarın şehir müzesinde açılıyor, dedi müdür; giriş ücretsiz ve herkese açık.",
  ],
  [
    "windows-1250",
    "Zítra se v městském muzeu otevře výstava starých map, řekl správce sbírky. Žádné vstupné se neplatí.",
  ],
  [
    "iso-8859-2",
    "Jutro w muzeum miejskim zostanie otwarta wystawa starych map, powiedział świadek. Wstęp jest wolny, także w święta.",
  ],
  [
    "windows-1252",
    "Demain s'ouvrira au musée une exposition de cartes très anciennes, a déclaré le gardien, déjà âgé.",
  ],
  ["windows-874", "พรุ่งนี้พิพิธภัณฑ์ของเมืองจะเปิดนิทรรศการแผนที่เก่า ผู้ดูแลกล่าวเมื่อวานนี้"],
  ["shift_jis", "明日、市の博物館で古い地図の展覧会が始まると学芸員は話しています。"],
  ["euc-jp", "明日、市の博物館で古い地図の展覧会が始まると学芸員は話しています。"],
  ["euc-kr", "내일 시립 박물관에서 오래된 지도 전시회가 열린다고 관리자가 말했다."],
  ["gbk", "明天市博物馆将举办古地图展览，负责人昨天对记者说，参观是免费的。"],
  ["big5", "明天市博物館將舉辦古地圖展覽，負責人昨天對記者說，參觀是免費的。"],
];

describe("bytes that declare no encoding", () => {
  it.each(sentences)("are read by their letters: %s", (encoding, text) => {
    expect(decode(encode(encoding, `<p>${text}</p>`), "text/html").text).toBe(`<p>${text}</p>`);
  });

  it("of few letters are read as the country of their host writes", () => {
    const word = encode("windows-1253", "<p>Αθήνα");
    expect(decode(word, "text/html", "http://news.example.gr/a").text).toBe("<p>Αθήνα");
  });

  it("are UTF-16 where every other one is zero, and Japanese where they switch by escapes", () => {
    expect(decode(Buffer.from("<p>Größe der Öfen</p>", "utf16le"), null).text).toBe("<p>Größe der Öfen</p>");
    expect(decode(bytes("3C703E 1B2442 467C 4B5C 386C 1B2842"), null).text).toBe("<p>日本語");
  });
});

describe("a declaration that the bytes contradict", () => {
  it.each(sentences)("UTF-8, and the text is %s", (encoding, text) => {
    expect(decode(encode(encoding, `<p>${text}</p>`), "text/html; charset=utf-8").text).toBe(`<p>${text}</p>`);
  });

  it("iso-8859-1 over UTF-8 counts as none", () => {
    const page = Buffer.from("<meta charset=iso-8859-1><p>Größe und Höhe</p>");
    expect(decode(page, "text/html").text).toContain("Größe und Höhe");
  });

  it("windows-1252 over a text that cannot be read in it does not count", () => {
    const [, text = ""] = sentences[0] ?? [];
    expect(decode(encode("windows-1251", text), "text/html; charset=windows-1252").text).toBe(text);
  });

  it("stays for a page in UTF-8 with a broken character", () => {
    const page = Buffer.concat([Buffer.from("Größe und Höhe der Öfen "), bytes("C3")]);
    expect(decode(page, "text/html; charset=utf-8").text).toBe("Größe und Höhe der Öfen \ufffd");
  });
});
