// Keeps those results of a service that satisfy the query. What title, description and URL leave open is decided by the page
// itself; a result that stays undecided is left out and counted.
import type { SearchCandidate, Verdict } from "../filter/clause-filter.ts";
import type { ReadResultText, ResultText, SearchResult } from "./search-result.ts";

export type ResultCheck = (candidate: SearchCandidate & Pick<Partial<ResultText>, "links">) => Verdict;

/** "no" when one says so, "unknown" when one cannot say. */
export function joinVerdicts(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes("no")) return "no";
  return verdicts.includes("unknown") ? "unknown" : "yes";
}

export interface SiftOptions {
  check: ResultCheck;
  limit: number;
  readText: ReadResultText;
}

/** The first `limit` results that satisfy the check, in their order. Reads at most 2 × limit pages. */
export async function siftResults(
  results: readonly SearchResult[],
  { check, limit, readText }: SiftOptions,
): Promise<{ kept: SearchResult[]; undecided: number }> {
  const checked = results.map((result) => ({ result, verdict: check(result), isRead: false }));
  let budget = 2 * limit;
  for (;;) {
    const hopeful = checked.filter(({ verdict }) => verdict !== "no").slice(0, limit);
    const open = hopeful.filter(({ verdict, isRead }) => verdict === "unknown" && !isRead).slice(0, budget);
    if (open.length === 0) break;
    budget -= open.length;
    await Promise.all(
      open.map(async (one) => {
        one.isRead = true;
        const page = await readText(one.result.url);
        if (!page) return;
        const { title, text, links } = page;
        one.verdict = check({ ...one.result, title: title || one.result.title, text, links });
      }),
    );
    // An undecided result must not take the place of one that can be decided.
    const undecided = checked.filter(({ verdict, isRead }) => verdict === "unknown" && isRead);
    for (const one of undecided) checked.push(...checked.splice(checked.indexOf(one), 1));
  }
  const kept = checked.filter(({ verdict }) => verdict === "yes").slice(0, limit);
  const undecided = kept.length < limit ? checked.filter(({ verdict }) => verdict === "unknown").length : 0;
  return { kept: kept.map(({ result }) => result), undecided };
}
