// One source's part of one search, from the question to its results.
import type { AskedSource } from "../providers/search-provider.ts";
import type { SourceQuestion } from "../sources/source.ts";
import type { FoundResult } from "./ask-source.ts";
import type { ChosenSource } from "./choose-sources.ts";
import type { RateResult } from "./relevance.ts";
import type { SourceEnding } from "./source-warnings.ts";

/** The outcome of asking one source. */
export type Asked = { ending: SourceEnding; results: readonly FoundResult[] };

/** One source's part of one search. */
export interface Part extends ChosenSource {
  question: SourceQuestion;
  /** Null when nothing about it may be kept. */
  key: string | null;
  startedAt: number;
  ms: number;
  /** Null until it has ended. */
  asked: Asked | null;
  /** Its results with how well each fits; made once, when they are first needed. */
  rated: readonly FoundResult[] | null;
  ended: Promise<unknown>;
  isSent: boolean;
  /** It decides whether the source's rest goes on. */
  isTrial: boolean;
}

/** Enough for a good answer: so many results as are wanted that fit this well, of so many sources. */
const goodRelevance = 0.5;
const goodSources = 2;

export function isEnough(parts: readonly Part[], limit: number, rate: RateResult): boolean {
  const isGood = ({ fit }: FoundResult) => (fit?.relevance ?? 0) >= goodRelevance;
  const good = parts.map((part) => ratedResults(part, rate).filter(isGood).length);
  const count = good.reduce((sum, one) => sum + one, 0);
  return count >= limit && good.filter((one) => one > 0).length >= goodSources;
}

export function ratedResults(part: Part, rate: RateResult): readonly FoundResult[] {
  if (part.asked === null) return [];
  part.rated ??= part.asked.results.map((result) => ({ ...result, fit: { relevance: rate(result) } }));
  return part.rated;
}

export function reportOf({ source, ms: endedMs, asked, startedAt }: Part): AskedSource {
  const ending = asked?.ending ?? { state: "slow" as const };
  const ms = asked === null ? Math.round(performance.now() - startedAt) : endedMs;
  const error = ending.state === "failed" ? ending.failure.code : ending.state;
  return {
    name: source.name,
    ms,
    results: asked?.results.length ?? 0,
    ...(ending.state === "answered" ? {} : { error }),
  };
}
