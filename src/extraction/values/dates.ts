// Dates as pages write them.
import { monthNames, monthNumberOf } from "../../content/index.ts";

const year = String.raw`(1[5-9]\d\d|20\d\d)`;
const month = String.raw`(${monthNames})\.?`;
const patterns: { expression: RegExp; order: ("y" | "m" | "d")[] }[] = [
  {
    expression: new RegExp(
      String.raw`\b${year}-(\d{1,2})-(\d{1,2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?`,
    ),
    order: ["y", "m", "d"],
  },
  { expression: new RegExp(String.raw`\b${year}[/.](\d{1,2})[/.](\d{1,2})\b`), order: ["y", "m", "d"] },
  {
    expression: new RegExp(String.raw`\b${month}\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+${year}\b`, "i"),
    order: ["m", "d", "y"],
  },
  {
    expression: new RegExp(
      String.raw`\b(\d{1,2})(?:st|nd|rd|th|\.|er)?\s*(?:de |of )?${month},?\s*(?:de )?${year}\b`,
      "i",
    ),
    order: ["d", "m", "y"],
  },
  { expression: new RegExp(String.raw`\b(\d{1,2})[-/]${month}[-/]${year}\b`, "i"), order: ["d", "m", "y"] },
  // Points mean day, month, year; slashes and hyphens occur in either order.
  { expression: /\b(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})\b/, order: ["d", "m", "y"] },
  { expression: /\b(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})\b/, order: ["m", "d", "y"] },
  { expression: new RegExp(String.raw`\b${month},?\s+${year}\b`, "i"), order: ["m", "y"] },
  { expression: new RegExp(String.raw`\b${year}-(\d{2})\b(?!-)`), order: ["y", "m"] },
  { expression: new RegExp(String.raw`\b${year}\b`), order: ["y"] },
];

export interface FoundDate {
  /** ISO 8601, as exact as the page is: "2010", "2010-05" or "2010-05-17". */
  iso: string;
  /** As written. */
  text: string;
}

/** The first date of a text, the most exact writing first. `isDayFirst` decides 3/4/2010, when neither is over 12. */
export function findDate(text: string, isDayFirst = false): FoundDate | null {
  // Folding keeps the length only where no letter has an accent, so places are taken from the folded text.
  const plain = text.slice(0, 2000);
  const folded = plain.normalize("NFD").replace(/\p{M}/gu, "");
  for (const { expression, order } of patterns) {
    const match = expression.exec(folded);
    if (!match) continue;
    const iso = isoOf(match.slice(1), order, isDayFirst);
    if (iso)
      return { iso, text: folded.length === plain.length ? plain.substr(match.index, match[0].length) : match[0] };
  }
  return null;
}

function isoOf(parts: (string | undefined)[], order: readonly ("y" | "m" | "d")[], isDayFirst: boolean): string | null {
  const found: Record<"y" | "m" | "d", number> = { y: 0, m: 0, d: 0 };
  for (const [place, what] of order.entries()) {
    const written = parts[place] ?? "";
    found[what] = /^\d+$/.test(written) ? Number(written) : monthNumberOf(written.toLowerCase());
    if (what === "y" && written.length === 2) found.y += found.y > 50 ? 1900 : 2000;
  }
  if (order.join("") === "mdy" && /^\d+$/.test(parts[0] ?? "") && (found.m > 12 || (isDayFirst && found.d <= 12))) {
    [found.m, found.d] = [found.d, found.m];
  }
  if (found.m > 12 || found.d > 31 || (order.includes("m") && found.m < 1) || (order.includes("d") && found.d < 1))
    return null;
  const two = (number: number) => String(number).padStart(2, "0");
  return [String(found.y), ...(found.m ? [two(found.m)] : []), ...(found.d ? [two(found.d)] : [])].join("-");
}
