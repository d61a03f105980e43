// How pages write a date.
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
