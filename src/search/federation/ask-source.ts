// Puts one question to one source: page after page until there are enough results, within its pace.

import { readResult } from "../providers/paged-search.ts";
import type { ProviderResult } from "../providers/search-provider.ts";
import { cutText } from "../sources/cut-text.ts";
import type { OpenSource, SourceQuestion, SourceResult } from "../sources/source.ts";
import { type CallDeps, callSource, type PageRead, readSourcePage } from "./call-source.ts";
import type { SourceFailure } from "./source-failure.ts";

/** A result with the names of the work that several URLs may have. */
export interface FoundResult extends ProviderResult {
  ids: readonly string[];
}

export interface SourceSuccess {
  ok: true;
  results: FoundResult[];
  /** Why not all pages came; null when they did. */
  problem: SourceFailure | null;
  /** The pause that the source asks for; 0: none. */
  backoffSeconds: number;
}

export type AskedOutcomeOfSource = SourceSuccess | SourceFailure;

export interface AskDeps extends CallDeps {
  plainText(text: string): string;
  /** Whether the source may be sent one more request now. */
  mayAskAgain(source: OpenSource): Promise<boolean>;
}

const mostCalls = 5;
/** Sources send short texts; these bounds keep our responses short whatever they send. */
const longest = { title: 500, description: 2000, date: 100 };

function bounded(raw: SourceResult): SourceResult {
  const cut = (value: unknown, most: number) => (typeof value === "string" ? cutText(value, most) : value);
  return {
    ...raw,
    title: cut(raw.title, longest.title),
    description: cut(raw.description, longest.description),
    ...(raw.dates ? { dates: raw.dates.map((date) => cut(date, longest.date)) } : {}),
  };
}

export async function askSource(
  deps: AskDeps,
  source: OpenSource,
  place: { base: string; isMoved: boolean },
  question: SourceQuestion,
  signal: AbortSignal,
): Promise<AskedOutcomeOfSource> {
  const found = new Map<string, FoundResult>();
  let next = null as string | null;
  let backoffSeconds = 0;
  let problem: SourceFailure | null = null;
  for (let calls = 0; calls < mostCalls; calls += 1) {
    if (calls > 0 && !(await deps.mayAskAgain(source))) break;
    const called = await callSource(deps, source, place, source.ask(question, next), signal);
    const read: PageRead | SourceFailure = called.ok ? readSourcePage(source, called.answer, question, next) : called;
    if (!read.ok) {
      if (found.size === 0) return read;
      problem = read;
      break;
    }
    const { page } = read;
    for (const raw of page.results) {
      const result = readResult(bounded(raw), { source: question.kind }, question.now, deps.plainText);
      const key = result && (question.kind === "images" ? (result.imageUrl ?? result.url) : result.url);
      if (result && key && !found.has(key)) found.set(key, { ...result, ids: raw.ids ?? [] });
    }
    backoffSeconds = Math.max(backoffSeconds, page.backoffSeconds ?? 0);
    next = page.next;
    if (next === null || found.size >= question.count || backoffSeconds > 0) break;
  }
  return { ok: true, results: [...found.values()].slice(0, question.count), problem, backoffSeconds };
}
