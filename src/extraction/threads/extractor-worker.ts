// Runs in the thread of extractor.ts.
import { type NotedTask, noteThread } from "../../base/index.ts";
import { loadTokenCounter } from "../../text/index.ts";
import { fill as fillSchema } from "../filling/fill.ts";
import { findPassages, summarise } from "../passages/passages.ts";
import { findProblems } from "../schema/problems.ts";
import type { SchemaVerdict } from "../schema/schema-bounds.ts";
import { compileSchema } from "../schema/validator.ts";
import type { MarkdownFormat } from "../texts/markdown-format.ts";
import { markdownFormats } from "../texts/markdown-formats.ts";
import type { FormatTask, PassageAnswer, TextRequest } from "./extractor.ts";

/** What a pool gives to its thread says how much CPU the work takes. */
function noted<Task, Result>(work: (task: Task) => Result): (given: NotedTask<Task>) => Result {
  return ({ task, note }) => {
    noteThread(note);
    return work(task);
  };
}

/** Answers when the thread has started. */
export function ready(): void {}

export const check = noted((schema: Record<string, unknown>): SchemaVerdict => {
  const compiled = compileSchema(schema);
  return compiled.ok ? { ok: true } : compiled;
});

export const fill = noted(fillSchema);

export const problems = noted(findProblems);

export const readText = noted(
  ({ markdown, wantsSummary, queries }: TextRequest): PassageAnswer => ({
    summary: wantsSummary ? summarise(markdown) : "",
    passages: queries.map((query) => findPassages(markdown, query)),
  }),
);

export const makeFormat = noted(async ({ name, markdown, options }: FormatTask): Promise<object> => {
  const format: MarkdownFormat<never> = markdownFormats[name];
  return format.make(markdown, options as never, { countTokens: await loadTokenCounter() });
});
