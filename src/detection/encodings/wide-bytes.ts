// How much bytes look like one of the encodings of Chinese, Japanese and Korean: by the rows of their tables that texts use.

export const wideEncodings = ["shift_jis", "euc-jp", "euc-kr", "gbk", "big5"] as const;
export type WideEncoding = (typeof wideEncodings)[number];

/** Of a character: 1 for those that texts are full of, less for others; null where the bytes cannot be one. */
type Weigh = (lead: number, trail: number) => number | null;

const isEuc = (trail: number) => trail >= 0xa1 && trail <= 0xfe;
const rare = -0.5;

const weighers: Record<WideEncoding, Weigh> = {
  shift_jis(lead, trail) {
    if ((lead >= 0xa0 && lead <= 0xdf) || lead === 0x80 || lead > 0xfc) return null;
    if (trail < 0x40 || trail === 0x7f || trail > 0xfc) return null;
    // Hiragana, katakana and signs; then the kanji of everyday use.
    if (lead === 0x81 || lead === 0x83) return lead === 0x83 && trail > 0x96 ? rare : 1;
    if (lead === 0x82) return 1;
    return lead >= 0x88 && lead <= 0x97 ? 0.9 : rare;
  },
  "euc-jp"(lead, trail) {
    if (!isEuc(trail) || lead < 0xa1 || lead > 0xfe) return null;
    if (lead === 0xa1 || lead === 0xa3 || lead === 0xa4 || lead === 0xa5) return 1;
    return lead >= 0xb0 && lead <= 0xcf ? 0.8 : rare;
  },
  "euc-kr"(lead, trail) {
    if (trail < 0x41 || trail > 0xfe || lead < 0x81 || lead > 0xfe) return null;
    if (!isEuc(trail) || lead < 0xa1) return 0;
    if (lead === 0xa1 || lead === 0xa3) return 0.8;
    return lead >= 0xb0 && lead <= 0xc8 ? 1 : rare;
  },
  gbk(lead, trail) {
    if (trail < 0x40 || trail === 0x7f || trail > 0xfe || lead < 0x81 || lead > 0xfe) return null;
    if (!isEuc(trail) || lead < 0xa1) return rare;
    if (lead === 0xa1 || lead === 0xa3) return 0.8;
    return lead >= 0xb0 && lead <= 0xd7 ? 0.95 : rare;
  },
  big5(lead, trail) {
    if (trail < 0x40 || (trail > 0x7e && trail < 0xa1) || trail > 0xfe || lead < 0x87 || lead > 0xfe) return null;
    if (lead < 0xa1) return rare;
    if (lead === 0xa1) return 1;
    return lead >= 0xa4 && lead <= 0xc6 ? 0.95 : rare;
  },
};

/** 1 is what texts of the encoding's languages have, below 0 it is no text; characters that cannot be cost most. */
export function fitOfWide(bytes: Uint8Array, encoding: WideEncoding): number {
  const weigh = weighers[encoding];
  let sum = 0;
  let count = 0;
  let hangulOrKana = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] as number;
    if (lead < 0x80) continue;
    count += 1;
    const trail = bytes[at + 1];
    // A sample may end within a character.
    if (trail === undefined) break;
    const single = encoding === "shift_jis" && lead >= 0xa1 && lead <= 0xdf;
    if (single) {
      sum -= 0.2;
      continue;
    }
    if (encoding === "euc-jp" && lead === 0x8e && isEuc(trail)) {
      at += 1;
      continue;
    }
    if (encoding === "gbk" && trail >= 0x30 && trail <= 0x39 && at + 3 < bytes.length) {
      at += 3;
      continue;
    }
    const weight = weigh(lead, trail);
    if (weight === null) {
      sum -= 4;
      continue;
    }
    sum += weight;
    if (isKana(encoding, lead)) hangulOrKana += 1;
    at += 1;
  }
  if (count === 0) return Number.NEGATIVE_INFINITY;
  const isJapanese = encoding === "shift_jis" || encoding === "euc-jp";
  // Japanese without kana is Chinese.
  return sum / count - (isJapanese && hangulOrKana < 0.08 * count ? 0.4 : 0);
}

function isKana(encoding: WideEncoding, lead: number): boolean {
  return encoding === "shift_jis" ? lead === 0x82 || lead === 0x83 : lead === 0xa4 || lead === 0xa5;
}
