// Keeps of a service's results those that satisfy the query (D18). What title, description and address leave open is decided
// by the page itself; what stays open is left out and counted.
import type { Candidate, Verdict } from "../../search/index.ts";
import type { Found } from "./fusion.ts";
import type { PageText, PageTexts } from "./page-texts.ts";

export type Check = (candidate: Candidate & Pick<Partial<PageText>, "links">) => Verdict;

/** "no" when one says so, "unknown" when one cannot say. */
export function joinVerdicts(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes("no")) return "no";
  return verdicts.includes("unknown") ? "unknown" : "yes";
}

/** The first `limit` results that satisfy the check, in their order. At most 2 × limit pages are read for it. */
export async function sift(
  results: readonly Found[],
  { check, limit, pages }: { check: Check; limit: number; pages: PageTexts },
): Promise<{ kept: Found[]; undecided: number }> {
  const judged = results.map((found) => ({ found, verdict: check(found), isRead: false }));
  let budget = 2 * limit;
  for (;;) {
    const hopeful = judged.filter(({ verdict }) => verdict !== "no").slice(0, limit);
    const open = hopeful.filter(({ verdict, isRead }) => verdict === "unknown" && !isRead).slice(0, budget);
    if (open.length === 0) break;
    budget -= open.length;
    await Promise.all(
      open.map(async (one) => {
        one.isRead = true;
        const page = await pages.read(one.found.url);
        if (!page) return;
        const { title, text, links } = page;
        one.verdict = check({ ...one.found, title: title || one.found.title, text, links });
      }),
    );
    // An undecided one must not hold the place of one that can be decided.
    const undecided = judged.filter(({ verdict, isRead }) => verdict === "unknown" && isRead);
    for (const one of undecided) judged.push(...judged.splice(judged.indexOf(one), 1));
  }
  const kept = judged.filter(({ verdict }) => verdict === "yes").slice(0, limit);
  const undecided = kept.length < limit ? judged.filter(({ verdict }) => verdict === "unknown").length : 0;
  return { kept: kept.map(({ found }) => found), undecided };
}
