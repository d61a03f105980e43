// Parts of a page that differ at each reading and mean nothing: timestamps, counters, tokens and advertisements. A line in which
// only they changed counts as unchanged.

/** A date this close to the time of reading counts as a timestamp. */
const stampDays = 2;
const dayMs = 86_400_000;
/** Longer lines are not examined. */
const longestLine = 20_000;
/** A line with little more than a date is a timestamp. */
const fewWords = 3;

const months =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
const monthNumbers = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const stampWords =
  /\b(?:updated?|modified|refreshed|generated|rendered|retrieved|accessed|fetched|as of|today|tonight|now|current(?:ly)?|local time|server time|time|date|visit(?:ed)?|last|live|stand|aktualisiert|heute|uhrzeit|datum|mis à jour|aujourd'hui|actualizado|hoy|aggiornato|oggi)\b/i;
const counted =
  "views?|visitors?|visits|hits|reads?|readers?|users? online|people online|online|guests?|members online|watching|viewing|likes?|shares?|followers?|downloads?|clicks?|impressions?|aufrufe|besucher|vues|visites|visitas";
const countAfter = new RegExp(`\\d[\\d.,  ]*[km]?\\s+(?:\\p{L}+\\s+){0,2}?(?:${counted})\\b`, "giu");
const countBefore = new RegExp(`\\b(${counted})\\b([^\\d\\n]{0,20}?)\\d[\\d.,  ]*[km]?`, "giu");
const ago =
  /\b(?:an?|one|\d+)\s+(?:second|minute|hour|day|week|month|sec|min|hr)s?\s+ago\b|\bjust now\b|\bvor \d+ (?:sekunden?|minuten?|stunden?|tagen?)\b|\bil y a \d+ \p{L}+/giu;
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const hexToken = /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{16,}\b/gi;
const changingQuery =
  /([?&](?:utm_\w+|_|t|ts|cb|v|ver|rnd|rand|nonce|sid|session(?:id)?|phpsessid|token|cache)=)[^&#)\s"]+/gi;
const copyrightYears = /(?:©|\(c\)|copyright)\s*(?:\d{4}\s*[-–]\s*)?\d{4}/gi;
const duration = /\b(?:in|took|within)\s+\d+(?:[.,]\d+)?\s*(?:s|sec(?:onds?)?|ms|milliseconds?)\b/gi;

const isoDate = /\b(\d{4})-(\d{2})-(\d{2})(?:[t ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:z|[+-]\d{2}:?\d{2})?)?/gi;
const numberDate = /\b(\d{1,2})([./])(\d{1,2})\2(\d{4})\b/g;
const dayMonth = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th|\\.)?\\s+(${months})\\.?,?\\s+(\\d{4})\\b`, "gi");
const monthDay = new RegExp(`\\b(${months})\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})\\b`, "gi");
const weekday = /\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b,?/gi;
const clockTime =
  /\b\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[ap]\.?m\b\.?)?(?:\s*(?:utc|gmt|cet|cest|est|edt|pst|pdt|z)\b)?/gi;

const adLabel =
  /^[\s>*_#[(-]*(?:advertisement|advertising|advert|ads? by \w+|ad|sponsored(?: content| post| links?| by [^:]*)?|promoted|anzeige|werbung|publicité|publicidad|pubblicità)\b[\s*_\])]*(?:[:–—|-]|$)/iu;
const adLink =
  /^\W*!?\[.*\]\(\S*(?:doubleclick|googlesyndication|adservice|adserver|taboola|outbrain|\/ads?\/|\/banners?\/|[?&]ad(?:id|_id|slot)=)\S*\)\W*$/i;

/** The line with what rotates replaced, as it was read `at` that time; "" when all of it is an advertisement. */
export function withoutRotating(line: string, at: number): string {
  if (line.length > longestLine) return line;
  if (isAdvertisement(line)) return "";
  const counts = line
    .replace(uuid, "‹token›")
    .replace(hexToken, "‹token›")
    .replace(changingQuery, "$1‹token›")
    .replace(copyrightYears, "©‹year›")
    .replace(ago, "‹ago›")
    .replace(duration, "‹duration›")
    .replace(countAfter, "‹count›")
    .replace(countBefore, "$1$2‹count›");
  return withoutStamps(counts, at);
}

function isAdvertisement(line: string): boolean {
  return adLabel.test(line) || adLink.test(line);
}

/** Whether the line only announces an advertisement. */
export function isAdLabel(line: string): boolean {
  return adLabel.test(line) && line.replace(/[^\p{L}]/gu, "").length <= 20 && !line.includes("](");
}

/** Dates of today and times of day, where they say when the page was made instead of when something happens. */
function withoutStamps(line: string, at: number): string {
  const dated = line
    .replace(isoDate, (text, year, month, day) => stamp(text, at, [[year, month, day]]))
    .replace(numberDate, (text, one, _, two, year) =>
      stamp(text, at, [
        [year, two, one],
        [year, one, two],
      ]),
    )
    .replace(dayMonth, (text, day, month, year) => stamp(text, at, [[year, monthOf(month), day]]))
    .replace(monthDay, (text, month, day, year) => stamp(text, at, [[year, monthOf(month), day]]));
  const stamped = dated.replace(clockTime, "‹time›");
  if (!stamped.includes("‹now›") && !stamped.includes("‹time›")) return line;
  const rest = stamped.replace(/‹\w+›/g, " ").replace(weekday, " ");
  const words = rest.match(/\p{L}{2,}/gu) ?? [];
  if (!stampWords.test(rest) && words.length > fewWords) return line;
  // A time of day alone is when something happens, unless the line says otherwise.
  if (!stamped.includes("‹now›") && !stampWords.test(rest)) return line;
  return stamped.replace(weekday, "‹day›");
}

function stamp(
  text: string,
  at: number,
  readings: readonly (readonly [string, string | number, string | number])[],
): string {
  const isNow = readings.some(([year, month, day]) => {
    const time = Date.UTC(Number(year), Number(month) - 1, Number(day), 12);
    return Math.abs(time - at) <= stampDays * dayMs;
  });
  return isNow ? "‹now›" : text;
}

function monthOf(name: string): number {
  return monthNumbers.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}
