// Every public method of the official SDK's object for v1.
import { Firecrawl } from "../../support/official-sdk.ts";
import { must, once, type Row, until, works } from "./rows.ts";
import { methodsOf } from "./sdk-v2.ts";
import { lampSchema, type World } from "./world.ts";

/** Methods that carry requests, which the others are made of. */
const carriers = [
  ...["init", "prepareHeaders", "postRequest", "getRequest", "deleteRequest", "monitorJobStatus"],
  ...["isRetryableError", "handleError"],
];

interface Watcher extends EventTarget {
  close(): void;
}

export function sdkV1({ url, key, site }: World): { methods: string[]; rows: Record<string, Row> } {
  const { v1 } = new Firecrawl({ apiKey: key, apiUrl: url });
  const urls = [`${site}/a`, `${site}/b`];
  const crawl = once(() => v1.asyncCrawlUrl(site, { limit: 3 }));
  const batch = once(() => v1.asyncBatchScrapeUrls(urls, {}));
  const extract = once(() => v1.asyncExtract([`${site}/lamp`], { schema: lampSchema, prompt: "the lamp" }));
  const pages = (found: { data: unknown[] }, count: number) => must(found.data.length === count, found);
  const ended = ({ status }: { status: string }) => status === "completed";
  const noErrors = (found: { errors: unknown[] }) => must(found.errors.length === 0, found);
  const sku = (found: { data?: { sku?: string } }) => must(found.data?.sku === "L-1", found);
  const research = once(() => v1.asyncDeepResearch("the text of A", { maxUrls: 2 }));
  const llmsText = once(() => v1.asyncGenerateLLMsText(site, { maxUrls: 3 }));
  const analysed = (found: { status?: string; sources?: unknown[] }) =>
    must(found.status === "completed" && found.sources?.length, found);
  const listed = (found: { data?: { llmstxt?: string } }) => must(found.data?.llmstxt?.includes(`(${urls[0]})`), found);
  const watched = async (start: Promise<Watcher>) => {
    const watcher = await start;
    await new Promise((done, failed) => {
      watcher.addEventListener("done", done);
      watcher.addEventListener("error", failed);
    });
    watcher.close();
  };
  const rows: Record<string, Row> = {
    isCloudService: works(async () => must(v1.isCloudService(url) === false, true)),
    getVersion: works(async () => must(await v1.getVersion(), "none")),
    scrapeUrl: works(async () => must((await v1.scrapeUrl(urls[0], {})).markdown.includes("# A"), "no text")),
    search: works(async () => must((await v1.search("nets", {})).data[0].url === urls[0], "no result")),
    crawlUrl: works(async () => pages(await v1.crawlUrl(site, { limit: 3 }, 1), 3)),
    asyncCrawlUrl: works(async () => must((await crawl()).id, "none")),
    checkCrawlStatus: works(async () =>
      pages(await until(async () => v1.checkCrawlStatus((await crawl()).id), ended), 3),
    ),
    checkCrawlErrors: works(async () => noErrors(await v1.checkCrawlErrors((await crawl()).id))),
    cancelCrawl: works(async () => {
      const { id: slow } = await v1.asyncCrawlUrl(site, { limit: 3, delay: 60 });
      const found = await v1.cancelCrawl(slow);
      must(found.status === "cancelled", found);
    }),
    crawlUrlAndWatch: works(() => watched(v1.crawlUrlAndWatch(site, { limit: 3 }))),
    mapUrl: works(async () => must((await v1.mapUrl(site, {})).links.length >= 3, "none")),
    batchScrapeUrls: works(async () => pages(await v1.batchScrapeUrls(urls, {}, 1), 2)),
    asyncBatchScrapeUrls: works(async () => must((await batch()).id, "none")),
    batchScrapeUrlsAndWatch: works(() => watched(v1.batchScrapeUrlsAndWatch(urls, {}))),
    checkBatchScrapeStatus: works(async () =>
      pages(await until(async () => v1.checkBatchScrapeStatus((await batch()).id), ended), 2),
    ),
    checkBatchScrapeErrors: works(async () => noErrors(await v1.checkBatchScrapeErrors((await batch()).id))),
    extract: works(async () => sku(await v1.extract([`${site}/lamp`], { schema: lampSchema, prompt: "the lamp" }))),
    asyncExtract: works(async () => must((await extract()).id, "none")),
    getExtractStatus: works(async () => sku(await until(async () => v1.getExtractStatus((await extract()).id), ended))),
    deepResearch: works(async () => analysed(await v1.deepResearch("the text of A", { maxUrls: 2 }))),
    asyncDeepResearch: works(async () => must((await research()).id, "none")),
    checkDeepResearchStatus: works(async () =>
      analysed(await until(async () => v1.checkDeepResearchStatus((await research()).id), ended)),
    ),
    generateLLMsText: works(async () => listed(await v1.generateLLMsText(site, { maxUrls: 3 }))),
    asyncGenerateLLMsText: works(async () => must((await llmsText()).id, "none")),
    checkGenerateLLMsTextStatus: works(async () =>
      listed(await until(async () => v1.checkGenerateLLMsTextStatus((await llmsText()).id), ended)),
    ),
    getQueueStatus: works(async () => must((await v1.getQueueStatus()).success, "none")),
    getCreditUsage: works(async () => must("remaining_credits" in (await v1.getCreditUsage()).data, "none")),
    getTokenUsage: works(async () => must("remaining_tokens" in (await v1.getTokenUsage()).data, "none")),
    getCreditUsageHistorical: works(async () => must((await v1.getCreditUsageHistorical()).periods, "none")),
    getTokenUsageHistorical: works(async () => must((await v1.getTokenUsageHistorical()).periods, "none")),
  };
  return { methods: methodsOf(v1).filter((name) => !carriers.includes(name)), rows };
}
