// Papers of open sources: searched, looked up, related to one another. Requests are free and counted.
import type { Caller } from "../../accounts/index.ts";
import { newId, ServiceError } from "../../base/index.ts";
import { type OperationInput, type OperationOutput, scrapeOptions } from "../../contract/index.ts";
import type { KnownPaper, PaperLibrary } from "../../search/index.ts";
import { type OperationParts, warningOf } from "../parts/operation-parts.ts";

type SearchInput = OperationInput<"searchPapers">;
type PaperInput = OperationInput<"readPaper">;
type SimilarInput = OperationInput<"listSimilarPapers">;

const usualPassages = 4;

export function createPaperOperations(parts: OperationParts) {
  const { activity, clock, openSources, openResultTexts } = parts;

  async function openLibrary(): Promise<PaperLibrary> {
    const sources = await openSources();
    if (sources === null)
      throw new ServiceError("SEARCH_UNAVAILABLE", "No source of papers is asked: open sources are off (OPEN_SEARCH).");
    // Loaded with the first search, as everything about it.
    return (await import("../../search/index.ts")).createPaperLibrary(sources);
  }

  /** Every request is one row, failures included. */
  async function listed<Answer>(caller: Caller, target: string, work: () => Promise<Answer>): Promise<Answer> {
    const createdAt = clock.now();
    const note = { id: newId(createdAt), endpoint: "search", target, createdAt };
    try {
      const answer = await work();
      await activity.note(caller, note, { credits: 0, endedAt: clock.now() });
      return answer;
    } catch (error) {
      await activity.note(caller, note, { error, endedAt: clock.now() });
      throw error;
    }
  }

  async function findPaper(id: string, signal: AbortSignal) {
    const found = await (await openLibrary()).find(id, signal);
    if (!found) throw new ServiceError("PAPER_NOT_FOUND");
    return found;
  }

  /** The text of the paper itself; "" where no source has it. */
  async function bodyOf({ ids }: KnownPaper, caller: Caller, signal: AbortSignal): Promise<string> {
    const sources = await openSources();
    const [pmcid] = ids.pmcid ?? [];
    if (sources && pmcid !== undefined) {
      const sent = { path: `/${pmcid}/fullTextXML`, answers: "xml" as const };
      const called = await sources.call("europepmc", sent, signal);
      const tree = called.ok ? called.answer.tree : null;
      const paragraphs = tree?.all("body p").map((each) => tree.textOf(each).replace(/\s+/g, " ")) ?? [];
      if (paragraphs.length > 0) return paragraphs.join("\n\n");
    }
    const [arxiv] = ids.arxiv ?? [];
    if (!sources || arxiv === undefined) return "";
    const options = scrapeOptions.parse({ formats: [], parsers: ["pdf"] });
    const readText = openResultTexts({ teamId: caller.teamId, options }, signal);
    const page = await readText(`${sources.baseOf("arxiv")}/pdf/${arxiv}`);
    return page?.text ?? "";
  }

  async function passagesOf(paper: KnownPaper, query: string, k: number, caller: Caller, signal: AbortSignal) {
    // Loaded with the first search, as everything about it.
    const { rankPassages } = await import("../../search/index.ts");
    const body = await bodyOf(paper, caller, signal);
    const isWhole = body.trim() !== "";
    const best = await rankPassages(query, [isWhole ? body : paper.abstract], { every: !isWhole });
    return {
      passages: best.slice(0, k).map(({ text, score }) => ({ text, score })),
      warning: isWhole ? null : "No source has the text of the paper: the passages are from its abstract.",
    };
  }

  return {
    searchPapers(
      { query, k, authors, categories, from, to }: SearchInput,
      caller: Caller,
      signal: AbortSignal,
    ): Promise<OperationOutput<"searchPapers">> {
      return listed(caller, query, async () => {
        const library = await openLibrary();
        const { papers, problems } = await library.search(
          { text: query, count: k, from, to },
          { authors, categories },
          signal,
        );
        return { success: true, results: papers.map((paper) => resultOf(paper)), ...warningOf(problems) };
      });
    },

    readPaper({ id, query, k = usualPassages }: PaperInput, caller: Caller, signal: AbortSignal) {
      return listed(caller, id, async (): Promise<OperationOutput<"readPaper">> => {
        const { paper, problems } = await findPaper(id, signal);
        const shown = { success: true as const, paper: paperOf(paper) };
        if (query === undefined) return { ...shown, ...warningOf(problems) };
        const { passages, warning } = await passagesOf(paper, query, k, caller, signal);
        return { ...shown, paperId: shown.paper.paperId, query, passages, ...warningOf([warning, ...problems]) };
      });
    },

    listSimilarPapers({ id, k, anchor: anchors, ...asked }: SimilarInput, caller: Caller, signal: AbortSignal) {
      return listed(caller, id, async (): Promise<OperationOutput<"listSimilarPapers">> => {
        const library = await openLibrary();
        const related = await library.related({ seed: id, anchors, ...asked }, signal);
        if (!related) throw new ServiceError("PAPER_NOT_FOUND");
        const { papers, problems } = related;
        const results = papers.slice(0, k).map((paper) => ({ ...resultOf(paper), signals: paper.signals }));
        const note = results.length === 0 ? "No source knows papers that are related to this one." : null;
        const size = { poolSize: papers.length, truncated: papers.length > k };
        return { success: true, results, ...size, note, ...warningOf(problems) };
      });
    },
  };
}

function paperOf({ ids, title, abstract, authors, categories, created, updated }: KnownPaper) {
  return {
    paperId: primaryId(ids),
    ids,
    title,
    abstract,
    ...(authors.length > 0 ? { authors: authors.join(", ") } : {}),
    ...(categories.length > 0 ? { categories: [...categories] } : {}),
    ...(created === "" ? {} : { createdDate: created }),
    ...(updated === "" ? {} : { updateDate: updated }),
  };
}

function resultOf({ ids, title, abstract, score }: KnownPaper & { score: number }) {
  const paperId = primaryId(ids);
  return { paperId, primaryId: paperId, ids, title, abstract, score };
}

/** Under which a paper is shown, in this order. */
function primaryId(ids: KnownPaper["ids"]): string {
  const kinds = ["arxiv", "pmid", "doi", "pmcid", "openalex"] as const;
  const kind = kinds.find((each) => ids[each]?.[0] !== undefined);
  return kind === undefined ? "" : `${kind}:${ids[kind]?.[0]}`;
}
