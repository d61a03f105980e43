// Makes zod's issues readable: one flat list, each with the path of the field and what it accepts.
import type { z } from "zod";

/** One thing wrong with a request. `code` is zod's, or the code of a failure that decides the whole answer. */
export interface Issue {
  code: string;
  path: (string | number)[];
  message: string;
}

type ZodIssue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Flattens issues; of a union, only the alternative that the caller most likely meant is reported. */
export function flattenIssues(issues: readonly ZodIssue[], value: unknown, prefix: Path = []): FlatIssue[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    if (issue.code !== "invalid_union") return [{ ...toIssue(issue, path), unknownKeys: unknownKeysOf(issue) }];
    const alternatives = issue.errors;
    if (alternatives.length === 0) return [{ ...toIssue(issue, path), unknownKeys: [] }];
    const nearest = nearestAlternative(alternatives, valueAt(value, issue.path));
    if (nearest === undefined)
      return [{ code: issue.code, path: toPath(path), message: expectedOf(alternatives), unknownKeys: [] }];
    return flattenIssues(nearest, valueAt(value, issue.path), path);
  });
}

export interface FlatIssue extends Issue {
  /** Keys that the object at `path` does not have; empty for every other kind of issue. */
  unknownKeys: readonly string[];
}

function unknownKeysOf(issue: ZodIssue): readonly string[] {
  return issue.code === "unrecognized_keys" ? issue.keys : [];
}

function toIssue(issue: ZodIssue, path: Path): Issue {
  const marked = issue.code === "custom" ? issue.params?.code : undefined;
  const code = typeof marked === "string" ? marked : (issue.code ?? "custom");
  return { code, path: toPath(path), message: messageOf(issue) };
}

/** What the field takes. Messages of our schemas stay; zod's own say it in the jargon of types. */
function messageOf(issue: ZodIssue): string {
  const { code, message } = issue;
  if (code === "invalid_union") {
    const types = /^Invalid discriminator value\. Expected (.+)/.exec(message)?.[1];
    return types === undefined
      ? message
      : `Unknown type: must be one of ${types.replaceAll("'", '"').replaceAll(" | ", ", ")}`;
  }
  if (!/^(?:Invalid input|Invalid option|Too big|Too small)\b/.test(message)) return message;
  if (code === "invalid_type" && message.endsWith("received undefined")) return `Required: ${takes(issue)}`;
  if (code === "invalid_type" || code === "invalid_value") return `Must be ${takes(issue)}`;
  if (code === "too_small") return `Must ${limitOf(issue.origin, "at least", issue.minimum, issue.inclusive)}`;
  if (code === "too_big") return `Must ${limitOf(issue.origin, "at most", issue.maximum, issue.inclusive)}`;
  return message;
}

const units: Readonly<Record<string, string>> = { string: "character", array: "entry", record: "field" };
const manyUnits: Readonly<Record<string, string>> = { string: "characters", array: "entries", record: "fields" };

function limitOf(origin: string, bound: "at least" | "at most", limit: number | bigint, isInclusive = true): string {
  const most = isInclusive ? bound : bound === "at least" ? "more than" : "less than";
  const unit = (limit === 1 ? units : manyUnits)[origin];
  return unit === undefined ? `be ${most} ${limit}` : `have ${most} ${limit} ${unit}`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function toPath(path: Path): (string | number)[] {
  return path.map((key) => (typeof key === "number" ? key : String(key)));
}

function valueAt(value: unknown, path: Path): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<PropertyKey, unknown>)[key];
  }
  return current;
}

/** The alternative that accepts this kind of value; undefined when none does. */
function nearestAlternative(alternatives: readonly (readonly ZodIssue[])[], value: unknown) {
  return alternatives.find((issues) => !issues.some((issue) => isOtherKind(issue, value)));
}

/** Only a string can be meant as one of a list of names. */
function isOtherKind(issue: ZodIssue, value: unknown): boolean {
  if (issue.path.length > 0) return false;
  return issue.code === "invalid_type" || (issue.code === "invalid_value" && typeof value !== "string");
}

function expectedOf(alternatives: readonly (readonly ZodIssue[])[]): string {
  const expected = alternatives.flatMap((issues) =>
    issues.filter(({ path, code }) => path.length === 0 && /^invalid_(?:type|value)$/.test(code)).map(takes),
  );
  return `Must be ${[...new Set(expected)].join(" or ")}`;
}

function takes(issue: ZodIssue): string {
  if (issue.code === "invalid_type") return typeNames[issue.expected] ?? issue.expected;
  if (issue.code !== "invalid_value") return issue.message;
  const values = issue.values.map((value) => JSON.stringify(value));
  return values.length === 1 ? String(values[0]) : `one of ${values.join(", ")}`;
}
