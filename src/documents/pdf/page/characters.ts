// What a drawn character means as text.

/** Symbol fonts put their signs into the private area; these are the ones that documents use. */
const symbols: Record<string, string> = {
  "\uf0b7": "•",
  "\uf0a7": "▪",
  "\uf0d8": "➢",
  "\uf076": "❖",
  "\uf0fc": "✓",
  "\uf0fb": "✗",
  "\uf0a8": "☐",
  "\uf06f": "☐",
  "\uf071": "☐",
  "\uf0fe": "☒",
  "\uf0e0": "→",
  "\uf0e8": "➔",
  "\uf02d": "−",
  "\uf0b0": "°",
  "\uf0b1": "±",
  "\uf0b4": "×",
  "\uf0a3": "≤",
  "\uf0b3": "≥",
};

export const noMeaning = "\ufffd";

/** The text of a glyph: ligatures taken apart, spaces as "", `noMeaning` where the file does not say what it is. */
export function characterText(unicode: string): string {
  if (unicode === "") return noMeaning;
  const code = unicode.charCodeAt(0);
  if (unicode.length === 1) {
    if (code > 0x20 && code < 0x7f) return unicode;
    if (code <= 0x20 || code === 0xa0 || code === 0xad || (code >= 0x2000 && code <= 0x200f)) return "";
    if (code >= 0x7f && code < 0xa0) return noMeaning;
    if (code === 0x3000 || code === 0x202f || code === 0xfeff || code === 0x205f) return "";
    // The comma of vertical lines.
    if (code === 0xfe10) return "，";
    if (code >= 0xe000 && code <= 0xf8ff) {
      const known = symbols[unicode];
      if (known) return known;
      // Symbol fonts repeat plain ASCII there.
      const plain = code & 0xff;
      return code >= 0xf021 && code <= 0xf07e && /[\w.,;:()%+-]/.test(String.fromCharCode(plain))
        ? String.fromCharCode(plain)
        : noMeaning;
    }
  }
  const text =
    /[\ufb00-\ufb06\ufb13-\ufb17\u0132\u0133\u01c4-\u01cc\ufb50-\ufdff\ufe70-\ufefc\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u2f00-\u2fd5\ufe11-\ufe19\ufe30-\ufe48]/.test(
      unicode,
    )
      ? unicode.normalize("NFKC")
      : unicode;
  return text.trim();
}
