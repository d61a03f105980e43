// Whether the text that a page holds can be used, or must be recognized from its image.
import type { PageLayer } from "../layout/page-layer.ts";

const minGlyphs = 12;
const maxUnreadable = 0.25;

export function isUsable({ glyphs, turned, unreadable }: PageLayer): boolean {
  const readable = glyphs.length + turned.reduce((sum, { glyphs: list }) => sum + list.length, 0);
  if (readable < minGlyphs) return false;
  if (unreadable > maxUnreadable * (readable + unreadable)) return false;
  return !isGarbled(glyphs.map((glyph) => glyph.text).join(""));
}

/**
 * Fonts without a table of meanings often shift every letter: such text has hardly a vowel, or is full of signs that stand
 * in no sentence.
 */
function isGarbled(text: string): boolean {
  const letters = text.match(/[a-zA-Z]/g)?.length ?? 0;
  const others = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const odd = text.match(/[¡-¿×÷!"#$%&*+/<=>@[\\\]^_`{|}~¤¦¨¬¯´¸]/g)?.length ?? 0;
  if (text.length > 200 && odd > 0.35 * text.length) return true;
  if (letters < 200 || letters < 0.7 * others) return false;
  const vowels = text.match(/[aeiouyAEIOUY]/g)?.length ?? 0;
  return vowels < 0.15 * letters;
}
