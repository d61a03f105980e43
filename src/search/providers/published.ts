// When a result was published, from what services say: ISO, "Mar 2, 2026", RFC 1123, epoch, "3 days ago". Without a zone: UTC.
import { dayMs, hourMs, minuteMs, secondMs } from "../../base/index.ts";

const unitMs: Readonly<Record<string, number>> = {
  second: secondMs,
  sec: secondMs,
  minute: minuteMs,
  min: minuteMs,
  hour: hourMs,
  hr: hourMs,
  day: dayMs,
  week: 7 * dayMs,
  wk: 7 * dayMs,
};
const unitMonths: Readonly<Record<string, number>> = { month: 1, mo: 1, year: 12, yr: 12 };

const ago = /^(\d{1,4}|an?|one)\s+([a-z]+?)s?\.?\s+ago$/i;
const iso = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;
/** Date.parse accepts almost anything, so a text must look like a date with an English month and a year. */
const written =
  /^(?:[a-z]{3,9},?\s+)?(?:\d{1,2}\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,?\s+(?:\d{1,2},?\s+)?(?:19|20)\d{2}\b[\d:,\samp+-]*(?:GMT|UTC|Z)?$/i;

/** Milliseconds since 1970; null when it is no date, before 1970, or more than a day ahead. */
export function readPublished(value: unknown, now: number): number | null {
  const time =
    typeof value === "number" ? epoch(value) : typeof value === "string" ? fromText(value.trim(), now) : null;
  return time !== null && Number.isFinite(time) && time > 0 && time <= now + dayMs ? time : null;
}

/** Seconds until the year 5138, else milliseconds. */
function epoch(value: number): number {
  return value < 1e11 ? value * secondMs : value;
}

function fromText(text: string, now: number): number | null {
  if (/^\d{9,13}$/.test(text)) return epoch(Number(text));
  const [, day, time, zone] = iso.exec(text) ?? [];
  if (day !== undefined) return Date.parse(`${day}T${time ?? "00:00"}${zone?.toUpperCase() ?? "Z"}`);
  if (/^(?:just now|now|today)$/i.test(text)) return now;
  if (/^yesterday$/i.test(text)) return now - dayMs;
  const [, count = "", unit = ""] = ago.exec(text) ?? [];
  if (unit !== "") return before(now, /^\d/.test(count) ? Number(count) : 1, unit.toLowerCase());
  if (!written.test(text)) return null;
  const hasZone = /(?:GMT|UTC|Z|[+-]\d{4})$/i.test(text);
  return Date.parse(hasZone ? text : `${text} UTC`);
}

function before(now: number, count: number, unit: string): number | null {
  const ms = unitMs[unit];
  if (ms !== undefined) return now - count * ms;
  const months = unitMonths[unit];
  if (months === undefined) return null;
  const date = new Date(now);
  date.setUTCMonth(date.getUTCMonth() - count * months);
  return date.getTime();
}
