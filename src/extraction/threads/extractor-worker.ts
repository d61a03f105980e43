// Runs in the thread of extractor.ts.
import { noteThread, type ThreadNote } from "../../base/index.ts";
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

/** A task, and what says to its pool how much CPU it takes. */
export interface NotedTask<Task> {
  task: Task;
  note: ThreadNote;
}

export function check({ task: schema, note }: NotedTask<Record<string, unknown>>): SchemaVerdict {
  noteThread(note);
  const compiled = compileSchema(schema);
  return compiled.ok ? { ok: true } : compiled;
}

export function fill({ task, note }: NotedTask<FillRequest>): FilledData {
  noteThread(note);
  return fillSchema(task);
}

export function problems({ task, note }: NotedTask<ProblemsRequest>): Problem[] {
  noteThread(note);
  return findProblems(task);
}

export function readText({ task, note }: NotedTask<TextRequest>): PassageAnswer {
  noteThread(note);
  const { markdown, wantsSummary, queries } = task;
  return {
    summary: wantsSummary ? summarise(markdown) : "",
    passages: queries.map((query) => findPassages(markdown, query)),
  };
}

export async function makeFormat({ task, note }: NotedTask<FormatTask>): Promise<object> {
  noteThread(note);
  const { name, markdown, options } = task;
  const format: MarkdownFormat<never> = markdownFormats[name];
  return format.make(markdown, options as never, { countTokens: await loadTokenCounter() });
}
