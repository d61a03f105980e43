// The formats of `-f`: names, and what the other flags add to them.
import { splitList } from "../../base/index.ts";
import { readSchema } from "./flags.ts";
import { UsageError } from "./usage-error.ts";

interface FormatFlags {
  format?: string[] | undefined;
  schema?: string | undefined;
  prompt?: string | undefined;
  screenshot?: string | undefined;
}

/** Formats that ask something of the page, and their field for it. */
const asking: Record<string, string> = { question: "question", query: "prompt", highlights: "query" };
/** Names that other tools use. */
const alias: Record<string, string> = { md: "markdown", "raw-html": "rawHtml", rawhtml: "rawHtml" };

/** Names as they were given, without duplicates; undefined without any. */
export function wantedFormats({ format, schema, screenshot }: FormatFlags): string[] | undefined {
  const names = (format ?? []).flatMap(splitList).map((name) => alias[name] ?? name);
  if (screenshot !== undefined) names.push(...(names.length === 0 ? ["markdown"] : []), "screenshot@fullPage");
  if (schema !== undefined && !names.includes("json")) names.push("json");
  return names.length === 0 ? undefined : [...new Set(names)];
}

/** The field `formats` of a request. */
export async function formatField(flags: FormatFlags): Promise<{ formats?: unknown[] }> {
  const names = wantedFormats(flags);
  if (names === undefined) return {};
  const { prompt } = flags;
  const schema = flags.schema === undefined ? undefined : await readSchema(flags.schema);
  return {
    formats: names.map((name) => {
      if (name === "json") return { type: "json", ...(schema ? { schema } : {}), ...(prompt ? { prompt } : {}) };
      if (name === "screenshot@fullPage") return { type: "screenshot", fullPage: true };
      const field = asking[name];
      if (field === undefined) return name;
      if (prompt === undefined) throw new UsageError(`The format ${name} needs --prompt TEXT.`);
      return { type: name, [field]: prompt };
    }),
  };
}
