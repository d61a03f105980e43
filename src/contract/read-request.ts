// Reads one request by its row: checks it, takes out what no schema knows, joins its parts into one input.
// Pure and total: whatever JSON arrives, the answer is a value, and the caller's objects are left as they were.
import type { z } from "zod";
import { type ErrorCode, errorTable } from "../base/index.ts";
import type { Endpoint } from "./endpoint.ts";
import { type FlatIssue, flattenIssues, type Issue } from "./issues.ts";

interface RequestParts {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

export type RequestReading =
  | { ok: true; input: unknown; unknownFields: string[] }
  /** `code` is the failure to answer with: BAD_REQUEST unless an issue says more (INVALID_ID, EXCHANGE_NOT_ENABLED). */
  | { ok: false; code: ErrorCode; issues: Issue[] };

/** A request with a hundred thousand bad fields is told about the first ones only. */
const maxIssues = 100;

export function readRequest(row: Endpoint, parts: RequestParts): RequestReading {
  const query = readPart(row.query, parts.query);
  const body = readPart(row.body, row.bodyKind === "raw" ? { bytes: parts.body } : parts.body);
  const params = readPart(row.params, parts.params);
  const issues = [...params.issues, ...query.issues, ...body.issues];
  if (issues.length > 0) return { ok: false, code: failureOf(issues), issues: issues.slice(0, maxIssues) };
  const request = { ...query.value, ...body.value, ...params.value };
  const input = row.toInput ? row.toInput(request as never) : request;
  return { ok: true, input, unknownFields: [...query.unknownFields, ...body.unknownFields] };
}

interface PartReading {
  value: object;
  issues: Issue[];
  unknownFields: string[];
}

function readPart(schema: z.ZodType | undefined, given: unknown): PartReading {
  const unknownFields: string[] = [];
  if (schema === undefined) return { value: {}, issues: [], unknownFields };
  let value = given ?? {};
  if (given === null || typeof value !== "object" || Array.isArray(value)) {
    const issue = { code: "invalid_type", path: [], message: "Expected a JSON object" };
    return { value: {}, issues: [issue], unknownFields };
  }
  // Ends: every turn takes at least one key out of a finite value.
  for (;;) {
    const result = schema.safeParse(value);
    if (result.success) return { value: result.data as object, issues: [], unknownFields };
    const issues = flattenIssues(result.error.issues, value);
    const unknown = issues.filter((issue) => issue.unknownKeys.length > 0);
    if (unknown.length === 0) return { value: {}, issues: issues.map(withoutKeys), unknownFields };
    for (const issue of unknown) {
      for (const key of issue.unknownKeys) unknownFields.push([...issue.path, key].join("."));
    }
    value = withoutUnknown(value, unknown) as object;
  }
}

function withoutKeys({ code, path, message }: FlatIssue): Issue {
  return { code, path, message };
}

function failureOf(issues: readonly Issue[]): ErrorCode {
  const marked = issues.find((issue) => Object.hasOwn(errorTable, issue.code));
  return (marked?.code as ErrorCode | undefined) ?? "BAD_REQUEST";
}

/** Copies the containers on the way to each unknown key, each once, and leaves the keys out of the copies. */
function withoutUnknown(value: unknown, unknown: readonly FlatIssue[]): unknown {
  const root: Removal = { keys: new Set(), inside: new Map() };
  for (const issue of unknown) {
    let removal = root;
    for (const step of issue.path) {
      const next = removal.inside.get(String(step)) ?? { keys: new Set(), inside: new Map() };
      removal.inside.set(String(step), next);
      removal = next;
    }
    for (const key of issue.unknownKeys) removal.keys.add(key);
  }
  return applyRemoval(value, root);
}

interface Removal {
  keys: Set<string>;
  inside: Map<string, Removal>;
}

function applyRemoval(value: unknown, removal: Removal): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    return value.map((item, index) => {
      const inner = removal.inside.get(String(index));
      return inner ? applyRemoval(item, inner) : item;
    });
  }
  const kept = Object.entries(value).filter(([key]) => !removal.keys.has(key));
  return Object.fromEntries(
    kept.map(([key, item]) => {
      const inner = removal.inside.get(key);
      return [key, inner ? applyRemoval(item, inner) : item];
    }),
  );
}
