// The encoding of bytes that do not say it, or say a wrong one: what their letters read as in each, and which of these is a text.

import { asWindows1252 } from "../../text/index.ts";
import { fitOfText } from "./letter-pairs.ts";
import { fitOfWide, wideEncodings } from "./wide-bytes.ts";

export interface EncodingHints {
  /** The last label of the host, such as "gr". */
  topLevelDomain?: string | undefined;
  /** What the text says of its language in ASCII, such as "el". */
  language?: string | undefined;
}

export interface DetectedEncoding {
  encoding: string;
  /** 1 is what texts have, below 0 it is no text. */
  fit: number;
}

/** Of the same fit the first one is taken: those that more pages have come first. */
const narrowEncodings = [
  "windows-1252", "windows-1251", "windows-1250", "iso-8859-2", "windows-1254", "windows-1253", "iso-8859-7", "windows-1255",
  "windows-1256", "koi8-u", "windows-874", "windows-1257", "iso-8859-13", "iso-8859-4", "iso-8859-5", "ibm866", "x-mac-cyrillic",
  "iso-8859-6", "iso-8859-8", "macintosh",
] as const; // biome-ignore format: one list

/** Languages of a country whose domain is not their code, where older encodings are in use. */
const languagesOfDomains: Record<string, string[]> = {
  gr: ["el"], cz: ["cs"], il: ["he"], ua: ["uk", "ru"], rs: ["sr", "hr"], by: ["be", "ru"], kz: ["ru"], ir: ["fa"], jp: ["ja"],
  kr: ["ko"], cn: ["zh"], tw: ["zh-tw"], hk: ["zh-tw"], si: ["sl"], ee: ["et"], dk: ["da"], se: ["sv"], br: ["pt"], at: ["de"],
  mx: ["es"], ar: ["es"], eg: ["ar"], sa: ["ar"], su: ["ru"],
}; // biome-ignore format: one table
const wideLanguages = { shift_jis: "ja", "euc-jp": "ja", "euc-kr": "ko", gbk: "zh", big5: "zh-tw" };
const hintBonus = 0.15;

/** So few letters say little against the encoding that most pages have. */
const fewLetters = 4;
const mostSample = 3000;
const maxScanned = 400_000;
/** A wide encoding is taken before a narrow one only when it reads this much better. */
const wideLead = 0.1;
const leastWide = 0.3;

export function detectEncoding(bytes: Uint8Array, hints: EncodingHints = {}): DetectedEncoding {
  const sample = sampleOf(bytes);
  const languages = expectedLanguages(hints);
  let best: DetectedEncoding = { encoding: "windows-1252", fit: Number.NEGATIVE_INFINITY };
  const doubt = fewLetters / sample.reduce((sum, byte) => sum + (byte >> 7), 0);
  for (const encoding of narrowEncodings) {
    const found = fitOfText(readNarrow(sample, encoding), languages);
    const isExpected = encoding === narrowEncodings[0] || (found !== null && languages.has(found.language));
    const fit = (found?.fit ?? 0) - (isExpected ? 0 : doubt);
    if (fit > best.fit + 0.001) best = { encoding, fit };
  }
  for (const encoding of wideEncodings) {
    const fit = fitOfWide(sample, encoding) + (languages.has(wideLanguages[encoding]) ? hintBonus : 0);
    if (fit >= leastWide && fit > best.fit + (isWide(best.encoding) ? 0 : wideLead)) best = { encoding, fit };
  }
  // What is no text in any encoding is read as browsers do.
  return best.fit < 0 ? { encoding: narrowEncodings[0], fit: best.fit } : best;
}

/** How well bytes fit the encoding that they are said to have. */
export function fitOfEncoding(bytes: Uint8Array, encoding: string): number {
  const sample = sampleOf(bytes);
  if (isWide(encoding)) return fitOfWide(sample, encoding);
  return fitOfText(readNarrow(sample, encoding), new Set())?.fit ?? 1;
}

export function isWide(encoding: string): encoding is (typeof wideEncodings)[number] {
  return (wideEncodings as readonly string[]).includes(encoding);
}

function readNarrow(sample: Uint8Array, encoding: string): string {
  if (encoding !== "windows-1252") return new TextDecoder(encoding).decode(sample);
  return asWindows1252(Buffer.from(sample.buffer, sample.byteOffset, sample.byteLength).toString("latin1"));
}

function expectedLanguages({ topLevelDomain, language }: EncodingHints): ReadonlySet<string> {
  const own = topLevelDomain ? (languagesOfDomains[topLevelDomain] ?? [topLevelDomain]) : [];
  const said = language?.toLowerCase();
  const isTraditional = said !== undefined && /^zh-(?:tw|hk|hant)/.test(said);
  return new Set([...own, ...(said ? [isTraditional ? "zh-tw" : said.slice(0, 2)] : [])]);
}

/** The runs of bytes between tags that hold letters beyond ASCII. "<" and ">" are part of no character of any encoding here. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(mostSample);
  let length = 0;
  const end = Math.min(bytes.length, maxScanned);
  for (let at = 0; at < end && length < mostSample - 2; ) {
    if ((bytes[at] as number) < 0x80) {
      at += 1;
      continue;
    }
    let start = at;
    while (start > 0 && at - start < 12 && (bytes[start - 1] as number) >= 0x41 && (bytes[start - 1] as number) < 0x80)
      start -= 1;
    let stop = at;
    while (stop < end && !isBreak(bytes, stop)) stop += 1;
    const run = bytes.subarray(start, Math.min(stop, start + mostSample - 2 - length));
    sample.set(run, length);
    length += run.length;
    // Two, so that half a character at the end of a run does not take a letter of the next.
    sample[length++] = 0x20;
    at = stop;
  }
  return sample.subarray(0, length);
}

/** At a tag, or where four bytes of ASCII follow each other. */
function isBreak(bytes: Uint8Array, at: number): boolean {
  const byte = bytes[at] as number;
  if (byte === 0x3c || byte === 0x3e || byte === 0x0a) return true;
  if (byte >= 0x80) return false;
  for (let next = at + 1; next < at + 6; next += 1) if ((bytes[next] ?? 0) >= 0x80) return false;
  return true;
}
