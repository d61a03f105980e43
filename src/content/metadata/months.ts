// Names of the months in the languages that pages often write dates in, without accents.
import names from "./month-names.json" with { type: "json" };

/** All names and their short forms, as alternatives of a pattern; longer ones first where one begins like another. */
export const monthNames = names.join("|");

const firstLetters: [RegExp, number][] = [
  [/^(?:ja|en|ge)/, 1],
  [/^f/, 2],
  [/^(?:mar|maer|maar|mrt)/, 3],
  [/^(?:ap|av|abr)/, 4],
  [/^(?:ma|me)/, 5],
  [/^(?:jun|juin|gi)/, 6],
  [/^(?:ju|l)/, 7],
  [/^(?:au|ao|ag)/, 8],
  [/^s/, 9],
  [/^(?:o)/, 10],
  [/^n/, 11],
  [/^d/, 12],
];

/** 1 to 12, or 0 for what is no month. Lower case. */
export function monthNumberOf(name: string): number {
  return firstLetters.find(([letters]) => letters.test(name))?.[1] ?? 0;
}
