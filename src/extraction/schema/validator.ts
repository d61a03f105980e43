// Compiles callers' schemas to functions that tell where a value breaks them. Patterns run in linear time where re2js understands
// them, else by JavaScript's engine with a time limit.
import { createContext, Script } from "node:vm";
import { Ajv, type ErrorObject, type Options } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { RE2JS } from "re2js";
import { remember } from "../../base/index.ts";
import type { SchemaVerdict } from "./schema-bounds.ts";

export interface Validator {
  ok: true;
  /** Empty when the value is valid. */
  errorsOf(value: unknown): ErrorObject[];
}

const matchMs = 40;
const context = createContext({ run: () => {} });
const script = new Script("run()");

/** The only way to stop a match from within its thread; a match that takes too long counts as no match. */
function testFor(pattern: RegExp, text: string): boolean {
  let isMatch = false;
  context.run = () => {
    isMatch = pattern.test(text);
  };
  try {
    script.runInContext(context, { timeout: matchMs });
  } catch {
    return false;
  }
  return isMatch;
}

function createPattern(pattern: string, flags: string) {
  const own = new RegExp(pattern, flags);
  try {
    const linear = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return { test: (text: string) => linear.test(text), toString: () => pattern };
  } catch {
    return { test: (text: string) => testFor(own, text), toString: () => pattern };
  }
}
createPattern.code = "createPattern";

const options: Options = {
  allErrors: true,
  // "constructor" is a property only where the data has one.
  ownProperties: true,
  strict: false,
  validateFormats: true,
  messages: true,
  logger: false,
  // Schemas are used once: keeping them would only fill the memory.
  addUsedSchema: false,
  code: { regExp: createPattern as never, optimize: 1 },
};

type Compiled = Validator | Extract<SchemaVerdict, { ok: false }>;

/** Compiling takes about as long as reading a page, and the pages of a job share a schema. */
const mostCompiled = 20;
const compileText = remember((text) => compileFresh(JSON.parse(text)), mostCompiled);

export function compileSchema(schema: Record<string, unknown>): Compiled {
  return compileText(JSON.stringify(schema));
}

function compileFresh(schema: Record<string, unknown>): Compiled {
  const draft = typeof schema.$schema === "string" ? schema.$schema : "";
  const Engine = draft.includes("2019-09") ? Ajv2019 : /draft-0[4-7]/.test(draft) ? Ajv : Ajv2020;
  try {
    const engine = new Engine(options);
    addFormats.default(engine);
    // Which draft is meant decides the engine; its URL must not be looked up.
    const { $schema: _, $id: __, id: ___, ...own } = schema;
    const validate = engine.compile(own);
    return {
      ok: true,
      errorsOf: (value) => (validate(value) ? [] : (validate.errors ?? [])),
    };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, path: [], message: `Not a valid JSON Schema: ${message.slice(0, 300)}` };
  }
}
