// When a monitor runs: five fields of cron or words, in a time zone, at least five minutes apart.
import { Cron } from "croner";
import { dayMs, minuteMs, secondMs, sha256 } from "../base/index.ts";
import { knownWords, type OwnPlace, readScheduleWords } from "./schedule-words.ts";

export interface Schedule {
  cron: string;
  timezone: string;
  /** Added to each time: stable, and 0 where the time was named. */
  jitterMs: number;
  runsPerMonth: number;
}

/** `field` of the schedule. */
export type ScheduleReading = { ok: true; schedule: Schedule } | { ok: false; field: "cron" | "text"; message: string };

export interface GivenSchedule {
  cron?: string | undefined;
  text?: string | undefined;
  timezone: string;
}

const leastGapMs = 5 * minuteMs;
/** Runs that are examined: enough for a day of the densest schedule and for years of a rare one. */
const examined = 300;
const monthMs = 30 * dayMs;

/** `seed`: the monitor's id, from which its time is derived. */
export function readSchedule(given: GivenSchedule, seed: string, now: number): ScheduleReading {
  const field = given.text === undefined ? "cron" : "text";
  const refuse = (message: string) => ({ ok: false as const, field: field as "cron" | "text", message });
  const worded = given.text === undefined ? cronOf(given.cron ?? "") : readScheduleWords(given.text, ownPlaceOf(seed));
  if (worded === null) return refuse(`These words are not known. Known are: ${knownWords}`);
  if (typeof worded === "string") return refuse(`Not a schedule: ${worded}`);
  let runs: number[];
  try {
    // In UTC, so that a clock change is no reason to refuse; as an offset, because a named zone is looked up for each run.
    runs = listRuns(worded.cron, { utcOffset: 0 }, now, examined);
  } catch (error) {
    return refuse(`Not a cron expression: ${error instanceof Error ? error.message.replace(/^\w+: /, "") : error}`);
  }
  const [first] = runs;
  if (first === undefined) return refuse("This time never comes");
  if (runs.some((at, index) => index > 0 && at - (runs[index - 1] as number) < leastGapMs))
    return refuse("Runs must be at least five minutes apart");
  const jitterMs = worded.isExact ? 0 : (numberOf(seed, "second") % 60) * secondMs;
  return {
    ok: true,
    schedule: { cron: worded.cron, timezone: given.timezone, jitterMs, runsPerMonth: countPerMonth(runs, now) },
  };
}

/** The first time after `after`; null when it never comes. */
export function nextRun({ cron, timezone, jitterMs }: Omit<Schedule, "runsPerMonth">, after: number): number | null {
  const [next] = listRuns(cron, { timezone }, after - jitterMs, 1);
  return next === undefined ? null : next + jitterMs;
}

function listRuns(
  cron: string,
  clock: { timezone: string } | { utcOffset: number },
  after: number,
  count: number,
): number[] {
  const job = new Cron(cron, { ...clock, paused: true, mode: "5-part" });
  return job.nextRuns(count, new Date(after)).map((date) => date.getTime());
}

/** Over thirty days; a schedule too dense to examine whole is assumed to continue as it begins. */
function countPerMonth(runs: readonly number[], now: number): number {
  const within = runs.filter((at) => at < now + monthMs).length;
  const [first = now, last = now] = [runs[0], runs.at(-1)];
  return within < examined ? within : Math.round(((examined - 1) * monthMs) / (last - first));
}

const monthNames = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";
const dayNames = "sun|mon|tue|wed|thu|fri|sat";

/** The syntax of POSIX, and names. The library accepts more, which other programs read differently. */
function cronOf(text: string): { cron: string; isExact: true } | string {
  const fields = text.trim().toLowerCase().split(/\s+/);
  const list = (names: string) =>
    new RegExp(`^(?:(?:\\d{1,2}|${names}|\\*)(?:-(?:\\d{1,2}|${names}))?(?:/\\d{1,2})?(?:,|$))+$`);
  const shapes = [list("!"), list("!"), list("!"), list(monthNames), list(dayNames)];
  const wrong = fields.findIndex((field, index) => !shapes[index]?.test(field));
  if (fields.length !== 5 || wrong >= 0) return `the field ${fields[wrong] ?? ""} cannot be read`;
  return { cron: fields.join(" "), isExact: true };
}

function ownPlaceOf(seed: string): OwnPlace {
  return {
    minute: numberOf(seed, "minute") % 60,
    hour: numberOf(seed, "hour") % 24,
    weekday: numberOf(seed, "weekday") % 7,
    day: 1 + (numberOf(seed, "day") % 28),
  };
}

function numberOf(seed: string, what: string): number {
  return Number.parseInt(sha256(`${seed} ${what}`).slice(0, 8), 16);
}
