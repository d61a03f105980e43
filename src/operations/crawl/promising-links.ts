// Which links a crawl with a search reads first: those whose URL and words answer to it, and those on pages that do.
import type { Outlink } from "../../content/index.ts";
import type { Document } from "../../contract/index.ts";
import type { ScoreLink } from "../../discovery/index.ts";
import type { NewTask } from "../../jobs/index.ts";
import { loadDiscovery } from "../../reach/index.ts";
import type { CrawlStep } from "./crawl-step.ts";

/** What a link's own words count, and those of the page that it is on. */
const linkWeight = 0.75;
const pageWeight = 0.25;
/** Orders of pages, the most promising first. */
const orders = 1000;
/** The beginning of a page says what it is about. */
const readLength = 1000;

export interface LinkingPage {
  document: Pick<Document, "metadata" | "markdown">;
  links: readonly Outlink[];
}

/** `page`: where the links are; null where only their URLs are known. The tasks as they are when nothing is looked for. */
export async function orderByPromise(
  { context, crawl }: CrawlStep,
  found: readonly NewTask[],
  page: LinkingPage | null,
): Promise<NewTask[]> {
  if (crawl.search === undefined) return [...found];
  const { createLinkScorer } = await loadDiscovery();
  context.scoreLink ??= createLinkScorer(crawl.search);
  const { scoreLink } = context;
  if (scoreLink === null) return [...found];
  const ofPage = page === null ? 0 : scorePage(scoreLink, page.document);
  const texts = new Map(page?.links.map(({ url, text }) => [url, text]));
  return found.map((task) => {
    if (task.kind !== "page") return task;
    const text = texts.get(task.url);
    const ofLink = scoreLink(text ? { url: task.url, anchors: [text] } : { url: task.url });
    return { ...task, order: Math.round(orders * (1 - linkWeight * ofLink - pageWeight * ofPage)) };
  });
}

function scorePage(scoreLink: ScoreLink, { metadata, markdown }: LinkingPage["document"]): number {
  const { url = "", title } = metadata;
  return scoreLink({ url, title, description: markdown?.slice(0, readLength) });
}
