// How pages write dates and numbers. A spelling of a number may mean several: 1.299 is one thing in English and another in German.
import { remember } from "../base/index.ts";

const languages = ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "cs", "sv"];

const namesOfMonth = remember((month) => {
  const date = Date.UTC(2020, Number(month) - 1, 10);
  return languages.flatMap((language) =>
    (["long", "short"] as const).flatMap((length) => {
      // With the day beside it, because some languages inflect the month then.
      const format = new Intl.DateTimeFormat(language, { day: "numeric", month: length, timeZone: "UTC" });
      return format.formatToParts(date).flatMap(({ type, value }) => (type === "month" ? value : []));
    }),
  );
}, 12);

/** Words of a day, or of a month when `day` is 0. */
export function spellingsOf(year: number, month: number, day: number): string[] {
  if (month < 1 || month > 12) return [];
  const names = namesOfMonth(String(month));
  if (day === 0) return names.map((name) => `${name} ${year}`);
  const days = [String(day), String(day).padStart(2, "0")];
  const months = [String(month), String(month).padStart(2, "0")];
  const spokenDays = [...days, `${day}st`, `${day}nd`, `${day}rd`, `${day}th`];
  return [
    ...days.flatMap((d) => months.flatMap((m) => [`${d} ${m} ${year}`, `${m} ${d} ${year}`, `${year} ${m} ${d}`])),
    `${year}年${month}月${day}日`,
    ...names.flatMap((name) =>
      spokenDays.flatMap((d) => [`${d} ${name} ${year}`, `${d} de ${name} de ${year}`, `${name} ${d} ${year}`]),
    ),
  ];
}

export interface FoundNumber {
  number: number;
  start: number;
  end: number;
}

const spelling =
  /\d{1,30}(?:[.,'’\u00a0\u202f ]\d{1,30}){0,8}(?:\s?(%|k|m|mio|bn|thousand|millions?|billions?|trillion)(?![\p{L}\p{N}]))?/giu;
const factors: Readonly<Record<string, number>> = {
  "%": 0.01,
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  mio: 1e6,
  million: 1e6,
  millions: 1e6,
  bn: 1e9,
  billion: 1e9,
  billions: 1e9,
  trillion: 1e12,
};

export function numbersOf(text: string): FoundNumber[] {
  return [...text.matchAll(spelling)].flatMap(({ 0: match, 1: factor, index }) => {
    const readings = readingsOf(match.replace(/[^\d.,'’\u00a0\u202f ]/gu, "").trim());
    const times = factors[factor?.toLowerCase() ?? ""];
    const scaled = times === undefined ? [] : readings.map((each) => Number((each * times).toPrecision(12)));
    return [...readings, ...scaled].map((number) => ({ number, start: index, end: index + match.length }));
  });
}

function readingsOf(text: string): number[] {
  // A space may group digits or separate two numbers.
  const isGrouped = /^\d{1,3}(?:[\u00a0\u202f ]\d{3})+(?:[.,]\d+)?$/u.test(text);
  const readings = text.split(/[\u00a0\u202f ]/u).flatMap(readingsOfOne);
  return isGrouped ? [...readings, ...readingsOfOne(text.replace(/[\u00a0\u202f ]/gu, ""))] : readings;
}

function readingsOfOne(text: string): number[] {
  const parts = text.split(/[.,'’]/u);
  const [first = "", ...more] = parts;
  if (more.length === 0) return [Number(first)];
  const readings: number[] = [];
  if (more.every((part) => part.length === 3)) readings.push(Number(parts.join("")));
  if (/[.,]\d+$/.test(text)) readings.push(Number(`${parts.slice(0, -1).join("")}.${parts.at(-1)}`));
  // A date, of which each part is a number.
  const isDate = parts.length === 3 && (first.length === 4 || parts.at(-1)?.length === 4);
  return isDate ? [...readings, ...parts.map(Number)] : readings;
}
