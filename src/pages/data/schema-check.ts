// Callers' schemas, checked before anything is fetched: one that cannot be used is a 400 that names its place.
import { ServiceError } from "../../base/index.ts";
import type { ScrapeOptions } from "../../contract/index.ts";
import type { LazyExtraction } from "./lazy-extraction.ts";

export type SchemaCheck = ReturnType<typeof createSchemaCheck>;

export function createSchemaCheck(extraction: LazyExtraction) {
  async function check(schema: unknown, path: readonly (string | number)[]): Promise<void> {
    const { extractor } = await extraction.open();
    const verdict = await extractor.checkSchema(schema);
    if (verdict.ok) return;
    throw new ServiceError("BAD_REQUEST", "Invalid JSON schema.", {
      details: [{ code: "invalid_schema", path: [...path, ...verdict.path], message: verdict.message }],
    });
  }

  return {
    check,

    /** Those of the outputs that are asked for; `at`: where the options are in the request. */
    async checkFormats({ formats }: Pick<ScrapeOptions, "formats">, at: readonly string[] = []): Promise<void> {
      for (const [place, format] of formats.entries()) {
        const schema = "schema" in format ? format.schema : undefined;
        if (schema) await check(schema, [...at, "formats", place, "schema"]);
      }
    },
  };
}
