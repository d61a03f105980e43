// What `related:` means in the local index: pages that share the subject of a site, pages of hosts that are linked to together
// with it or link to the same hosts, and pages about its subject on hosts that link to it.
import type { IndexedPage, SearchPlan, Store, WordRun } from "../../store/index.ts";
import { type Clause, isPlainWord } from "../query/parse-query.ts";
import type { CollectOptions, CollectPages } from "./collect-pages.ts";
import type { WordCounter } from "./page-counts.ts";
import { rarityOf } from "./rank-pages.ts";

/** The home page of a site and those that most hosts link to say what it is about. */
const pagesOfSite = 8;
const weighedWords = 40;
const mostWords = 12;
/** One shared word is chance, unless the host links to the site. */
const leastShared = 3;
const leastSharedByLinking = 1;
const mostRelatedHosts = 20;
const mostLinkingHosts = 50;
export const mostPerHost = 2;
/** Of reciprocal ranks: how much more the first ranks are worth than those after them. */
const rankOffset = 10;

export interface RelatedSites {
  /** Stems that tell what the sites' pages are about. */
  words: readonly WordRun[];
  /** Linked to together with the sites, or linking to the same hosts; the most related first. */
  hosts: readonly string[];
  /** Linking to the sites. */
  linkingHosts: readonly string[];
  /** Sites of which the index has neither a page nor a link. */
  unknown: readonly string[];
}

type RelatedStore = Pick<Store, "searchIndex" | "searchLinks">;

/** Of all sites that `related:` names; null when it names none. */
export async function describeRelated(
  store: RelatedStore,
  counter: WordCounter,
  teamId: string,
  clauses: readonly Clause[],
): Promise<RelatedSites | null> {
  const words: WordRun[] = [];
  const hosts: string[] = [];
  const linkingHosts: string[] = [];
  const unknown: string[] = [];
  const named = clauses.filter((clause) => clause.kind === "related").filter(({ isNegated }) => !isNegated);
  for (const { host } of named) {
    const pages = await store.searchIndex.read(await store.searchIndex.findTelling(teamId, host, pagesOfSite));
    const related = await store.searchLinks.findRelatedHosts(teamId, host, mostRelatedHosts);
    const linking = await store.searchLinks.findLinkingHosts(teamId, host, mostLinkingHosts);
    if (pages.length + related.length + linking.length === 0) unknown.push(host);
    words.push(...(await tellingWords(store, counter, teamId, pages)));
    hosts.push(...related.map((one) => one.host));
    linkingHosts.push(...linking);
  }
  return named.length === 0 ? null : { words, hosts, linkingHosts, unknown };
}

async function tellingWords(
  { searchIndex }: Pick<Store, "searchIndex">,
  counter: WordCounter,
  teamId: string,
  pages: readonly IndexedPage[],
): Promise<WordRun[]> {
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
  return weighed.slice(0, mostWords).map(({ word }) => [word]);
}

function frequentWords(pages: readonly IndexedPage[], counter: WordCounter): [string, number][] {
  const weights = new Map<string, number>();
  for (const { title, body } of counter.count(pages)) {
    const { isTelling, nameOf } = counter.vocabulary();
    // Not by URLs: all hosts share some of their words.
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

/** `plan` ranks by the words of the query and of the sites. */
export async function collectRelated(
  collect: CollectPages,
  plan: SearchPlan,
  options: CollectOptions,
  sites: RelatedSites,
  signal: AbortSignal,
): Promise<IndexedPage[]> {
  const { words, hosts, linkingHosts } = sites;
  const alike = words.length === 0 ? [] : await collect(plan, options, { words, least: leastShared }, signal);
  const cited = await collectOfHosts(collect, plan, options, hosts, signal);
  const ofLinking = { ...plan, hostGroups: [...plan.hostGroups, linkingHosts] };
  const aboutIt = { words, least: leastSharedByLinking };
  const linking = linkingHosts.length === 0 ? [] : await collect(ofLinking, options, aboutIt, signal);
  return fusePages([alike, cited, linking]);
}

/** A few pages of each host, whether they are alike or not. */
async function collectOfHosts(
  collect: CollectPages,
  plan: SearchPlan,
  options: CollectOptions,
  hosts: readonly string[],
  signal: AbortSignal,
): Promise<IndexedPage[]> {
  const few = { ...options, limit: mostPerHost };
  const isOfWords = options.clauses.some((clause) => isPlainWord(clause) || clause.kind === "phrase");
  const pages: IndexedPage[] = [];
  for (const host of new Set(hosts)) {
    const ofHost = { ...plan, hostGroups: [...plan.hostGroups, [host]], limit: mostPerHost };
    const fitting = plan.anyOf.length === 0 ? [] : await collect(ofHost, few, null, signal);
    const rest = fitting.length > 0 || isOfWords ? [] : await collect({ ...ofHost, anyOf: [] }, few, null, signal);
    pages.push(...[...fitting, ...rest].slice(0, mostPerHost));
  }
  return pages;
}

/** Pages of several lists, those first that rank high in them. */
function fusePages(lists: readonly (readonly IndexedPage[])[]): IndexedPage[] {
  const scores = new Map<number, { page: IndexedPage; score: number }>();
  for (const list of lists) {
    for (const [place, page] of list.entries()) {
      const known = scores.get(page.id) ?? { page, score: 0 };
      scores.set(page.id, { page, score: known.score + 1 / (rankOffset + place) });
    }
  }
  return [...scores.values()].sort((one, other) => other.score - one.score).map(({ page }) => page);
}
