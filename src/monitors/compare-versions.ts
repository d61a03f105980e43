// Whether a page changed in a way that counts, by the rules of its monitor.
import type { RE2JS } from "re2js";
import type { ChangeRules } from "../contract/index.ts";
import { compareValues, type FieldChanges } from "./compare-fields.ts";
import { compareTexts } from "./compare-texts.ts";

export interface Version {
  /** Markdown. */
  text: string;
  /** JSON data of the page; null when none was asked for. */
  json: unknown;
  /** When it was read. */
  at: number;
}

export interface VersionChange {
  isChanged: boolean;
  diff: { text?: string; json?: FieldChanges } | null;
  /** A version that the rules consider unchanged is not replaced, so that many small steps add up to one change. */
  keepsEarlier: boolean;
}

export interface Comparer {
  /** `byFields`: only fields of the JSON data decide. */
  compare(before: Version, after: Version, byFields: boolean): VersionChange;
}

/** Throws what re2js throws for an expression that it does not understand. */
export async function createComparer(rules: ChangeRules): Promise<Comparer> {
  const ignore = await compileIgnored(rules.ignore ?? []);
  const textRules = { ignore, tolerance: rules.tolerance?.["*"] };

  return {
    compare(before, after, byFields) {
      const json = before.json === null && after.json === null ? {} : compareValues(before.json, after.json, rules);
      const hasJson = Object.keys(json).length > 0;
      const isTextMute = byFields || (rules.fields !== undefined && after.json !== null);
      const { diff: text, changedShare } = compareTexts(before, after, textRules);
      const isShareTooSmall = rules.minChangedShare !== undefined && changedShare < rules.minChangedShare;
      const hasText = text !== "" && !isTextMute && !isShareTooSmall;
      const isSeen = hasWord(before, after, rules);
      const isChanged = (hasText || hasJson) && isSeen;
      const diff = { ...(text === "" ? {} : { text }), ...(hasJson ? { json } : {}) };
      const isLetPass = !isChanged && (isShareTooSmall || rules.tolerance !== undefined);
      return { isChanged, diff: isChanged ? diff : null, keepsEarlier: isLetPass && !asksForWords(rules) };
    },
  };
}

function asksForWords({ appears = [], disappears = [] }: ChangeRules): boolean {
  return appears.length + disappears.length > 0;
}

/** True if no words are required. */
function hasWord(before: Version, after: Version, rules: ChangeRules): boolean {
  if (!asksForWords(rules)) return true;
  const [old, now] = [fold(textOf(before)), fold(textOf(after))];
  const isIn = (text: string) => (word: string) => text.includes(fold(word));
  const { appears = [], disappears = [] } = rules;
  return (
    appears.some((word) => isIn(now)(word) && !isIn(old)(word)) ||
    disappears.some((word) => isIn(old)(word) && !isIn(now)(word))
  );
}

function textOf({ text, json }: Version): string {
  return json === null ? text : `${text}\n${JSON.stringify(json)}`;
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ");
}

async function compileIgnored(patterns: readonly string[]): Promise<(line: string) => string> {
  if (patterns.length === 0) return (line) => line;
  // Loaded with the first pattern, so that an idle server stays small. Its time grows with the text, whatever the pattern.
  const { RE2JS: Expression } = await import("re2js");
  const compiled: RE2JS[] = patterns.map((text) => Expression.compile(Expression.translateRegExp(text)));
  return (line) => compiled.reduce((rest, one) => one.matcher(rest).replaceAll(""), line);
}
