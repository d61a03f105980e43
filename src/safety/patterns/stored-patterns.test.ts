// Patterns of data files compile and keep to forms whose cost is linear in the length of a text.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { patternOf } from "./stored-pattern.ts";

const room = join(import.meta.dirname, "..");
const files = readdirSync(room, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));

interface StoredPattern {
  file: string;
  source: string;
}

/** Every string of a file is a pattern, but for those that say what it is about. */
function patternsIn(file: string): StoredPattern[] {
  const { parts = {}, ...stored } = JSON.parse(readFileSync(join(room, file), "utf8"));
  const sources: string[] = [];
  const collect = (value: unknown, name: string) => {
    if (/^(?:about|vendor|state|kind|check|stems|status|languages)$/.test(name)) return;
    if (typeof value === "string") sources.push(patternOf(value, "", parts).source);
    else if (name === "header" && Array.isArray(value)) collect(value[1], "");
    else if (typeof value === "object" && value !== null)
      for (const [each, below] of Object.entries(value)) collect(below, Array.isArray(value) ? name : each);
  };
  collect(stored, "");
  return sources.map((source) => ({ file, source }));
}

const patterns = files.flatMap(patternsIn);
/** With "¤" for every class of characters. */
const withoutClasses = (source: string) =>
  source
    .replaceAll(/\\p\{\w+\}|\\[wWsSdD]/g, "¤")
    .replaceAll(/\\./g, "x")
    .replaceAll(/\[[^\]]*\]|\./g, "¤");
const repeatedGroup = /\)(?:[*+]|\{\d+,\})/;

describe("patterns of data files", () => {
  it("are read", () => expect(patterns.length).toBeGreaterThan(500));

  it("never repeat a group without a bound", () => {
    expect(patterns.filter(({ source }) => repeatedGroup.test(withoutClasses(source)))).toEqual([]);
  });

  it.each(["injection/injection-rules.json", "redaction/personal-data.json"])(
    "repeat single characters only without a bound, in %s: whole texts are searched",
    (file) => {
      const own = patterns.filter((pattern) => pattern.file === file);
      expect(own.filter(({ source }) => /¤(?:[*+]|\{\d+,\})/.test(withoutClasses(source)))).toEqual([]);
    },
  );

  it("may begin with flags and name parts", () => {
    const parts = { who: "(?:he|{other})", other: "she" };
    expect(patternOf("(?i){who} is x{1,2}", "g", parts)).toEqual(/(?:he|she) is x{1,2}/i);
  });
});
