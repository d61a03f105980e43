// The error responses of an OpenAPI document: one component for each status and set of codes, shared by the operations that have it.
import { type ErrorCode, errorTable } from "../../base/index.ts";
import type { Endpoint } from "../table/endpoint.ts";
import type { JsonSchema } from "./json-schema.ts";
import { errorsOf, errorsOfAnyRequest } from "./row-errors.ts";

const reasons: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  503: "Service Unavailable",
};

export interface ErrorResponses {
  /** References by status; `default` is for what any request may meet. */
  of(row: Endpoint, operationId: string): JsonSchema;
  components(): JsonSchema;
}

/** `failure`: the schema of an error's body. */
export function createErrorResponses(rows: readonly Endpoint[], failure: JsonSchema): ErrorResponses {
  const usual = usualSets(rows);
  const names = new Map<string, string>();
  const responses = new Map<string, JsonSchema>([
    [
      "Failure",
      { ...describe(failure, "Any request may meet these", errorsOfAnyRequest), headers: { Link: helpHeader } },
    ],
  ]);

  function nameOf(status: number, codes: readonly ErrorCode[], operationId: string): string {
    const key = keyOf(status, codes);
    const known = names.get(key);
    if (known !== undefined) return known;
    const [only = ""] = codes.length === 1 ? codes : [];
    const reason = reasons[status] ?? `Status ${status}`;
    const named = only === "" && usual.has(key) ? reason : only.toLowerCase();
    const name = named === "" ? `${capitalized(operationId)}${status}` : capitalized(named);
    names.set(key, name);
    responses.set(name, describe(failure, only === "" ? reason : errorTable[only as ErrorCode].message, codes));
    return name;
  }

  return {
    of(row, operationId) {
      const named = [...errorsOf(row)].map(([status, codes]) => [status, nameOf(status, codes, operationId)]);
      const all = [...named, ["default", "Failure"]];
      return Object.fromEntries(all.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]));
    },
    components: () => Object.fromEntries([...responses].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

/** Of each status the set that most endpoints have. */
function usualSets(rows: readonly Endpoint[]): Set<string> {
  const uses = new Map<string, number>();
  for (const row of rows) {
    for (const [status, codes] of errorsOf(row)) {
      const key = keyOf(status, codes);
      uses.set(key, (uses.get(key) ?? 0) + 1);
    }
  }
  const mostUsed = [...uses].sort(([, one], [, other]) => other - one);
  const first = new Map<string, string>();
  for (const [key] of mostUsed) {
    const [status = ""] = key.split(" ");
    if (!first.has(status)) first.set(status, key);
  }
  return new Set(first.values());
}

function keyOf(status: number, codes: readonly ErrorCode[]): string {
  return `${status} ${codes.join()}`;
}

function capitalized(words: string): string {
  return words.replace(/(?:^|[ _])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function describe(failure: JsonSchema, description: string, codes: readonly ErrorCode[]): JsonSchema {
  const schema = { allOf: [failure, { properties: { code: { enum: codes } } }] };
  return { description, content: { "application/json": { schema } } };
}

const helpHeader: JsonSchema = {
  description: "The entry of the error in the documentation, with rel=help. Every error has it.",
  schema: { type: "string" },
};
