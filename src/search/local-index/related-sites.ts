// What `related:` goes by in the own index: the words that tell what a site's pages are about, and the hosts that are linked
// to together with the site or link to the same.
import type { Store, StoredPage, WordRun } from "../../store/index.ts";
import type { WordCounter } from "./page-counts.ts";
import { nothing } from "./query-plan.ts";
import { rarityOf } from "./rank-pages.ts";

const pagesOfSite = 5;
const weighedWords = 40;
const mostWords = 12;
const leastShared = 3;
const mostHosts = 20;
/** Of reciprocal ranks: how much the first places are worth more than those after them. */
const rankOffset = 10;

export interface Site {
  /** Stems. */
  words: WordRun[];
  /** The most related first. */
  hosts: string[];
}

/** Null when none of its pages is known and no link either. */
export async function describeSite(
  { searchIndex, searchLinks }: Pick<Store, "searchIndex" | "searchLinks">,
  counter: WordCounter,
  teamId: string,
  host: string,
): Promise<Site | null> {
  const plan = { ...nothing, teamId, hostGroups: [[host]], limit: pagesOfSite };
  const pages = await searchIndex.read(await searchIndex.find(plan, { runs: [], pages: 0 }));
  const hosts = (await searchLinks.findRelatedHosts(teamId, host, mostHosts)).map((found) => found.host);
  if (pages.length === 0 && hosts.length === 0) return null;
  const frequent = frequentWords(pages, counter);
  const counts = await searchIndex.count(
    teamId,
    frequent.map(([word]) => [word]),
  );
  const weighed = frequent.map(([word, weight], index) => {
    const count = counts.runs[index] ?? 0;
    return { word, value: weight * rarityOf(count, Math.max(counts.pages, count)) };
  });
  weighed.sort((one, other) => other.value - one.value);
  return { words: weighed.slice(0, mostWords).map(({ word }) => [word]), hosts };
}

function frequentWords(pages: readonly StoredPage[], counter: WordCounter): [string, number][] {
  const weights = new Map<string, number>();
  for (const { title, body } of counter.count(pages)) {
    const { isTelling, nameOf } = counter.vocabulary();
    // Not by addresses: all hosts share some of their words.
    for (const [words, weight] of [
      [title, 3],
      [body, 1],
    ] as const) {
      for (const word of words)
        if (isTelling(word)) weights.set(nameOf(word), (weights.get(nameOf(word)) ?? 0) + weight);
    }
  }
  return [...weights].sort(([, one], [, other]) => other - one).slice(0, weighedWords);
}

/** One shared word is chance. */
export function isLike(page: StoredPage, words: readonly WordRun[], counter: WordCounter): boolean {
  if (words.length === 0) return true;
  const [counted] = counter.count([page]);
  const held = new Set([...(counted?.title ?? []), ...(counted?.body ?? [])]);
  const shared = words.filter(([word = ""]) => held.has(counter.vocabulary().numberOfStem(word)));
  return shared.length >= Math.min(leastShared, words.length);
}

/** Pages of several lists, those first that stand far up in them. */
export function fusePages(lists: readonly (readonly StoredPage[])[]): StoredPage[] {
  const scores = new Map<number, { page: StoredPage; score: number }>();
  for (const list of lists) {
    for (const [place, page] of list.entries()) {
      const known = scores.get(page.id) ?? { page, score: 0 };
      scores.set(page.id, { page, score: known.score + 1 / (rankOffset + place) });
    }
  }
  return [...scores.values()].sort((one, other) => other.score - one.score).map(({ page }) => page);
}
