// Judges what the apps of the tests answer by schemas that are made from the official clients' own types: a field too many, one too
// few or one of another type fails the test that asked. Which answer has which type is data: answer-types.ts.
import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import { existsSync, readFileSync } from "node:fs";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { FastifyInstance } from "fastify";
import type {} from "../../../src/http/error-response.ts";
import { type AnswerType, answerTypes, besideTypes, notMended } from "./answer-types.ts";
import { faultsOfError } from "./declared-errors.ts";
import { recordExample } from "./recorded-examples.ts";

const file = new URL("../../clients/node_modules/.cache/answer-schemas.json", import.meta.url);

interface Definition {
  $ref?: string;
  properties?: Record<string, unknown>;
  required?: string[];
  additionalProperties?: unknown;
}

interface List {
  items?: Definition & { anyOf?: { $ref: string }[] };
}

interface Schemas {
  types: Record<string, Definition>;
  tools: Record<string, Definition>;
}

interface Strictness {
  /** What starts inside is judged. */
  judged: AsyncLocalStorage<true>;
  /** Each fault once: the endpoint, the place and what is wrong there. */
  faults: Set<string>;
  /** Endpoints whose answers were judged. */
  met: Set<string>;
  judge(endpoint: string, body: unknown): void;
}

// Files that share a process load this module anew; the schemas are compiled once, and the apps stay.
const holder = globalThis as { trawlStrictness?: Strictness | null };

/** Null where the official clients are not installed, as for unit tests alone. */
export function strictness(): Strictness | null {
  if (holder.trawlStrictness === undefined) holder.trawlStrictness = existsSync(file) ? createStrictness() : null;
  return holder.trawlStrictness;
}

/** The servers that the work starts are judged. */
export function withStrictAnswers<Result>(work: () => Result): Result {
  return strictness()?.judged.run(true, work) ?? work();
}

function judgeAnswersOf(app: FastifyInstance, strict: Strictness): void {
  app.addHook("onSend", async (request, reply, payload) => {
    const { method, routeOptions, failure } = request;
    const path = routeOptions.url?.replace(/:(\w+)/g, "{$1}");
    if (failure !== null) {
      for (const fault of faultsOfError(`${method} ${path}`, reply.statusCode, failure, reply.getHeader("link")))
        strict.faults.add(fault);
    }
    if (path === undefined || (typeof payload !== "string" && !Buffer.isBuffer(payload))) return payload;
    // What is packed is no answer of the API.
    if (reply.hasHeader("content-encoding")) return payload;
    const type = String(reply.getHeader("content-type"));
    if (reply.statusCode === 200) recordExample(path, request, type, payload);
    if (!type.startsWith("application/json")) return payload;
    if (reply.statusCode === 200) strict.judge(`${method} ${path}`, JSON.parse(String(payload)));
    return payload;
  });
}

/** Of a type that is another name, what it names. */
function definitionOf(type: string, types: Record<string, Definition>): Definition | undefined {
  const name = types[type]?.$ref?.replace("#/definitions/", "");
  return name === undefined ? types[type] : definitionOf(decodeURIComponent(name), types);
}

function createStrictness(): Strictness {
  const { types, tools }: Schemas = JSON.parse(readFileSync(file, "utf8"));
  for (const { of, fields } of besideTypes) {
    for (const name of of) {
      const [type = "", field] = name.split(".");
      const inType = definitionOf(type, types)?.properties;
      const inField = field === undefined ? undefined : (inType?.[field] as (List & Definition) | undefined);
      const properties = field === undefined ? inType : (inField?.items?.properties ?? inField?.properties);
      if (properties) for (const field of fields) properties[field] = {};
    }
  }
  for (const { type, added = [] } of Object.values(answerTypes)) {
    const definition = types[type];
    if (!definition) throw new Error(`the SDK has no type ${type}`);
    definition.required = (definition.required ?? []).filter((name) => !added.includes(name));
    // The SDK's own types of answers name it or leave it out; every answer has it.
    if (definition.properties) definition.properties["success"] ??= {};
  }
  // A result that was scraped has the fields of both members, as the compiler allows for unions.
  for (const list of Object.values(types["SearchData"]?.properties ?? {})) joinMembers((list as List).items, types);
  // The server of the tools drops what else there is.
  for (const tool of Object.values(tools)) delete tool?.additionalProperties;
  // Made in each process, so making them counts more than running them.
  const cheaply = { validateSchema: false, meta: false, inlineRefs: false, code: { optimize: false } };
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, ...cheaply });
  ajv.addSchema({ $id: "sdk", definitions: types });
  const compiled = new Map<string, ValidateFunction>();
  const validator = (name: string, make: () => ValidateFunction) => {
    const validate = compiled.get(name) ?? make();
    compiled.set(name, validate);
    return validate;
  };
  const ofType = (name: string) =>
    validator(name, () => ajv.compile({ $ref: `sdk#/definitions/${encodeURIComponent(name)}` }));
  const ofTool = (name: string) => validator(name, () => ajv.compile(tools[name] ?? false));
  const faults = new Set<string>();
  const met = new Set<string>();

  function note(where: string, validate: ValidateFunction, part: unknown): void {
    if (validate(part)) return;
    for (const error of telling(validate.errors ?? [])) {
      const said = `${where}${inWords(error)}`;
      if (!notMended.some(({ fault }) => fault.test(said))) faults.add(said);
    }
  }

  const judged = new AsyncLocalStorage<true>();
  const strict: Strictness = {
    judged,
    faults,
    met,
    judge(endpoint, body) {
      const row: AnswerType | undefined = answerTypes[endpoint];
      if (!row) return;
      const { type, at, isList, tool, toolTakesAll, unlessIt } = row;
      const answer = body as Record<string, unknown>;
      if (unlessIt && unlessIt.has in answer) return;
      met.add(endpoint);
      const part = at === undefined ? answer : answer[at];
      if (at !== undefined) {
        const known = new Set(besideTypes.flatMap(({ of, fields }) => (of.includes(endpoint) ? fields : [])));
        for (const name of Object.keys(answer)) {
          if (name !== at && name !== "success" && !known.has(name)) faults.add(`${endpoint} has ${name} beside ${at}`);
        }
      }
      for (const each of isList ? (part as unknown[]) : [part]) note(`${endpoint} ${type}`, ofType(type), each);
      if (tool) note(`${endpoint} ${tool}`, ofTool(tool), toolTakesAll ? answer : part);
    },
  };
  subscribe("fastify.initialization", (message) => {
    if (judged.getStore()) judgeAnswersOf((message as { fastify: FastifyInstance }).fastify, strict);
  });
  return strict;
}

function joinMembers(union: List["items"], types: Schemas["types"]): void {
  if (!union?.anyOf) return;
  const members = union.anyOf.map(({ $ref }) => types[$ref.replace("#/definitions/", "")]?.properties);
  Object.assign(union, { type: "object", properties: Object.assign({}, ...members), additionalProperties: false });
  delete union.anyOf;
}

/** Of a union, what its members say; of members that are told apart by their `type`, what the right one says. */
function telling(errors: readonly ErrorObject[]): ErrorObject[] {
  const others = errors.filter(({ keyword, instancePath }) => keyword === "const" && instancePath.endsWith("/type"));
  const isOther = ({ schemaPath, instancePath }: ErrorObject) =>
    others.some(
      (other) =>
        schemaPath.startsWith(other.schemaPath.replace("properties/type/const", "")) &&
        instancePath.startsWith(other.instancePath.replace(/\/type$/, "")),
    );
  const plain = errors.filter((error) => !isOther(error) && error.keyword !== "anyOf" && error.keyword !== "oneOf");
  return plain.length > 0 ? plain : [...errors];
}

function inWords({ instancePath, params, message }: ErrorObject): string {
  const name = params["additionalProperty"] ?? params["missingProperty"] ?? params["allowedValue"];
  const place = instancePath.replace(/\/\d+(?=\/|$)/g, "/*");
  return `${place} ${message}${name === undefined ? "" : `: ${name}`}`;
}
