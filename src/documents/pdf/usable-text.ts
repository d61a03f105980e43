// Whether the text that a page holds can be used, or must be recognized from its image.
import type { Glyph, PageLayer } from "../layout/page-layer.ts";

const minGlyphs = 12;
const maxUnreadable = 0.25;
const maxGarbled = 0.3;
/** Fewer characters than this on top of a picture of the page can be a stamp on a scan. */
const minBesideImage = 150;
const minImageShare = 0.5;

export function isUsable(layer: PageLayer): boolean {
  const { glyphs, unreadable } = layer;
  const readable = countReadable(layer);
  if (readable < minGlyphs) return false;
  if (unreadable > maxUnreadable * (readable + unreadable)) return false;
  return garbledShare(glyphs) <= maxGarbled;
}

/** Each font has its own table of meanings: one that is wrong spoils what is set in it, not the rest. */
function garbledShare(glyphs: readonly Glyph[]): number {
  if (isGarbled(glyphs.map((glyph) => glyph.text).join(""))) return 1;
  const byFont = new Map<number, string>();
  for (const { font, text } of glyphs) byFont.set(font, (byFont.get(font) ?? "") + text);
  let garbled = 0;
  for (const text of byFont.values()) if (isGarbled(text)) garbled += text.length;
  return garbled / Math.max(glyphs.length, 1);
}

/** Usable text that may be the least of what the page shows: most of the page is an image. */
export function isBesideImage(layer: PageLayer): boolean {
  if (countReadable(layer) >= minBesideImage) return false;
  const page = Math.max(layer.width * layer.height, 1);
  let covered = 0;
  for (const { x0, y0, x1, y1 } of layer.images) {
    const width = Math.min(x1, layer.width) - Math.max(x0, 0);
    const height = Math.min(y1, layer.height) - Math.max(y0, 0);
    if (width > 0 && height > 0) covered += width * height;
  }
  return covered >= minImageShare * page;
}

export function countReadable({ glyphs, turned }: PageLayer): number {
  return glyphs.length + turned.reduce((sum, { glyphs: list }) => sum + list.length, 0);
}

/**
 * Fonts without a table of meanings often shift every letter: such text has hardly a vowel, or is full of signs that are
 * in no sentence.
 */
function isGarbled(text: string): boolean {
  const letters = text.match(/[a-zA-Z]/g)?.length ?? 0;
  const others = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const odd = text.match(/[¡-¿×÷!"#$%&*+/<=>@[\\\]^_`{|}~¤¦¨¬¯´¸]/g)?.length ?? 0;
  if (text.length > 200 && odd > 0.35 * text.length) return true;
  if (letters < 200 || letters < 0.7 * others) return false;
  const vowels = text.match(/[aeiouyAEIOUY]/g)?.length ?? 0;
  return vowels < 0.2 * letters;
}
