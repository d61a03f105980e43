// Schedules in words. A named time is kept; otherwise the monitor gets its own time within the hour, day, week or month, so that
// many monitors with the same words are spread out.

/** A schedule as five fields. `isExact`: the caller named the minute. */
export interface WordedSchedule {
  cron: string;
  isExact: boolean;
}

/** The time of a monitor that names none: derived from its ID, so that it is always the same. */
export interface OwnPlace {
  minute: number;
  hour: number;
  weekday: number;
  day: number;
}

export const knownWords =
  "hourly, daily, weekly, monthly, every N minutes, every N hours, every N minutes starting at :MM, daily at 9am, " +
  "weekdays at 18:00, weekly on monday at 9:00, monthly on 1 at 9:00";

const days = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const minutesOfHour = 60;
const hoursOfDay = 24;

/** Null for unknown words; a string says what is wrong with known ones. */
export function readScheduleWords(text: string, place: OwnPlace): WordedSchedule | string | null {
  const words = text.toLowerCase().replaceAll(",", " ").replace(/\s+/g, " ").trim();
  return readInterval(words, place) ?? readCalendar(words, place);
}

function readInterval(words: string, place: OwnPlace): WordedSchedule | string | null {
  const pattern = /^every (?:(\d{1,4}) )?(minutes?|mins?|hours?|hrs?)(?: starting at :(\d{1,2}))?$/;
  const found = pattern.exec(words === "hourly" ? "every hour" : words);
  if (!found) return null;
  const [, count = "1", unit = "", start] = found;
  if (start !== undefined && Number(start) >= minutesOfHour) return "the minute after the colon must be 00 to 59";
  const isExact = start !== undefined;
  const minute = isExact ? Number(start) : place.minute;
  const minutes = Number(count) * (unit.startsWith("h") ? minutesOfHour : 1);
  if (minutes < minutesOfHour) return everyMinutes(minutes, minute, isExact);
  const hours = minutes / minutesOfHour;
  if (!Number.isInteger(hours) || hoursOfDay % hours !== 0)
    return "hours must divide a day: 1, 2, 3, 4, 6, 8, 12 or 24; use cron for anything else";
  if (hours === 1) return { cron: `${minute} * * * *`, isExact };
  const first = isExact ? 0 : place.hour % hours;
  return { cron: `${minute} ${steps(first, hours, hoursOfDay)} * * *`, isExact };
}

function everyMinutes(minutes: number, minute: number, isExact: boolean): WordedSchedule | string {
  if (minutes < 5) return "runs must be at least five minutes apart";
  if (minutesOfHour % minutes !== 0)
    return "minutes must divide an hour: 5, 6, 10, 12, 15, 20 or 30; use cron for anything else";
  return { cron: `${steps(minute % minutes, minutes, minutesOfHour)} * * * *`, isExact };
}

function steps(first: number, step: number, end: number): string {
  const all: number[] = [];
  for (let at = first; at < end; at += step) all.push(at);
  return all.join(",");
}

function readCalendar(words: string, place: OwnPlace): WordedSchedule | string | null {
  const pattern =
    /^(?:(daily|every day|weekdays|every weekday|weekends)|(?:weekly|every week)(?: on (\w+?)s?)?|every (\w+day)|(?:monthly|every month)(?: on (?:the )?(\d{1,2})(?:st|nd|rd|th)?)?)(?: at (.+))?$/;
  const found = pattern.exec(words);
  if (!found) return null;
  const [, plain, weeklyDay, everyDay, monthDay, at] = found;
  const time = at === undefined ? null : readTime(at);
  if (at !== undefined && time === null) return "the time must be like 9am, 9:00 or 5:30 PM";
  const { hour, minute } = time ?? place;
  const isExact = time !== null;
  const start = `${minute} ${hour}`;
  if (plain !== undefined) {
    const which = plain.includes("weekday") ? "1-5" : plain === "weekends" ? "0,6" : "*";
    return { cron: `${start} * * ${which}`, isExact };
  }
  if (words.startsWith("monthly") || words.startsWith("every month")) {
    const day = monthDay === undefined ? place.day : Number(monthDay);
    return day >= 1 && day <= 31 ? { cron: `${start} ${day} * *`, isExact } : "the day of the month must be 1 to 31";
  }
  const named = weeklyDay ?? everyDay;
  const day = named === undefined ? place.weekday : days.indexOf(named);
  return day < 0 ? `${named} is no day of the week` : { cron: `${start} * * ${day}`, isExact };
}

function readTime(text: string): { hour: number; minute: number } | null {
  if (text === "noon") return { hour: 12, minute: 0 };
  if (text === "midnight") return { hour: 0, minute: 0 };
  const found = /^(\d{1,2})(?:[:.](\d{2}))?\s*(am|pm|a\.m\.|p\.m\.)?(?:\s*o'?clock)?$/.exec(text);
  if (!found) return null;
  const [, hours = "", minutes = "0", half] = found;
  const minute = Number(minutes);
  const said = Number(hours);
  if (half !== undefined && (said < 1 || said > 12)) return null;
  const hour = half === undefined ? said : (said % 12) + (half.startsWith("p") ? 12 : 0);
  return hour < hoursOfDay && minute < minutesOfHour ? { hour, minute } : null;
}
