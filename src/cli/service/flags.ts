// The flags of a verb, made from the fields of its operation, and the request that they make.
import { isObject, splitList } from "../../base/index.ts";
import { type JsonSchema, requestFields } from "../../contract/index.ts";
import { readInputFile } from "./open-service.ts";
import { UsageError } from "./usage-error.ts";

type Kind = "boolean" | "number" | "integer" | "text" | "list" | "json";

export interface Flag {
  /** `wait-for` of `--wait-for`. */
  name: string;
  /** Where its value goes. */
  path: readonly string[];
  kind: Kind;
  description: string;
}

/** Values as the parser found them, by the names that it gives them. */
export type FlagValues = Readonly<Record<string, unknown>>;

/** Fields that have shorter flags. */
const otherwise = new Set(["formats", "schema", "prompt", "scrapeOptions"]);

/**
 * One flag for each field; those of `scrapeOptions` are added, unless a field of the request has the name. `left`:
 * fields that the verb's words give.
 */
export function flagsOf(operation: string, left: readonly string[] = []): Flag[] {
  const { fields } = requestFields(operation);
  const own = Object.entries(fields).filter(([name]) => !left.includes(name) && !otherwise.has(name));
  const nested = Object.entries((fields["scrapeOptions"]?.["properties"] ?? {}) as Record<string, JsonSchema>).filter(
    ([name, { description }]) =>
      !(name in fields) && !otherwise.has(name) && !String(description).startsWith("Accepted and ignored"),
  );
  return [
    ...own.map(([name, schema]) => flagOf([name], schema)),
    ...nested.map(([name, schema]) => flagOf(["scrapeOptions", name], schema)),
    ...["formats", "scrapeOptions"]
      .filter((name) => name in fields && !left.includes(name))
      .map((name) => flagOf([name], { description: `${String(fields[name]?.["description"])}, as JSON` })),
  ];
}

function flagOf(path: readonly string[], schema: JsonSchema): Flag {
  const kind = kindOf(schema);
  const values = enumOf(schema);
  const words = String(schema["description"] ?? "");
  const description = values ? `${words} (${values.join(", ")})` : words;
  return { name: toFlag(path.at(-1) ?? ""), path, kind, description };
}

function kindOf({ type, items, enum: values }: JsonSchema): Kind {
  if (type === "boolean" || type === "integer" || type === "number") return type;
  if (type === "string" || values !== undefined) return "text";
  const of = items as JsonSchema | undefined;
  return type === "array" && (of?.["type"] === "string" || of?.["enum"] !== undefined) ? "list" : "json";
}

function enumOf({ enum: values }: JsonSchema): unknown[] | undefined {
  return Array.isArray(values) ? values : undefined;
}

/** `redactPII` → `redact-pii`. */
export function toFlag(field: string): string {
  return field
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1-$2")
    .toLowerCase();
}

/** The name under which the parser keeps a flag's value. */
function keyOf({ name }: Flag): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The request that these values make. */
export async function requestFrom(flags: readonly Flag[], values: FlagValues): Promise<Record<string, unknown>> {
  const request: Record<string, unknown> = {};
  for (const flag of flags) {
    const given = values[keyOf(flag)];
    if (given === undefined) continue;
    const [first = "", second] = flag.path;
    const value = await readValue(flag, given);
    if (second === undefined) request[first] = mergedWith(request[first], value);
    else request[first] = { ...(request[first] as object | undefined), [second]: value };
  }
  return request;
}

/** `--scrape-options` as a whole and a flag of one of them go together. */
function mergedWith(earlier: unknown, value: unknown): unknown {
  return isObject(earlier) && isObject(value) ? { ...value, ...earlier } : value;
}

async function readValue({ name, kind, path }: Flag, given: unknown): Promise<unknown> {
  if (kind === "boolean") return given;
  const texts = (Array.isArray(given) ? given : [given]).map(String);
  const [text = ""] = texts;
  if (kind === "integer" || kind === "number") return flagNumber(name, text, kind);
  if (kind === "text") return text;
  if (kind === "list" && !text.startsWith("[")) return texts.flatMap((each) => splitList(each));
  return looseJson(name, path.at(-1) ?? "", texts);
}

export function flagNumber(name: string, text: string, kind: "integer" | "number" = "integer"): number {
  if (kind === "integer" && !/^-?\d{1,15}$/.test(text)) throw new UsageError(`--${name} must be a whole number.`);
  if (!/^-?\d{1,15}(?:\.\d+)?$/.test(text)) throw new UsageError(`--${name} must be a number.`);
  return Number(text);
}

/** Shorter ways to write the objects that people need most. */
const shortForms: Record<string, (texts: string[]) => unknown> = {
  location: ([text = ""]) => {
    const [country, ...languages] = splitList(text);
    return { country, languages };
  },
  profile: ([name]) => ({ name }),
  headers: (texts) =>
    Object.fromEntries(
      texts.map((text) => {
        const at = text.indexOf(":");
        return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
      }),
    ),
};

/** JSON, `@FILE` with JSON in it, or one of the short forms. */
async function looseJson(name: string, field: string, texts: string[]): Promise<unknown> {
  const [text = ""] = texts;
  const isJson = /^\s*[[{"]/.test(text) || /^(?:true|false|null|-?\d)/.test(text);
  const short = shortForms[field];
  if (short && !isJson && !text.startsWith("@")) return short(texts);
  if (!isJson && !text.startsWith("@")) return text;
  return parseJson(`--${name}`, text.startsWith("@") ? await readInputFile(text.slice(1)) : text);
}

/** A JSON Schema: the JSON itself, or a file with it. */
export async function readSchema(given: string): Promise<unknown> {
  if (given.trim().startsWith("{")) return parseJson("--schema", given);
  return parseJson(`The file ${given}`, await readInputFile(given));
}

function parseJson(what: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${what} is not valid JSON.`);
  }
}
