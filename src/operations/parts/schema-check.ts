// Callers' schemas, checked before anything is fetched: one that cannot be used is a 400 that names its place.
import { type Lazy, ServiceError } from "../../base/index.ts";
import type { ScrapeOptions } from "../../contract/index.ts";
import type { Extractor } from "../../extraction/index.ts";

export async function checkSchema(
  extraction: Lazy<Extractor>,
  schema: unknown,
  path: readonly (string | number)[],
): Promise<void> {
  const verdict = await (await extraction.open()).checkSchema(schema);
  if (verdict.ok) return;
  throw new ServiceError("BAD_REQUEST", "Invalid JSON schema.", {
    details: [{ code: "invalid_schema", path: [...path, ...verdict.path], message: verdict.message }],
  });
}

/** Those of the requested outputs; `at`: where the options are in the request. */
export async function checkFormatSchemas(
  extraction: Lazy<Extractor>,
  { formats }: Pick<ScrapeOptions, "formats">,
  at: readonly string[] = [],
): Promise<void> {
  for (const [place, format] of formats.entries()) {
    const schema = "schema" in format ? format.schema : undefined;
    if (schema) await checkSchema(extraction, schema, [...at, "formats", place, "schema"]);
  }
}
