// What a program that works for a language model might do next, judged by an answer. Nothing of a page is in it but its URLs.
import type { Document, OperationOutput } from "../../contract/index.ts";
import type { OperationParts } from "./operation-parts.ts";

/** Names paths of the API, or tools of its MCP server. */
export type HintStyle = "paths" | "tools";

type Answer = Partial<OperationOutput<"search">> | Partial<OperationOutput<"scrape">> | Partial<OperationOutput<"map">>;

interface HintNames {
  search: string;
  scrape: string;
  map: string;
  crawl: string;
  interact(scrapeId: string): string;
}

const namesOf: Record<HintStyle, HintNames> = {
  paths: {
    search: "POST /v2/search",
    scrape: "POST /v2/scrape",
    map: "POST /v2/map",
    crawl: "POST /v2/crawl",
    interact: (scrapeId) => `POST /v2/scrape/${scrapeId}/interact`,
  },
  tools: {
    search: "firecrawl_search",
    scrape: "firecrawl_scrape",
    map: "firecrawl_map",
    crawl: "firecrawl_crawl",
    interact: (scrapeId) => `firecrawl_interact with the scrapeId ${scrapeId}`,
  },
};

const fewCredits = 100;
/** Results of one origin from which on its site is worth reading. */
const manyOfOneOrigin = 3;

interface HintDeps {
  credits: Pick<OperationParts["credits"], "readBalance">;
  browser: Pick<OperationParts["browser"], "status">;
}

export function createAgentHints({ credits, browser }: HintDeps) {
  return async (answer: Answer, teamId: string, style: HintStyle): Promise<string[]> => {
    const names = namesOf[style];
    const data = "data" in answer ? answer.data : undefined;
    const own = data === undefined ? null : "metadata" in data ? pageHint(data, names) : resultHint(data, names);
    const { remainingCredits } = await credits.readBalance(teamId);
    const low = `Only ${remainingCredits} credits are left this month: prefer requests that read few pages.`;
    return [...(own === null ? [] : [own]), ...(remainingCredits < fewCredits ? [low] : [])];
  };

  function pageHint({ metadata }: Document, names: HintNames): string | null {
    const { statusCode, scrapeId, numPages, totalPages, relations } = metadata;
    if (statusCode === 404 || statusCode === 410)
      return `The page does not exist (${statusCode}). Look for its present URL with ${names.search}.`;
    if (statusCode === 401 && scrapeId !== undefined && browser.status().available)
      return `The page asks for a login. Sign in with ${names.interact(scrapeId)}.`;
    if (numPages !== undefined && totalPages !== undefined && numPages < totalPages)
      return `Only ${numPages} of ${totalPages} pages were read. For all of them send {"type":"pdf","maxPages":${totalPages}} in parsers.`;
    return relations?.next === undefined
      ? null
      : `The content goes on at ${relations.next}. Read it with ${names.scrape}.`;
  }
}

function resultHint({ web }: NonNullable<OperationOutput<"search">["data"]>, names: HintNames): string | null {
  if (web === undefined) return null;
  if (web.length === 0) return `Nothing was found. Call ${names.search} again with other or fewer words.`;
  if (web.every(({ metadata }) => metadata === undefined))
    return `The results have no page content. Read those that matter with ${names.scrape}, or send scrapeOptions.formats.`;
  const origins = web.flatMap(({ url }) => (URL.canParse(url) ? [new URL(url).origin] : []));
  const many = origins.find((origin) => origins.filter((one) => one === origin).length >= manyOfOneOrigin);
  return many === undefined
    ? null
    : `${manyOfOneOrigin} or more results are pages of ${many}. List its pages with ${names.map}, or read them with ${names.crawl}.`;
}
