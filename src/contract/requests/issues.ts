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

/** zod's messages, without the jargon of its schemas. */
function messageOf({ code, message }: ZodIssue): string {
  if (code === "invalid_union")
    return message.replace(/^Invalid discriminator value\. Expected /, "Unknown type: expected one of ");
  if (code !== "invalid_type") return message;
  const plain = message
    .replace("expected int, received number", "expected a whole number")
    .replace(/expected (int|record)\b/, (_, name) => `expected ${typeNames[name as keyof typeof typeNames]}`);
  if (!plain.endsWith("received undefined")) return plain;
  return `Required: ${plain.replace(/^Invalid input: |, received undefined$/g, "")}`;
}

const typeNames = { int: "a whole number", record: "object" };

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
  const expected = alternatives.flatMap((issues) => issues.filter((issue) => issue.path.length === 0).map(takes));
  return `Invalid input: expected ${[...new Set(expected)].join(" or ")}`;
}

function takes(issue: ZodIssue): string {
  if (issue.code === "invalid_type") return issue.expected;
  if (issue.code === "invalid_value") return `one of ${issue.values.map((value) => JSON.stringify(value)).join("|")}`;
  return issue.message;
}
