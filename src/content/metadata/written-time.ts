// Times as pages write them in attributes -> ISO 8601, as exact as the page is. What can be read in two ways is not read.
import { monthNames, monthNumberOf } from "./months.ts";
import timeZones from "./time-zones.json" with { type: "json" };

const maxLength = 80;
const firstYear = 1400;
const lastYear = 2199;
/** Seconds since 1970 are taken for such only from here on: smaller numbers are anything. */
const firstSecond = 600_000_000;

/** Minutes ahead of Greenwich. Names that several zones share are not here, except those of RFC 2822. */
const zones: Readonly<Record<string, number>> = timeZones;

const clock = String.raw`(?:[T,]?\s*(?:at\s+|um\s+|a\s+|-\s+)?(?<hour>\d{1,2})[:.h](?<minute>\d\d)(?:[:.](?<second>\d\d)(?:[.,:]\d{1,9})?)?\s*(?<half>[ap]\.?m\.?)?\s*(?<zone>(?:GMT|UTC)?[+-]\d\d:?\d\d|[+-]\d\d|[a-z]{1,5})?(?:\s*[([][\w /]{1,40}[)\]])?)?`;
const name = String.raw`(?<month>${monthNames})\.?`;
const day = String.raw`(?<day>\d{1,2})`;
const weekday = String.raw`(?:\p{L}{2,10}\.?,?\s+)?`;

/** In China, Japan and Korea a sign says which number is which. */
const [yearSign, monthSign, daySign] = ["年|년", "月|월", "日|일"].map((sign) => `(?:${sign.normalize("NFD")})`);

const forms = [
  String.raw`(?<year>\d{4})(?:-(?<month>\d{1,2})(?:-${day}(?:Z|[+-]\d\d:\d\d|${clock}))?)?`,
  String.raw`(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)(?:T?(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)?(?<zone>Z|[+-]\d{4})?)?`,
  String.raw`(?<year>\d{4})[/.](?<month>\d{1,2})[/.]${day}${clock}`,
  String.raw`(?<year>\d{4})(?:\.|\s?${yearSign})\s?(?<month>\d{1,2})(?:\.|${monthSign})\s?${day}(?:\.|${daySign})${clock}`,
  String.raw`${day}\.\s?(?<month>\d{1,2})\.\s?(?<year>\d{4})${clock}`,
  String.raw`(?<first>\d{1,2})[/-](?<other>\d{1,2})[/-](?<year>\d{4})${clock}`,
  String.raw`${weekday}${name}\s+${day}(?:st|nd|rd|th)?,?\s+(?<year>\d{4})${clock}`,
  String.raw`${weekday}${day}(?:st|nd|rd|th|\.|er)?[\s-]*(?:de\s|of\s)?${name},?[\s-]*(?:de\s)?(?<year>\d{4})${clock}`,
  String.raw`${weekday}${name}\s+${day}\s+(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)\s+(?:(?<zone>[a-z]{1,5}|[+-]\d{4})\s+)?(?<year>\d{4})`,
  String.raw`${name}\s+(?<year>\d{4})`,
].map((form) => new RegExp(`^${form}$`, "iu"));

/** As the page has it, so that its day stays the page's; a zone as the offset from UTC. Null when it is unclear. */
export function readTime(written: string): string | null {
  const text = written
    .trim()
    .replace(/\s+/g, " ")
    .replace(/\u2212/g, "-");
  if (text.length < 4 || text.length > maxLength) return null;
  if (/^\d{10}(?:\d{3})?$/.test(text)) return sinceEpoch(text);
  const folded = text.normalize("NFD").replace(/\p{M}/gu, "");
  for (const form of forms) {
    const groups = form.exec(folded)?.groups;
    const time = groups === undefined ? null : timeOf(groups);
    if (time !== null) return time;
  }
  return null;
}

function sinceEpoch(digits: string): string | null {
  const seconds = Number(digits.slice(0, 10));
  return seconds < firstSecond ? null : secondsText(new Date(seconds * 1000));
}

function timeOf(found: Record<string, string | undefined>): string | null {
  const year = Number(found.year);
  if (year < firstYear || year > lastYear) return null;
  const { first, other } = found;
  const [day, month] =
    first !== undefined && other !== undefined ? dayAndMonth(first, other) : [found.day, found.month];
  if (month === undefined) return first === undefined ? String(year) : null;
  const monthNumber = /^\d+$/.test(month) ? Number(month) : monthNumberOf(month.toLowerCase());
  if (monthNumber < 1 || monthNumber > 12) return null;
  const yearAndMonth = `${year}-${two(monthNumber)}`;
  if (day === undefined) return yearAndMonth;
  if (Number(day) < 1 || Number(day) > new Date(Date.UTC(year, monthNumber, 0)).getUTCDate()) return null;
  const date = `${yearAndMonth}-${two(Number(day))}`;
  return found.hour === undefined ? date : withClock(date, found);
}

/** Which of two numbers is the day is known when the other one can only be the month, or when both are the same. */
function dayAndMonth(first: string, other: string): [day: string | undefined, month: string | undefined] {
  if (Number(first) > 12 || Number(first) === Number(other)) return [first, other];
  return Number(other) > 12 ? [other, first] : [undefined, undefined];
}

function withClock(
  date: string,
  { hour: written, minute, second = "0", half, zone }: Record<string, string | undefined>,
) {
  const hour = half === undefined ? Number(written) : (Number(written) % 12) + (/^p/i.test(half) ? 12 : 0);
  if (hour > 23 || Number(minute) > 59 || Number(second) > 60 || (half !== undefined && Number(written) > 12))
    return null;
  const local = `${date}T${two(hour)}:${two(Number(minute))}:${two(Math.min(59, Number(second)))}`;
  const ahead = zone === undefined ? null : minutesAhead(zone);
  return ahead === null ? local : local + offsetText(ahead);
}

/** Null for a name that is not known: then the time stays what the page's clock said. */
function minutesAhead(zone: string): number | null {
  const [, sign, hours, minutes = "0"] = /^(?:GMT|UTC)?([+-])(\d\d):?(\d\d)?$/i.exec(zone) ?? [];
  if (sign === undefined) return zones[zone.toLowerCase()] ?? null;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function offsetText(ahead: number): string {
  const minutes = Math.abs(ahead);
  return ahead === 0 ? "Z" : `${ahead < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

function secondsText(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
