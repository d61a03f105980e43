// Calendar months, by which usage is reported.
import { isoTime, monthStart } from "../base/index.ts";

export function periodOf(month: number) {
  return { month, startDate: isoTime(monthStart(month)), endDate: isoTime(monthStart(month + 1)) };
}

/** Every month from the first with usage to the current one, oldest first; `empty` for a month without usage. */
export function everyMonth<Usage extends object>(
  rows: readonly (Usage & { month: number })[],
  current: number,
  empty: Usage,
): (Usage & { startDate: string; endDate: string })[] {
  const first = Math.min(current, rows[0]?.month ?? current);
  return Array.from({ length: current - first + 1 }, (_, index) => first + index).flatMap((month) => {
    const { startDate, endDate } = periodOf(month);
    const used = rows.filter((row) => row.month === month).map(({ month: _, ...usage }) => usage as unknown as Usage);
    return (used.length > 0 ? used : [empty]).map((usage) => ({ startDate, endDate, ...usage }));
  });
}
