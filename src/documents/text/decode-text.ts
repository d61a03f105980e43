// Text of an unknown encoding -> a string: by its mark, as UTF-8, or as the encoding whose reading looks most like text.

/** In the order in which they are tried; the first without a sign of error wins unless a later one is clearly likelier. */
const candidates = ["shift_jis", "euc-jp", "gb18030", "euc-kr", "big5", "windows-1251"] as const;
const sampleBytes = 64 * 1024;

export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(likelyEncoding(bytes.subarray(0, sampleBytes))).decode(bytes);
  }
}

/** Few bytes beyond ASCII are letters with accents; many of them, in pairs, another script. */
function likelyEncoding(sample: Uint8Array): string {
  let high = 0;
  for (const byte of sample) if (byte >= 0x80) high += 1;
  if (high < sample.length * 0.08 && high < 200) return "windows-1252";
  let best = "windows-1252";
  let bestScore = 0.5;
  for (const encoding of candidates) {
    const score = scoreOf(sample, encoding);
    if (score > bestScore + 0.05) {
      best = encoding;
      bestScore = score;
    }
  }
  return best;
}

/** The share of characters beyond ASCII that common texts of the encoding's languages consist of. */
function scoreOf(sample: Uint8Array, encoding: (typeof candidates)[number]): number {
  const text = new TextDecoder(encoding).decode(sample);
  let common = 0;
  let all = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) as number;
    if (code < 0x80) continue;
    all += 1;
    if (isCommon(code, encoding)) common += 1;
  }
  return all === 0 ? 0 : common / all;
}

function isCommon(code: number, encoding: (typeof candidates)[number]): boolean {
  if (code === 0xfffd || (code >= 0xe000 && code <= 0xf8ff) || (code >= 0xff61 && code <= 0xff9f)) return false;
  const isHan = code >= 0x4e00 && code <= 0x9fff;
  const isSign = code >= 0x3000 && code <= 0x303f;
  const isKana = code >= 0x3041 && code <= 0x30ff;
  if (encoding === "windows-1251") return code >= 0x410 && code <= 0x44f;
  if (encoding === "euc-kr") return (code >= 0xac00 && code <= 0xd7a3) || isSign;
  if (encoding === "shift_jis" || encoding === "euc-jp")
    return isKana || isSign || isHan || (code >= 0xff00 && code <= 0xff5e);
  return isHan || isSign || (code >= 0xff00 && code <= 0xff5e);
}
