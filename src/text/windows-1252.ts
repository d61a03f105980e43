/**
 * 0x80-0x9F of windows-1252. Node 20.20.2 decodes `windows-1252`, `latin1` and `ascii` as plain ISO-8859-1 and returns C1
 * controls here. Can be removed when the oldest supported Node maps them.
 */
const characters =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

/** Text that was decoded as "latin1", as windows-1252. */
export function asWindows1252(latin1: string): string {
  return latin1.replace(/[\u0080-\u009f]/g, (char) => characters[char.charCodeAt(0) - 0x80] ?? char);
}
