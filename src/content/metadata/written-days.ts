// Days in running text, in the ways and languages in which pages write them -> ISO 8601.
import monthWords from "./month-words.json" with { type: "json" };

export interface WrittenDay {
  /** YYYY-MM-DD */
  day: string;
  at: number;
  length: number;
  hasClock: boolean;
}

const monthOf = new Map(
  monthWords.flatMap((words, place) => words.split(" ").map((word) => [word, place + 1] as const)),
);
const first = 1990;
const last = 2060;
const month = String.raw`(?<name>[\p{L}\p{M}]{2,16})\.?`;
/** In the Levant the month follows in its other name. */
const otherName = String.raw`(?:\s*/\s*[\p{L}\p{M}]{2,16})?`;
const forms = [
  String.raw`(?<![\d.,/-])(?<year>(?:19|20|25)\d\d)\s?(?:[-/.]|年|년)\s?(?<month>\d{1,2})\s?(?:[-/.]|月|월)\s?(?<day>\d{1,2})(?:日|일|\.)?(?![\d/-]\d)`,
  String.raw`(?<![\d.,/-])(?<one>\d{1,2})\s?[./-]\s?(?<two>\d{1,2})\s?[./-]\s?(?<year>(?:19|20|25)\d\d|\d\d)(?![\d/-])`,
  String.raw`(?<!\d)(?<day>\d{1,2})(?:st|nd|rd|th|er|º|\.|-?го|ος|η)?[\s.,-]+(?:de\s|of\s|di\s|d['’]\s?)?${month}${otherName}[\s.,'-]+(?:de[l]?\s|г\.?\s)?(?<year>(?:19|20|25)\d\d)(?!\d)`,
  String.raw`(?<![\p{L}])${month}[\s-]+(?<day>\d{1,2})(?:st|nd|rd|th)?[\s,.-]+(?:at\s)?(?<year>(?:19|20|25)\d\d)(?!\d)`,
  String.raw`(?<!\d)(?<year>(?:19|20)\d\d)[.,]?\s(?:m\.\s?|gada\s)?${month}\s(?<day>\d{1,2})(?!\d)`,
  String.raw`(?<!\d)(?<year>(?:19|20)\d\d)\.?\s(?:gada\s)?(?<day>\d{1,2})\.?\s${month}(?!\p{L})`,
].map((form) => new RegExp(form, "giu"));
/** "In", which Hebrew writes as a part of the month. */
const hebrewIn = /^\u05d1/;
const zeros = ["٠", "۰", "०", "০", "๐"].map((letter) => letter.charCodeAt(0));

/** In the order in which they are written. `isMonthFirst`: what 5/4/2020 means. */
export function daysIn(text: string, isMonthFirst: boolean): WrittenDay[] {
  const plain = withPlainDigits(text.replace(/[\u200e\u200f]/g, " "));
  const found: WrittenDay[] = [];
  if (!/\d/.test(plain)) return found;
  for (const form of forms) {
    form.lastIndex = 0;
    for (const match of plain.matchAll(form)) {
      const day = dayOf(match.groups as Record<string, string | undefined>, isMonthFirst);
      if (
        day === null ||
        found.some(({ at, length }) => match.index < at + length && at < match.index + match[0].length)
      )
        continue;
      const after = plain.slice(match.index + match[0].length, match.index + match[0].length + 25);
      found.push({
        day,
        at: match.index,
        length: match[0].length,
        hasClock: /^\D{0,12}\d{1,2}[:.h]\s?\d\d/.test(after),
      });
    }
  }
  return found.sort((one, other) => one.at - other.at);
}

function withPlainDigits(text: string): string {
  return text.replace(/[٠-٩۰-۹०-९০-৯๐-๙]/g, (digit) => {
    const zero = zeros.find((each) => digit.charCodeAt(0) - each >= 0 && digit.charCodeAt(0) - each < 10) as number;
    return String(digit.charCodeAt(0) - zero);
  });
}

function dayOf(found: Record<string, string | undefined>, isMonthFirst: boolean): string | null {
  let year = Number(found.year);
  if (found.year?.length === 2) year += 2000;
  // The Buddhist era of Thailand.
  if (year >= 2500) year -= 543;
  if (year < first || year > last) return null;
  let [day, monthNumber] = [Number(found.day), Number(found.month)];
  if (found.name !== undefined) {
    const name = found.name.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    monthNumber = monthOf.get(name) ?? monthOf.get(found.name) ?? monthOf.get(name.replace(hebrewIn, "")) ?? 0;
  } else if (found.one !== undefined) {
    [day, monthNumber] = [Number(found.one), Number(found.two)];
    if (monthNumber > 12 || (isMonthFirst && day <= 12)) [day, monthNumber] = [monthNumber, day];
  }
  if (monthNumber < 1 || monthNumber > 12 || day < 1) return null;
  if (day > new Date(Date.UTC(year, monthNumber, 0)).getUTCDate()) return null;
  return `${year}-${String(monthNumber).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}
