// The two lists of a crawl's regular expressions as one question: may this URL be followed?
import { compilePatterns, type PatternAnswer, type PatternSet } from "./url-patterns.ts";

/** For each text whether no excluding and, if there are any, some including pattern matches. */
type PathFilter = (texts: readonly string[], signal?: AbortSignal) => Promise<PatternAnswer[]>;

/** Null without patterns: there is nothing to ask. */
export async function createPathFilter(
  includePaths: readonly string[],
  excludePaths: readonly string[],
): Promise<PathFilter | null> {
  const included = includePaths.length > 0 ? await compilePatterns(includePaths) : null;
  const excluded = excludePaths.length > 0 ? await compilePatterns(excludePaths) : null;
  if (included === null && excluded === null) return null;

  return async (texts, signal) => {
    const isOut = await ask(excluded, texts, signal, false);
    const isIn = await ask(
      included,
      texts.filter((_, index) => isOut[index] !== true),
      signal,
      true,
    );
    let next = 0;
    return isOut.map((out) => {
      if (out === true) return false;
      const found = isIn[next++] ?? "undecided";
      return found === true && out === "undecided" ? "undecided" : found;
    });
  };
}

async function ask(
  patterns: PatternSet | null,
  texts: readonly string[],
  signal: AbortSignal | undefined,
  withoutPatterns: boolean,
): Promise<PatternAnswer[]> {
  return patterns === null ? texts.map(() => withoutPatterns) : patterns.matches(texts, signal);
}
