import { describe, expect, it } from "vitest";
import { readLocale } from "./locale.ts";
import { loadPlainText } from "./plain-text.ts";
import { readPublished } from "./published.ts";

const now = Date.UTC(2026, 10, 15, 12);
const utc = (...parts: [number, number, number, number?, number?]) => Date.UTC(...parts);

describe("a date", () => {
  it.each<[unknown, number | null]>([
    ["3 days ago", utc(2026, 10, 12, 12)],
    ["1 hour ago", utc(2026, 10, 15, 11)],
    ["an hour ago", utc(2026, 10, 15, 11)],
    ["5 mins ago", utc(2026, 10, 15, 11, 55)],
    ["2 weeks ago", utc(2026, 10, 1, 12)],
    ["2 months ago", utc(2026, 8, 15, 12)],
    ["1 year ago", utc(2025, 10, 15, 12)],
    ["Yesterday", utc(2026, 10, 14, 12)],
    ["2026-03-02", utc(2026, 2, 2)],
    ["2026-03-02T10:30:00", utc(2026, 2, 2, 10, 30)],
    ["2026-03-02 10:30:00", utc(2026, 2, 2, 10, 30)],
    ["2026-03-02T10:30:00.000+02:00", utc(2026, 2, 2, 8, 30)],
    ["Mar 2, 2026", utc(2026, 2, 2)],
    ["2 Mar 2026", utc(2026, 2, 2)],
    ["Mon, 02 Mar 2026 10:00:00 GMT", utc(2026, 2, 2, 10)],
    [1772445600, 1772445600000],
    [1772445600000, 1772445600000],
    ["1772445600", 1772445600000],
    ["2031-01-01", null],
    ["2026-13-40", null],
    ["il y a 3 jours", null],
    ["version 2026", null],
    ["5", null],
    ["", null],
    [{}, null],
    [undefined, null],
    [Number.NaN, null],
  ])("%j is %j", (value, time) => {
    expect(readPublished(value, now)).toBe(time);
  });
});

describe("a text", () => {
  it.each([
    ["The <strong>best</strong> caf&eacute; &amp; bar", "The best café & bar"],
    ["Using the <template> element", "Using the <template> element"],
    ["1 &lt; 2 and a <b class='x'>b</b>", "1 < 2 and a b"],
    ["AT&T &#39;s &quot;x&quot;", 'AT&T \'s "x"'],
    ["one<br/>two\n\n  three", "one two three"],
    ["", ""],
  ])("%j is %j", async (text, plain) => {
    expect((await loadPlainText())(text)).toBe(plain);
  });
});

describe("country, language and place", () => {
  const request = { text: "x", limit: 1, source: "web", timeFilter: null } as const;

  it.each([
    [{ country: "US" }, { country: "US", place: null }],
    [{ country: "uk" }, { country: "GB" }],
    [{ country: "Germany" }, { country: "DE" }],
    [{ country: "DD" }, { country: "DE" }],
    [{ country: "constructor" }, { country: null }],
    [{ country: "xq" }, { country: null }],
    [{ country: "Atlantis" }, { country: null, warnings: ['The country "Atlantis" was ignored.'] }],
    [{ location: "Germany" }, { country: "DE", place: null }],
    [
      { location: "San Francisco,California,United States" },
      { country: "US", place: "San Francisco, California, United States" },
    ],
    [
      { location: "Berlin", country: "DE" },
      { country: "DE", place: "Berlin" },
    ],
    [{ language: "pt-BR" }, { language: "pt", region: "BR" }],
    [{ language: "DE" }, { language: "de", region: null }],
    [{ language: "klingon" }, { language: null, warnings: ['The language "klingon" was ignored.'] }],
    [{}, { country: null, language: null, place: null, warnings: [] }],
  ])("of %j", (given, read) => {
    expect(readLocale({ ...request, ...given })).toMatchObject(read);
  });
});
