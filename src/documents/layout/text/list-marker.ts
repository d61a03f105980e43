// What starts an item of a list.
import type { Word } from "../words.ts";

export interface ListMarker {
  kind: "bullet" | "number";
  value: number;
  /** Length of the marker in its word; the rest of the word belongs to the item. */
  length: number;
  style: string;
}

const bullets = /^[•▪◦●○■□➢➔❖‣⁃∙·►▶✓✔☐☒☑◆◇★]$/;
const dashes = /^[-–—*]$/;

export function listMarker(words: readonly Word[]): ListMarker | null {
  const [first, second] = words;
  if (!first) return null;
  const { text } = first;
  if (bullets.test(text) && second) return { kind: "bullet", value: 0, length: text.length, style: text };
  if (dashes.test(text) && second && !/^\d/.test(second.text))
    return { kind: "bullet", value: 0, length: text.length, style: "-" };
  const glued = /^([•▪●■➢❖‣►])\S/.exec(text);
  if (glued) return { kind: "bullet", value: 0, length: 1, style: glued[1] ?? "" };
  const number = /^\(?(\d{1,3})([.)])$/.exec(text);
  if (number && second && /^[\p{L}"“‘'([\d]/u.test(second.text))
    return {
      kind: "number",
      value: Number(number[1]),
      length: text.length,
      style: `1${number[2]}${text[0] === "(" ? "(" : ""}`,
    };
  return null;
}
