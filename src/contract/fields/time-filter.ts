// The `tbs` field of a search: parts separated by commas, such as `qdr:w` or `cdr:1,cd_min:1/31/2026`.
import * as z from "zod";

const part = /^(?:qdr:[hdwmy]\d*|cdr:1|sbd:[01]|cd_(?:min|max):\d{1,2}\/\d{1,2}\/\d{4})$/;
const takes = "Must be qdr:h, qdr:d, qdr:w, qdr:m, qdr:y, sbd:1, or cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY";

/** The day of a `cd_min:` or `cd_max:` part, or null when the calendar has no such day. */
function dayOf(text: string): number | null {
  const [month = 0, day = 0, year = 0] = text.split("/").map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : null;
}

function problemOf(text: string): string | undefined {
  const parts = text.split(",").map((one) => one.trim());
  if (!parts.every((one) => part.test(one))) return takes;
  const days = ["cd_min:", "cd_max:"].map((name) => {
    const found = parts.find((one) => one.startsWith(name));
    return found === undefined ? undefined : dayOf(found.slice(name.length));
  });
  if (days.includes(null)) return `${takes}; that day does not exist`;
  const [from, to] = days;
  if (from != null && to != null && from > to) return `${takes}; cd_min must not be after cd_max`;
  return undefined;
}

/** Programs with a form send an empty one where none was chosen. */
export const timeFilter = z
  .string()
  .max(256)
  .superRefine((text, context) => {
    const problem = text === "" ? undefined : problemOf(text);
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  })
  .transform((text) => (text === "" ? undefined : text))
  .describe("Only results from this period, such as qdr:w for the past week");
