// Runs in the thread of extractor.ts.
import type { Problem } from "../../llm/index.ts";
import { loadTokenCounter } from "../../text/index.ts";
import { type FillRequest, fill as fillSchema } from "../filling/fill.ts";
import type { FilledData } from "../findings/finding.ts";
import { findPassages, summarise } from "../passages/passages.ts";
import { findProblems, type ProblemsRequest } from "../schema/problems.ts";
import type { SchemaVerdict } from "../schema/schema-bounds.ts";
import { compileSchema } from "../schema/validator.ts";
import type { MarkdownFormat } from "../texts/markdown-format.ts";
import { markdownFormats } from "../texts/markdown-formats.ts";
import type { FormatTask, PassageAnswer, TextRequest } from "./extractor.ts";

/** Answers when the thread has started. */
export function ready(): void {}

export function check(schema: Record<string, unknown>): SchemaVerdict {
  const compiled = compileSchema(schema);
  return compiled.ok ? { ok: true } : compiled;
}

export function fill(request: FillRequest): FilledData {
  return fillSchema(request);
}

export function problems(request: ProblemsRequest): Problem[] {
  return findProblems(request);
}

export function readText({ markdown, wantsSummary, queries }: TextRequest): PassageAnswer {
  return {
    summary: wantsSummary ? summarise(markdown) : "",
    passages: queries.map((query) => findPassages(markdown, query)),
  };
}

export async function makeFormat({ name, markdown, options }: FormatTask): Promise<object> {
  const format: MarkdownFormat<never> = markdownFormats[name];
  return format.make(markdown, options as never, { countTokens: await loadTokenCounter() });
}
