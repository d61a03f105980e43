// Every public method of the official SDK's client.
import { once as onceEvent } from "node:events";
import { Firecrawl } from "../../support/official-sdk.ts";
import { cannot, must, once, type Row, until, withBrowser, works } from "./rows.ts";
import { lampSchema, paper, type World } from "./world.ts";

const ended = ({ status }: { status: string }) => status === "completed";

/** Names of the methods that the object and its classes have; names with an underscore are its own. */
export function methodsOf(object: object): string[] {
  const names = new Set<string>();
  for (let at = object; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (typeof value === "function" && name !== "constructor" && !name.startsWith("_")) names.add(name);
    }
  }
  return [...names];
}

export function sdkV2({ url, key, modelUrl, site }: World): { methods: string[]; rows: Record<string, Row> } {
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own types are not on the path
  const client: any = new Firecrawl({ apiKey: key, apiUrl: url });
  const urls = [`${site}/a`, `${site}/b`];
  const schema = lampSchema;
  const wanted = { urls: [`${site}/lamp`], schema, prompt: "the lamp" };
  const scraped = once(async () => client.scrape(`${site}/a`));
  const scrapeId = once(async () => (await client.scrape(`${site}/lamp`, { maxAge: 0 })).metadata.scrapeId);
  const crawl = once(() => client.startCrawl(site, { limit: 3 }));
  const batch = once(() => client.startBatchScrape(urls));
  const extract = once(() => client.startExtract(wanted));
  const agent = once(() => client.startAgent(wanted));
  const session = once(() => client.browser({ ttl: 120 }));
  const monitor = once(() =>
    client.createMonitor({
      name: "Nets",
      schedule: { text: "daily at 9am" },
      targets: [{ type: "scrape", urls: [urls[0]] }],
    }),
  );
  const check = once(async () => client.runMonitor((await monitor()).id));
  const interacted = once(async () => client.interact(await scrapeId(), { code: "await page.title()", timeout: 120 }));

  const readCrawl = async () => until(async () => client.getCrawlStatus((await crawl()).id), ended);
  const readBatch = async () => until(async () => client.getBatchScrapeStatus((await batch()).id), ended);
  const noErrors = (found: { errors: unknown[] }) => must(found.errors.length === 0, found);
  const threePages = (found: { data: unknown[] }) => must(found.data.length === 3, found);
  const twoPages = (found: { data: unknown[] }) => must(found.data.length === 2, found);
  const hasId = (found: { id?: string }) => must(found.id, found);
  const hasLinks = (found: { links: unknown[] }) => must(found.links.length >= 3, found);
  const isA = (found: { markdown?: string }) => must(found.markdown?.includes("# A"), found);
  const isLamp = (found: { data?: { sku?: string } }) => must(found.data?.sku === "L-1", found);
  const stopped = async (method: string) => {
    // Opens the page's session again when another method has stopped it.
    await client.interact(await scrapeId(), { code: "1", timeout: 120 });
    const found = await client[method](await scrapeId());
    must(found.success, found);
  };
  const cancelled = async (start: Promise<{ id: string }>, method: string) => {
    must((await client[method]((await start).id)) === true, method);
  };

  const rows: Record<string, Row> = {
    isCloudService: works(async () => must(client.isCloudService(url) === false, true)),
    scrape: works(async () => isA(await scraped())),
    scrapeUrl: works(async () => isA(await client.scrapeUrl(urls[0]))),
    findTools: cannot("The tools of the hosted service's partners; this server refuses with 403.", () =>
      client.findTools({ query: "nets" }),
    ),
    interact: withBrowser(async () => must((await interacted()).result === "Desk lamp", await interacted())),
    scrapeExecute: withBrowser(async () => {
      await interacted();
      const found = await client.scrapeExecute(await scrapeId(), { code: "await page.title()", timeout: 120 });
      must(found.success, found);
    }),
    stopInteraction: withBrowser(() => stopped("stopInteraction")),
    stopInteractiveBrowser: withBrowser(() => stopped("stopInteractiveBrowser")),
    deleteScrapeBrowser: withBrowser(() => stopped("deleteScrapeBrowser")),
    parse: works(async () => {
      const found = await client.parse({ data: Buffer.from("<h1>Kept</h1>"), filename: "page.html" });
      must(found.markdown.includes("# Kept"), found);
    }),
    search: works(async () => must((await client.search("nets")).web[0].url === urls[0], "no result")),
    developerSearch: works(async () => {
      const { results, repos } = await client.developerSearch("retry on 502", { repos: ["acme/http"], minStars: 10 });
      must(results[0]?.passages[0]?.text && repos[0]?.indexed, { results, repos });
    }),
    feedback: works(async () => {
      const { metadata } = await scraped();
      must((await client.feedback({ endpoint: "scrape", jobId: metadata.scrapeId, rating: "good" })).success, metadata);
    }),
    searchFeedback: works(async () => {
      const id = await searchIdOf(url, key);
      const found = await client.searchFeedback(id, {
        rating: "good",
        valuableSources: [{ url: urls[0], reason: "it fits" }],
      });
      must(found.success, found);
    }),
    "research.searchPapers": works(async () => {
      const { results } = await client.research.searchPapers("attention", { authors: ["Vaswani"] });
      must(results[0].paperId === paper, results);
    }),
    "research.getPaper": works(async () => {
      const { passages } = await client.research.getPaper(paper, { query: "decoder layers" });
      must(passages[0].text.includes("six identical layers"), passages);
    }),
    "research.similarPapers": works(async () => {
      const { results } = await client.research.similarPapers(paper, { intent: "images", mode: "similar" });
      must(results[0].title === "Attention in images", results);
    }),
    "research.searchGithub": cannot(
      "The endpoint was switched off; the server answers 410 and names the next one.",
      () => client.research.searchGithub("nets"),
    ),
    map: works(async () => hasLinks(await client.map(site))),
    mapUrl: works(async () => hasLinks(await client.mapUrl(site))),
    startCrawl: works(async () => hasId(await crawl())),
    asyncCrawlUrl: works(async () => hasId(await client.asyncCrawlUrl(site, { limit: 1 }))),
    getCrawlStatus: works(async () => threePages(await readCrawl())),
    checkCrawlStatus: works(async () => must((await client.checkCrawlStatus((await crawl()).id)).status, "none")),
    cancelCrawl: works(() => cancelled(client.startCrawl(site, { limit: 3, delay: 60 }), "cancelCrawl")),
    crawl: works(async () => threePages(await client.crawl(site, { limit: 3, pollInterval: 1 }))),
    crawlUrl: works(async () => threePages(await client.crawlUrl(site, { limit: 3, pollInterval: 1 }))),
    getCrawlErrors: works(async () => noErrors(await client.getCrawlErrors((await crawl()).id))),
    checkCrawlErrors: works(async () => noErrors(await client.checkCrawlErrors((await crawl()).id))),
    getActiveCrawls: works(async () => must((await client.getActiveCrawls()).crawls, "none")),
    crawlParamsPreview: works(async () => {
      const found = await new Firecrawl({ apiKey: key, apiUrl: modelUrl }).crawlParamsPreview(site, "only A");
      must(found.includePaths[0] === "^/a$", found);
    }),
    createMonitor: works(async () => hasId(await monitor())),
    listMonitors: works(async () => must(await monitor().then(() => client.listMonitors()), "none")),
    getMonitor: works(async () => hasId(await client.getMonitor((await monitor()).id))),
    updateMonitor: works(async () => {
      const found = await client.updateMonitor((await monitor()).id, { name: "Other" });
      must(found.name === "Other", found);
    }),
    runMonitor: works(async () => hasId(await check())),
    listMonitorChecks: works(async () => {
      const { id } = await check();
      const found = await client.listMonitorChecks((await monitor()).id);
      must(
        found.some((each: { id: string }) => each.id === id),
        found,
      );
    }),
    getMonitorCheck: works(async () => {
      const { id } = await check();
      await until(async () => client.getMonitorCheck((await monitor()).id, id), ended);
    }),
    deleteMonitor: works(async () => {
      const { id } = await client.createMonitor({
        name: "Gone",
        schedule: { text: "daily at 9am" },
        targets: [{ type: "scrape", urls }],
      });
      must(await client.deleteMonitor(id), id);
    }),
    startBatchScrape: works(async () => hasId(await batch())),
    asyncBatchScrapeUrls: works(async () => hasId(await client.asyncBatchScrapeUrls(urls))),
    getBatchScrapeStatus: works(async () => twoPages(await readBatch())),
    checkBatchScrapeStatus: works(async () =>
      must((await client.checkBatchScrapeStatus((await batch()).id)).status, "none"),
    ),
    getBatchScrapeErrors: works(async () => noErrors(await client.getBatchScrapeErrors((await batch()).id))),
    checkBatchScrapeErrors: works(async () => noErrors(await client.checkBatchScrapeErrors((await batch()).id))),
    cancelBatchScrape: works(() => cancelled(client.startBatchScrape([`${site}/slow`]), "cancelBatchScrape")),
    batchScrape: works(async () => twoPages(await client.batchScrape(urls, { pollInterval: 1 }))),
    batchScrapeUrls: works(async () => twoPages(await client.batchScrapeUrls(urls, { pollInterval: 1 }))),
    startExtract: works(async () => hasId(await extract())),
    getExtractStatus: works(async () => {
      isLamp(await until(async () => client.getExtractStatus((await extract()).id), ended));
    }),
    extract: works(async () => isLamp(await client.extract({ ...wanted, pollInterval: 1 }))),
    startAgent: works(async () => hasId(await agent())),
    getAgentStatus: works(async () => {
      isLamp(await until(async () => client.getAgentStatus((await agent()).id), ended));
    }),
    listAgents: works(async () => {
      await agent();
      must((await client.listAgents()).agents.length > 0, "none");
    }),
    agent: works(async () => isLamp(await client.agent({ ...wanted, pollInterval: 1 }))),
    cancelAgent: works(async () => {
      // It may have ended before it is cancelled: then the server says so.
      const { id } = await client.startAgent({ ...wanted, urls: [site] });
      const answer = await client.cancelAgent(id).catch((error: Error) => /already ended/.test(error.message));
      must(answer === true, answer);
    }),
    getAgentTrace: works(async () => must((await client.getAgentTrace((await agent()).id)).events, "none")),
    getAgentSnapshot: works(async () => {
      const { id } = await agent();
      await until(() => client.getAgentStatus(id), ended);
      const { events } = await client.getAgentTrace(id);
      const { artifact } = events.find(({ type }: { type: string }) => type === "artifact.updated");
      const { snapshot } = await client.getAgentSnapshot(id, artifact.snapshotId);
      must(JSON.parse(snapshot), snapshot);
    }),
    getAgentThread: works(async () => {
      const { threadId } = await agent();
      must(await client.getAgentThread(threadId), threadId);
    }),
    browser: withBrowser(async () => hasId(await session())),
    listBrowsers: withBrowser(async () => {
      const { id } = await session();
      const { sessions } = await client.listBrowsers();
      must(
        sessions.some((each: { id: string }) => each.id === id),
        sessions,
      );
    }),
    browserExecute: withBrowser(async () => {
      const found = await client.browserExecute((await session()).id, { code: "1 + 1", language: "node" });
      must(found.result === "2", found);
    }),
    deleteBrowser: withBrowser(async () => {
      const { id } = await session();
      must((await client.deleteBrowser(id)).success, id);
    }),
    getConcurrency: works(async () => must((await client.getConcurrency()).maxConcurrency > 0, "none")),
    getCreditUsage: works(async () => must("remainingCredits" in (await client.getCreditUsage()), "none")),
    getTokenUsage: works(async () => must("remainingTokens" in (await client.getTokenUsage()), "none")),
    getCreditUsageHistorical: works(async () => must((await client.getCreditUsageHistorical()).periods, "none")),
    getTokenUsageHistorical: works(async () => must((await client.getTokenUsageHistorical()).periods, "none")),
    getQueueStatus: works(async () => must((await client.getQueueStatus()).success, "none")),
    watcher: works(async () => {
      const watcher = client.watcher((await client.startCrawl(site, { limit: 3 })).id, {
        pollInterval: 1,
        timeout: 60,
      });
      const done = onceEvent(watcher, "done");
      await watcher.start();
      const [state] = await done;
      must(ended(state), state);
      watcher.close();
    }),
  };
  const research = methodsOf(client.research).map((name) => `research.${name}`);
  return { methods: [...methodsOf(client), ...research], rows };
}

/** The SDK's own search keeps the id to itself. */
async function searchIdOf(url: string, key: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ query: "other nets" });
  const response = await fetch(`${url}/v2/search`, { method: "POST", headers, body });
  return ((await response.json()) as { id: string }).id;
}
