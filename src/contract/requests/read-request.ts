// Reads one request by its row: validates it, removes unknown fields, and joins its parts into one input.
// Pure and total: whatever JSON arrives, the result is a value, and the caller's objects stay unchanged.
import type { z } from "zod";
import { type ErrorCode, errorTable, ServiceError } from "../../base/index.ts";
import type { Endpoint } from "../table/endpoint.ts";
import { insteadOf } from "../table/unserved.ts";
import { type FlatIssue, flattenIssues, type Issue } from "./issues.ts";

interface RequestParts {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

type RequestReading =
  | { ok: true; input: unknown; unknownFields: string[] }
  /** `code`: BAD_REQUEST, unless an issue has a more specific one (INVALID_ID, INVALID_CURSOR). */
  | { ok: false; code: ErrorCode; message?: string; issues: Issue[] };

/** Of a hundred thousand bad fields only the first ones are reported. */
const maxIssues = 100;
const maxUnknownFields = 20;
/** Lists inside lists multiply: 50 targets of 64 formats of 1,000 selectors. 640,000 bad entries took 4.2 s. */
const maxListEntries = 100_000;

/** `mostNamed`: how many unknown fields are named. */
export function readRequest(row: Endpoint, parts: RequestParts, mostNamed = maxUnknownFields): RequestReading {
  const usual = row.readUsual?.(parts.body) ?? null;
  if (usual !== null) return { ok: true, input: usual, unknownFields: [] };
  const query = readPart(row.query, parts.query);
  const body = readPart(row.body, row.bodyKind === "raw" ? { bytes: parts.body } : parts.body);
  const params = readPart(row.params, parts.params);
  const issues = [...params.issues, ...query.issues, ...body.issues];
  if (issues.length > 0) return { ok: false, ...failureOf(row, issues), issues: issues.slice(0, maxIssues) };
  const request = { ...query.value, ...body.value, ...params.value };
  const input = row.toInput ? row.toInput(request as never, Object.keys(parts.body ?? {})) : request;
  return { ok: true, input, unknownFields: shorten([...query.unknownFields, ...body.unknownFields], mostNamed) };
}

function shorten(names: readonly string[], most: number): string[] {
  if (names.length <= most) return [...names];
  return [...names.slice(0, most), `and ${names.length - most} more`];
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
  const unreadable = findUnreadable(value);
  if (unreadable) return { value: {}, issues: [unreadable], unknownFields };
  // Terminates: every turn removes at least one key from a finite value.
  for (;;) {
    const result = schema.safeParse(value);
    if (result.success) return { value: result.data as object, issues: [], unknownFields };
    const issues = flattenIssues(result.error.issues, value);
    const unknown = issues.filter((issue) => issue.unknownKeys.length > 0);
    if (unknown.length === 0) return { value: {}, issues: issues.map(withoutKeys), unknownFields };
    const misplaced = unknown.flatMap(misplacedKeys);
    if (misplaced.length > 0) return { value: {}, issues: misplaced, unknownFields };
    for (const issue of unknown) {
      for (const key of issue.unknownKeys) unknownFields.push([...issue.path, key].join("."));
    }
    value = withoutUnknown(value, unknown) as object;
  }
}

/** Ignoring these would fetch what was meant to stay offline. */
function misplacedKeys({ path, unknownKeys }: FlatIssue): Issue[] {
  if (path.at(-1) !== "scrapeOptions") return [];
  const keys = unknownKeys.filter((key) => key === "archive" || key === "replay");
  return keys.map((key) => {
    const message = `${key} belongs to the top level of the request, beside scrapeOptions`;
    return { code: "custom", path: [...path, key], message };
  });
}

interface Place {
  value: object;
  key: string | number;
  parent: Place | undefined;
}

/** What no schema should see: too many entries of lists in total, a length that throws. No recursion: callers choose the nesting. */
function findUnreadable(root: object): Issue | undefined {
  const waiting: Place[] = [{ value: root, key: "", parent: undefined }];
  let entries = 0;
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    const { value } = place;
    if (Array.isArray(value)) entries += value.length;
    if (entries > maxListEntries) {
      const message = `The lists of a request must have at most ${maxListEntries} entries in total`;
      return { code: "too_big", path: pathOf(place), message };
    }
    if (hasIncomparableLength(value)) {
      return { code: "invalid_type", path: pathOf(place), message: "The field length must be a number" };
    }
    for (const [key, inner] of innerContainers(value)) waiting.push({ value: inner, key, parent: place });
  }
  return undefined;
}

/** Schemas compare the length of anything that has one, before they know that it is neither text nor a list. */
function hasIncomparableLength(value: object): boolean {
  if (!("length" in value) || typeof value.length !== "object") return false;
  try {
    Number(value.length);
    return false;
  } catch {
    return true;
  }
}

function innerContainers(value: object): [string | number, object][] {
  // The bytes of an uploaded file are one value.
  if (ArrayBuffer.isView(value)) return [];
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  return [...entries].filter((entry) => typeof entry[1] === "object" && entry[1] !== null);
}

function pathOf(place: Place): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = place; at.parent; at = at.parent) path.unshift(at.key);
  return path;
}

function withoutKeys({ code, path, message }: FlatIssue): Issue {
  return { code, path, message };
}

function failureOf({ badRequest }: Endpoint, issues: readonly Issue[]): { code: ErrorCode; message?: string } {
  const marked = issues.find((issue) => Object.hasOwn(errorTable, issue.code));
  if (marked) return { code: marked.code as ErrorCode };
  // Clients print the message, so an invalid URL is named in it.
  const [first] = issues;
  const message = first && issues.length === 1 && /^Invalid URL/.test(first.message) ? first.message : badRequest;
  return { code: "BAD_REQUEST", ...(message === undefined ? {} : { message }) };
}

/** Copies the containers on the path to each unknown key, each once, without the key. */
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

interface PreparedCall {
  input: unknown;
  /** Fields that were ignored. */
  unknownFields: string[];
}

/** Throws for a request that does not fit its row, and for an operation that is not served. */
export function prepareCall(row: Endpoint, parts: RequestParts): PreparedCall {
  if (row.refusal) throw new ServiceError(row.refusal);
  const reading = readRequest(row, parts);
  if (!reading.ok) throw new ServiceError(reading.code, reading.message, { details: reading.issues });
  checkServed(row);
  return { input: reading.input, unknownFields: reading.unknownFields };
}

/** An id in the path of an operation that is not served names nothing, so that is a 404. */
function checkServed(row: Endpoint): void {
  const instead = insteadOf(row.operation);
  if (instead === null) return;
  if (row.notFound && row.path.includes("{")) throw new ServiceError(row.notFound);
  throw new ServiceError("NOT_IMPLEMENTED", `${row.method} ${row.path} is not available. ${instead} See /docs.`);
}

/** Unknown fields do no harm, but whoever sent them should know that they had no effect. */
export function withIgnoredFields(response: object, unknownFields: readonly string[]): object {
  if (unknownFields.length === 0) return response;
  const own = (response as { warning?: string | null }).warning;
  const text = `Unknown fields were ignored: ${unknownFields.join(", ")}.`;
  return { ...response, warning: own ? `${own} ${text}` : text };
}
