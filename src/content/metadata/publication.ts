// The day of publication: from the markup, else the path of the URL, else the text. Markup in UTC says the day in Greenwich; where path or text
// show the day before or after, that is the page's own.
import type { PageTimes } from "./page-times.ts";
import { dayOfUrl, type ShownParts, shownDay } from "./shown-dates.ts";
import { daysIn } from "./written-days.ts";

/** Less is a date of something else. */
const leastScore = -1;
const dayFolders = /\/(?:19|20)\d\d\/\d\d?\/\d\d?\//;
const longAgo = 60;
/** So sure is a day in the text that it corrects the one in Greenwich. */
const sureScore = 3.5;

type Publication = Pick<PageTimes, "published" | "evidence">;

export function choosePublication(
  times: PageTimes,
  parts: ShownParts,
  url: string,
  { language, description }: { language?: string; description: string },
): Publication {
  const { published, evidence } = times;
  const isDay = published !== null && published.length >= 10;
  const ofUrl = dayOfUrl(url);
  // Software that moves a page gives it a new date; its path stays.
  if (isDay && ofUrl !== null && dayFolders.test(url) && daysBetween(ofUrl, published) > longAgo)
    return { published: ofUrl, evidence: "URL path" };
  if (isDay && !published.endsWith("Z")) return times;
  if (isDay) {
    if (ofUrl !== null && isBeside(ofUrl, published)) return { published: ofUrl, evidence: "URL path" };
    if (ofUrl !== null || !mayBeOtherDay(published)) return { published, evidence };
    const shown = shownDay(parts, isMonthFirst(url, language), null);
    const isOther = shown !== null && shown.score >= sureScore && isBeside(shown.day, published);
    return isOther ? { published: shown.day, evidence: shown.evidence } : { published, evidence };
  }
  if (ofUrl !== null) return { published: ofUrl, evidence: "URL path" };
  const shown = shownDay(parts, isMonthFirst(url, language), monthOfUrl(url));
  if (shown !== null && shown.score >= leastScore) return { published: shown.day, evidence: shown.evidence };
  const [described, other] = published === null ? daysIn(description, isMonthFirst(url, language)) : [];
  if (described && !other) return { published: described.day, evidence: "meta description" };
  return { published, evidence };
}

function monthOfUrl(url: string): string | null {
  const [, year, month] = /\/((?:19|20)\d\d)\/(0?[1-9]|1[0-2])\//.exec(url.replace(/^[a-z]+:\/\/[^/]*/i, "")) ?? [];
  return year === undefined || month === undefined ? null : `${year}-${month.padStart(2, "0")}`;
}

/** The day before or after, and not the same. */
function isBeside(day: string, time: string): boolean {
  return Math.abs(daysBetween(day, time)) === 1;
}

function daysBetween(day: string, time: string): number {
  return (Date.parse(`${time.slice(0, 10)}T00:00:00Z`) - Date.parse(`${day}T00:00:00Z`)) / 86_400_000;
}

/** At noon in Greenwich it is the same day nearly everywhere. */
function mayBeOtherDay(time: string): boolean {
  const hour = Number(time.slice(11, 13));
  return hour < 9 || hour >= 14;
}

/** Countries that write the day first, though in English. */
const dayFirst = /\.(?:uk|au|nz|ie|in|za|sg|my|hk|ng|ke|gh|pk|bd|lk|mt)$/;

function isMonthFirst(url: string, language = ""): boolean {
  const host = /^[a-z]+:\/\/([^/:]+)/i.exec(url)?.[1]?.toLowerCase() ?? "";
  if (/^en-(?!us)/i.test(language) && /^en-(?:gb|au|nz|ie|in|za)/i.test(language)) return false;
  return (
    /^en/i.test(language) && !dayFirst.test(host) && !/\.(?:de|fr|es|it|nl|se|no|dk|fi|pl|at|ch|be|eu)$/.test(host)
  );
}
