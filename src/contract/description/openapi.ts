// The table as an OpenAPI 3.1 document. The same table always gives the same text.
import type { z } from "zod";
import { errorBody } from "../fields/common-fields.ts";
import { endpoints } from "../operations/all-endpoints.ts";
import { type Endpoint, tags } from "../table/endpoint.ts";
import { insteadOf } from "../table/unserved.ts";
import { createErrorResponses, type ErrorResponses } from "./error-responses.ts";
import { withCommonFields } from "./fields-of-alternatives.ts";
import { type JsonSchema, jsonSchemaOf } from "./json-schema.ts";
import examples from "./recorded-examples.json" with { type: "json" };
import { shareFields, shareParameters, shareSchemas } from "./shared-schemas.ts";

interface OpenApiOptions {
  /** Version of the service. */
  version: string;
  /** Base URL of the API; relative to the document when absent. */
  serverUrl?: string;
  /** Rows besides the table: those of dialects. */
  more?: readonly Endpoint[];
}

export function buildOpenApi({ version, serverUrl, more = [] }: OpenApiOptions): JsonSchema {
  const components = new Map<string, JsonSchema>();
  const paths: Record<string, JsonSchema> = {};
  const names = new Set<string>();
  const rows: readonly Endpoint[] = [...endpoints, ...more];
  const errors = createErrorResponses(endpoints, toSchema(errorBody, "output", components));
  for (const row of rows) {
    const path = row.path.replace("+}", "}");
    const operations = paths[path] ?? {};
    paths[path] = operations;
    if (row.method === "WS") addWatching(operations, row, components);
    else operations[row.method.toLowerCase()] = describeRow(row, nameFor(row, names), errors, components);
  }
  const described = shareFields(shareSchemas(paths, components), components);
  const parameters = shareParameters(described);
  const schemas = [...components].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    openapi: "3.1.0",
    info: { title: "Trawl", version, description: "Web data over HTTP: scrape, crawl, map, search and extract." },
    servers: [{ url: serverUrl ?? "/" }],
    security: [{ bearer: [] }],
    tags: listTags(more).map((name) => ({ name })),
    paths: withCommonFields(described),
    components: {
      parameters,
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      responses: errors.components(),
      schemas: withCommonFields(Object.fromEntries(schemas)),
    },
  };
}

/** The groups of operations, in their order. */
export function listTags(more: readonly Endpoint[]): string[] {
  const used = [...endpoints, ...more].map(({ tag }) => tag);
  return [...new Set([...tags, ...used])].filter((name) => used.includes(name));
}

/** The first v2 row of an operation gets its plain name; v1 rows and aliases get a suffix. */
function nameFor(row: Endpoint, taken: Set<string>): string {
  const plain = row.path.startsWith("/v1/") ? `${row.operation}V1` : row.operation;
  let name = plain;
  for (let count = 1; taken.has(name); count += 1) name = `${plain}Alias${count === 1 ? "" : count}`;
  taken.add(name);
  return name;
}

function describeRow(
  row: Endpoint,
  operationId: string,
  errors: ErrorResponses,
  components: Map<string, JsonSchema>,
): JsonSchema {
  const parameters = [
    ...describeParameters("path", row.params, components),
    ...describeParameters("query", row.query, components),
  ];
  const { requestExample, responseExample } = examplesOf(row);
  return {
    operationId,
    tags: [row.tag],
    summary: row.summary,
    ...describeAbsence(row),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(row.body ? { requestBody: withExample(describeBody(row, row.body, components), requestExample) } : {}),
    responses: {
      200: withExample(
        { description: "Success", ...describeHeaders(row), content: describeAnswer(row, components) },
        responseExample,
      ),
      ...(row.failure
        ? { default: { description: "Failure", content: describeFailure(row.failure, components) } }
        : errors.of(row, operationId)),
    },
    ...(row.rateGroup === null ? { security: [] } : { "x-rate-group": row.rateGroup }),
  };
}

interface RecordedExample {
  /** Absent where no body was sent. */
  request?: unknown;
  path: string;
  response: unknown;
}

/** What tests asked and were answered, by operation; scripts/record-examples.mjs makes them. */
const recorded: Readonly<Record<string, RecordedExample | undefined>> = examples;

/** A request without a body is told by its path, beside its answer. */
function examplesOf({ method, path }: Endpoint): { requestExample: JsonSchema; responseExample: JsonSchema } {
  const example = recorded[`${method} ${path}`];
  if (example === undefined) return { requestExample: {}, responseExample: {} };
  const { request, path: summary, response } = example;
  if (request !== undefined) return { requestExample: { example: request }, responseExample: { example: response } };
  const named = { recorded: { summary: `${method} ${summary}`, value: response } };
  return { requestExample: {}, responseExample: { examples: named } };
}

/** JSON, where several media types are taken. */
function withExample({ content, ...part }: JsonSchema, example: JsonSchema): JsonSchema {
  const types = content as Record<string, JsonSchema>;
  const [first = ""] = Object.keys(types);
  const type = "application/json" in types ? "application/json" : first;
  return { ...part, content: { ...types, [type]: { ...types[type], ...example } } };
}

function describeAbsence(row: Endpoint): JsonSchema {
  const instead = insteadOf(row.operation);
  if (instead !== null) return { description: `Not available: answers 501. ${instead}`, "x-available": false };
  if (row.refusal) return { description: "Not available: answers 403.", "x-available": false };
  return {};
}

function describeAnswer(row: Endpoint, components: Map<string, JsonSchema>): JsonSchema {
  const schema = toSchema(row.response, "output", components);
  return row.responseType ? { [row.responseType]: { schema } } : jsonContent(schema);
}

/** An error that is a plain text is no JSON. */
function describeFailure(failure: z.ZodType, components: Map<string, JsonSchema>): JsonSchema {
  const schema = toSchema(failure, "output", components);
  return schema.type === "string" ? { "text/plain": { schema } } : jsonContent(schema);
}

function describeHeaders({ responseHeaders }: Endpoint): JsonSchema {
  if (!responseHeaders) return {};
  const rows = Object.entries(responseHeaders);
  return {
    headers: Object.fromEntries(
      rows.map(([name, { description }]) => [name, { description, schema: { type: "string" } }]),
    ),
  };
}

function describeParameters(
  place: "path" | "query",
  schema: z.ZodType | undefined,
  components: Map<string, JsonSchema>,
) {
  if (!schema) return [];
  const { properties = {}, required = [] } = toSchema(schema, "input", components) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...field }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description ? { description } : {}),
    schema: field,
  }));
}

function describeBody(row: Endpoint, body: z.ZodType, components: Map<string, JsonSchema>): JsonSchema {
  const file = { type: "string", contentMediaType: "application/octet-stream" };
  if (row.bodyKind === "raw") return { required: true, content: { "application/octet-stream": { schema: file } } };
  const schema = toSchema(body, "input", components);
  const isRequired = Array.isArray(schema.required) && schema.required.length > 0;
  if (row.bodyKind === "form") return { required: true, content: { "multipart/form-data": { schema } } };
  if (row.bodyKind !== "multipart") return { required: isRequired, content: jsonContent(schema) };
  const { file: _, uploadRef, ...options } = schema.properties as JsonSchema;
  const form = {
    type: "object",
    properties: { file, options: { type: "object", properties: options } },
    required: ["file"],
  };
  const byReference = { type: "object", properties: { uploadRef, ...options }, required: ["uploadRef"] };
  return {
    required: true,
    content: { "multipart/form-data": { schema: form }, ...jsonContent(byReference) },
  };
}

function addWatching(operations: JsonSchema, row: Endpoint, components: Map<string, JsonSchema>): void {
  const get = operations.get as JsonSchema | undefined;
  if (!get) throw new Error(`${row.path} can be watched but not read`);
  get["x-websocket"] = {
    summary: row.summary,
    description: "Open a WebSocket at this URL, with the API key as the only subprotocol, to receive these messages.",
    message: toSchema(row.response, "output", components),
  };
}

function jsonContent(schema: JsonSchema): JsonSchema {
  return { "application/json": { schema } };
}

/** One schema; shared ones become components. */
function toSchema(schema: z.ZodType, io: "input" | "output", components: Map<string, JsonSchema>): JsonSchema {
  const { $defs = {}, ...own } = jsonSchemaOf(schema, io, "#/components/schemas/");
  for (const [name, shared] of Object.entries($defs as Record<string, JsonSchema>)) {
    const known = components.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(shared)) throw new Error(`Two schemas are named ${name}`);
    components.set(name, shared);
  }
  return own;
}
