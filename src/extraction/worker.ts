// Runs in the thread of extractor.ts.
import type { FillRequest } from "./extractor.ts";
import { fill as fillSchema } from "./fill.ts";
import type { FilledData } from "./finding.ts";
import type { SchemaVerdict } from "./schema-bounds.ts";
import { compileSchema } from "./validator.ts";

export function check(schema: Record<string, unknown>): SchemaVerdict {
  const compiled = compileSchema(schema);
  return compiled.ok ? { ok: true } : compiled;
}

export function fill(request: FillRequest): FilledData {
  return fillSchema(request);
}
