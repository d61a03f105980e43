// Papers from all sources that are asked for them: found by words, looked up by a name, and those related to one.
import { ServiceError } from "../../base/index.ts";
import type { Federation } from "../federation/federation.ts";
import { rankTexts } from "../local-index/rank-texts.ts";
import type { SourceCall } from "../sources/source.ts";
import { joinPapers, type KnownPaper, type RankedPaper, uniquePapers } from "./paper.ts";
import { nameText, type PaperName, paperNames, readPaperName } from "./paper-ids.ts";
import { alexWorks, europeLinks, type PaperQuestion, type PaperSource, paperSources } from "./paper-sources.ts";

/** The open sources that the operator lets be asked. */
export type PaperLibraryDeps = Pick<Federation, "names" | "call" | "signingOf">;

export interface FoundPapers {
  papers: RankedPaper[];
  /** Sources that failed. */
  problems: string[];
}

export interface PaperFilter {
  authors: readonly string[];
  categories: readonly string[];
}

export interface RelatedRequest {
  seed: string;
  anchors: readonly string[];
  intent: string;
  mode: "similar" | "citers" | "references";
  rerank: boolean;
}

export interface RelatedPaper extends RankedPaper {
  signals: { structural: number; semantic: number; articleRank: number; seedOverlap: number };
}

export interface RelatedPapers {
  papers: RelatedPaper[];
  problems: string[];
}

export type { KnownPaper };
export type PaperLibrary = ReturnType<typeof createPaperLibrary>;

/** Of a list of works that are asked for by name. */
const mostNamed = 50;
const round = (value: number) => Math.round(value * 10_000) / 10_000;

export function createPaperLibrary({ names, call, signingOf }: PaperLibraryDeps) {
  const sources = paperSources.filter(({ name }) => names.includes(name));

  async function ask(
    asked: readonly (readonly [PaperSource, SourceCall])[],
    signal: AbortSignal,
  ): Promise<{ lists: KnownPaper[][]; problems: string[]; answered: number }> {
    const problems: string[] = [];
    let answered = 0;
    const lists = await Promise.all(
      asked.map(async ([source, sent]) => {
        const outcome = await call(source.name, sent, signal);
        const papers = outcome.ok ? source.read(outcome.answer) : null;
        if (papers) answered += 1;
        // A source that does not know a paper says so with 404.
        else if (outcome.ok || outcome.code !== "404")
          problems.push(outcome.ok ? `${source.name} answered in an unknown form.` : outcome.problem);
        else answered += 1;
        return papers ?? [];
      }),
    );
    signal.throwIfAborted();
    return { lists, problems, answered };
  }

  function requireAnswers(asked: number, { answered, problems }: { answered: number; problems: string[] }) {
    if (asked > 0 && answered > 0) return;
    const reason = problems.length > 0 ? problems.join(" ") : "No source of papers is asked on this server.";
    throw new ServiceError("SEARCH_UNAVAILABLE", `No source of papers answered. ${reason}`);
  }

  async function search(question: PaperQuestion, filter: PaperFilter, signal: AbortSignal): Promise<FoundPapers> {
    const asked = sources.map((source) => [source, source.search(question, signingOf(source.name))] as const);
    const found = await ask(asked, signal);
    requireAnswers(asked.length, found);
    const papers = uniquePapers(inTurns(found.lists)).filter((paper) => fits(paper, filter, question));
    return { papers: (await rank(question.text, papers)).slice(0, question.count), problems: found.problems };
  }

  /** By any of its names; null when no source knows it, or the text names no paper. */
  async function find(text: string, signal: AbortSignal): Promise<{ paper: KnownPaper; problems: string[] } | null> {
    const name = readPaperName(text);
    if (name === null) return null;
    const found = await lookUp(name, sources, signal);
    const [first] = found.papers;
    if (first === undefined) {
      requireAnswers(sources.length, found);
      return null;
    }
    // A second name may be known to a source that did not know the first.
    const others = sources.filter((source) => !found.told.has(source.name));
    const more = paperNames(first.ids).filter((each) => nameText(each) !== nameText(name));
    const second = await Promise.all(more.map((each) => lookUp(each, others, signal)));
    const papers = uniquePapers([first, ...found.papers.slice(1), ...second.flatMap((each) => each.papers)]);
    const paper = papers.find(({ ids }) => ids[name.kind]?.includes(name.value)) ?? papers[0] ?? first;
    return { paper, problems: found.problems };
  }

  async function lookUp(name: PaperName, among: readonly PaperSource[], signal: AbortSignal) {
    const asked = among.flatMap((source) => {
      const sent = source.find(name, signingOf(source.name));
      return sent ? [[source, sent] as const] : [];
    });
    const { lists, problems, answered } = await ask(asked, signal);
    const told = new Set(asked.filter((_, place) => (lists[place] ?? []).length > 0).map(([source]) => source.name));
    // What was asked for has no other name but this one where the source gives none.
    const named = lists.flat().map((paper) => joinPapers(paper, { ...paper, ids: { [name.kind]: [name.value] } }));
    return { papers: uniquePapers(named), problems, answered, told };
  }

  /** Null when the seed is unknown. */
  async function related(request: RelatedRequest, signal: AbortSignal): Promise<RelatedPapers | null> {
    const found = await find(request.seed, signal);
    if (!found) return null;
    const anchors = await Promise.all(request.anchors.map((each) => find(each, signal)));
    const seeds = [found.paper, ...anchors.flatMap((each) => (each ? [each.paper] : []))];
    const pools = await Promise.all(seeds.map((seed) => poolOf(seed, request, signal)));
    const isSeed = ({ ids }: KnownPaper) =>
      seeds.some((seed) => paperNames(seed.ids).some(({ kind, value }) => ids[kind]?.includes(value)));
    const pool = uniquePapers(pools.flatMap(({ papers }) => papers)).filter((paper) => !isSeed(paper));
    const problems = [...found.problems, ...pools.flatMap((each) => each.problems)];
    return { papers: await order(pool, seeds, request), problems: [...new Set(problems)] };
  }

  /** Papers that may be related, before they are ordered. */
  async function poolOf(seed: KnownPaper, { mode, intent }: RelatedRequest, signal: AbortSignal) {
    const alex = sources.find((source) => source.name === "openalex");
    const europe = sources.find((source) => source.name === "europepmc");
    const signing = signingOf("openalex");
    const asked: (readonly [PaperSource, SourceCall])[] = [];
    const [work] = seed.ids.openalex ?? [];
    const byNames = (works: readonly string[]) =>
      works.length === 0 || !alex
        ? []
        : [[alex, alexWorks(`openalex:${works.slice(0, mostNamed).join("|")}`, mostNamed, signing)] as const];
    if (mode === "citers" && alex && work !== undefined) asked.push([alex, alexWorks(`cites:${work}`, 100, signing)]);
    if (mode === "references") asked.push(...byNames(seed.references));
    if (mode === "similar") {
      asked.push(...byNames([...seed.related, ...seed.references]));
      const question = { text: `${seed.title} ${intent}`.slice(0, 300), count: 25, from: undefined, to: undefined };
      for (const source of sources) asked.push([source, source.search(question, signingOf(source.name))]);
    } else {
      const way = mode === "citers" ? "citations" : "references";
      const links = paperNames(seed.ids).flatMap((name) => europeLinks(name, way) ?? []);
      if (europe) asked.push(...links.slice(0, 1).map((sent) => [europe, sent] as const));
    }
    const { lists, problems } = await ask(asked, signal);
    return { papers: lists.flat(), problems };
  }

  return { search, find, related };
}

async function order(pool: readonly KnownPaper[], seeds: readonly KnownPaper[], { intent, rerank }: RelatedRequest) {
  const ranks = await rankTexts(intent, pool.map(textOf));
  const semantic = new Map(ranks.map(({ index, score }) => [index, score]));
  const mostCited = Math.max(1, ...pool.map(({ citedBy }) => citedBy));
  const relatedWorks = new Set(seeds.flatMap(({ related }) => related));
  const cited = new Set(seeds.flatMap(({ references }) => references));
  const scored = pool.map((paper, index): RelatedPaper => {
    const works = paper.ids.openalex ?? [];
    const shared = paper.references.filter((work) => cited.has(work)).length;
    const overlap = shared / Math.max(1, Math.min(cited.size, paper.references.length || 1));
    const isNamed = works.some((work) => relatedWorks.has(work) || cited.has(work));
    const signals = {
      structural: round(Math.min(1, overlap + (isNamed ? 0.5 : 0))),
      semantic: round(semantic.get(index) ?? 0),
      articleRank: round(Math.log1p(paper.citedBy) / Math.log1p(mostCited) || 0),
      seedOverlap: round(seedOverlap(paper, seeds)),
    };
    const { structural, seedOverlap: common, articleRank } = signals;
    const byLinks = 0.2 * structural + 0.1 * common + 0.02 * articleRank;
    const score = rerank ? signals.semantic + byLinks : signals.semantic * 0.5 + byLinks * 2;
    return { ...paper, signals, score: round(score) };
  });
  return scored.sort((one, other) => other.score - one.score);
}

/** Words of the titles of seeds that are in a paper's. */
function seedOverlap({ title }: KnownPaper, seeds: readonly KnownPaper[]): number {
  const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []);
  const own = wordsOf(title);
  const wanted = wordsOf(seeds.map((seed) => seed.title).join(" "));
  const common = [...wanted].filter((word) => own.has(word)).length;
  return wanted.size === 0 ? 0 : common / wanted.size;
}

async function rank(query: string, papers: readonly KnownPaper[]): Promise<RankedPaper[]> {
  const ranks = await rankTexts(query, papers.map(textOf));
  return ranks.flatMap(({ index, score }) => {
    const paper = papers[index];
    return paper ? [{ ...paper, score: round(score) }] : [];
  });
}

/** The title counts more than the abstract. */
function textOf({ title, abstract }: KnownPaper): string {
  return `${title}. ${title}. ${abstract}`;
}

function fits(
  { authors, categories, created }: KnownPaper,
  wanted: PaperFilter,
  { from = "", to = "9999" }: PaperQuestion,
): boolean {
  const fold = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const own = new Set(categories.map(fold));
  if (!wanted.categories.every((each) => own.has(fold(each)))) return false;
  if (!wanted.authors.every((each) => authors.some((author) => fold(author).includes(fold(each))))) return false;
  // A range leaves out what has no date.
  if (from === "" && to === "9999") return true;
  return created !== "" && created >= from && created <= to;
}

/** The best of every source first, then the second ones. */
function inTurns(lists: readonly (readonly KnownPaper[])[]): KnownPaper[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list[place] ?? [])).flat();
}
