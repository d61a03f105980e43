// The clients that are too large for every run of the tests: LangChain's loader, the tools for the Vercel AI SDK, n8n's node.
// `npm run prove -- compatibility` installs them in a folder of their own.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { vi } from "vitest";
import { idOf } from "./mcp.ts";
import { type Answer, cannot, must, once, type Row, until, withBrowser, works } from "./rows.ts";
import { lampSchema, type World } from "./world.ts";

const folder = join(import.meta.dirname, "../large");
/** Their own package.json installs them, so that nothing here knows them. */
const installed = createRequire(join(folder, "package.json"));
const load = async (name: string): Promise<Answer> => import(pathToFileURL(installed.resolve(name)).href);

export async function largeVersionOf(name: string): Promise<string> {
  return JSON.parse(await readFile(join(folder, "node_modules", name, "package.json"), "utf8")).version;
}

interface Made {
  methods: string[];
  rows: Record<string, Row>;
}

const holds = (found: Answer, words: string) => must(JSON.stringify(found)?.includes(words), found);
const ended = ({ status }: { status: string }) => status === "completed";
/** n8n's node answers some jobs as they are and others inside of `data`. */
const jobOf = (found: Answer) => (typeof found.status === "string" ? found : found.data);

export async function langchainLoader({ url, key, site }: World): Promise<Made> {
  const { FireCrawlLoader } = await load("@langchain/community/document_loaders/web/firecrawl");
  const read = (mode: string) => new FireCrawlLoader({ url: `${site}/a`, apiKey: key, apiUrl: url, mode }).load();
  const lost = "It expects `success` in the result of the SDK that it uses, which never has that field.";
  const rows = {
    'mode "scrape"': works(async () => {
      const [page] = await read("scrape");
      must(page.pageContent.includes("# A") && page.metadata.title === "A", page);
    }),
    'mode "crawl"': cannot(lost, () => read("crawl")),
    'mode "map"': cannot(lost, () => read("map")),
  };
  return { methods: Object.keys(rows), rows };
}

/** Called as a model calls them: through `execute` of each tool. */
export async function aiSdkTools({ url, key, site }: World): Promise<Made> {
  // The tools that wait for jobs take the server from here.
  vi.stubEnv("FIRECRAWL_API_URL", url);
  vi.stubEnv("FIRECRAWL_API_KEY", key);
  const place = pathToFileURL(join(folder, "node_modules/firecrawl-aisdk/dist/index.js"));
  const { FirecrawlTools } = (await import(place.href)) as Answer;
  const { systemPrompt: _, ...tools } = FirecrawlTools({ apiKey: key, apiUrl: url, all: true, browser: {} });
  const call = (name: string, args: object) => tools[name].execute(args, { toolCallId: "1", messages: [] });
  const ofAgents = "poll and status of an agent";
  const elsewhere = "The URL of the hosted service is built in.";
  const rows: Record<string, Row> = {
    search: works(async () => holds(await call("search", { query: "nets" }), `${site}/a`)),
    scrape: works(async () => holds(await call("scrape", { url: `${site}/a`, formats: ["markdown"] }), "# A")),
    interact: withBrowser(async () => {
      const args = { url: `${site}/lamp`, code: "await page.title()", language: "node", timeout: 120 };
      holds(await call("interact", args), "Desk lamp");
      await tools["interact"].close();
    }),
    browser: withBrowser(async () => {
      holds(
        await call("browser", { command: `agent-browser open ${site}/lamp && agent-browser get title` }),
        "Desk lamp",
      );
      await tools["browser"].close();
    }),
    map: works(async () => holds(await call("map", { url: site }), `${site}/b`)),
    crawl: works(async () => must(idOf(await call("crawl", { url: site, limit: 3 })), "none")),
    batchScrape: works(async () => holds(await call("batchScrape", { urls: [`${site}/a`], pollInterval: 1 }), "# A")),
    agent: works(async () =>
      must(idOf(await call("agent", { prompt: "the lamp", urls: [`${site}/lamp`], schema: lampSchema })), "none"),
    ),
    poll: works(async () => {
      const jobId = await startedCrawl(url, key, site);
      holds(await call("poll", { jobId, jobType: "crawl", pollInterval: 1 }), "completed");
    }),
    [ofAgents]: cannot(elsewhere),
    status: works(async () => {
      const id = await startedCrawl(url, key, site);
      await until(() => call("status", { id, jobType: "crawl" }), ended);
    }),
    cancel: works(async () => {
      const jobId = await startedCrawl(url, key, `${site}/slow`);
      const found = await call("cancel", { jobId, jobType: "crawl" });
      must(found.success, found);
    }),
  };
  return { methods: [...Object.keys(tools), ofAgents], rows };
}

async function startedCrawl(url: string, key: string, start: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ url: start, limit: 3 });
  const response = await fetch(`${url}/v2/crawl`, { method: "POST", headers, body });
  return ((await response.json()) as { id: string }).id;
}

/** n8n's own engine runs the node; only its vault of credentials is stood in for. */
export async function n8nNode({ url, modelUrl, key, site }: World, home: string): Promise<Made> {
  vi.stubEnv("N8N_USER_FOLDER", home);
  const { ExecuteContext, RoutingNode } = installed("n8n-core");
  const { createRunExecutionData, Workflow } = installed("n8n-workflow");
  const { Firecrawl } = installed("@mendable/n8n-nodes-firecrawl/dist/nodes/Firecrawl/Firecrawl.node.js");
  const { FirecrawlApi } = installed("@mendable/n8n-nodes-firecrawl/dist/credentials/FirecrawlApi.credentials.js");
  const type = new Firecrawl();
  const { authenticate, test: credentialTest } = new FirecrawlApi();
  const own = "http://n8n.test/";
  const urls = { webhookBaseUrl: own, webhookWaitingBaseUrl: own, formBaseUrl: own, formWaitingBaseUrl: own };

  const vault = (server: string) => ({
    getParentTypes: () => [],
    isCredentialUsableByNode: () => true,
    getDecrypted: async () => ({ baseUrl: `${server}/v2`, apiKey: key }),
    preAuthentication: async () => undefined,
    authenticate: async ({ apiKey }: { apiKey: string }, _type: string, request: { headers: object }) => {
      const written: string = authenticate.properties.headers.Authorization;
      const Authorization = written.replace("=", "").replace("{{$credentials.apiKey}}", apiKey);
      return { ...request, headers: { ...request.headers, Authorization } };
    },
  });

  async function run(resource: string, operation: string, parameters: object = {}, server = url): Promise<Answer> {
    const credentials = { firecrawlApi: { id: "1", name: "Trawl" } };
    const node = { id: "1", name: "Firecrawl", type: "firecrawl", typeVersion: 1, position: [0, 0], credentials };
    const nodes = [{ ...node, parameters: { resource, operation, ...parameters } }];
    const nodeTypes = { getByName: () => type, getByNameAndVersion: () => type, getKnownTypes: () => ({}) };
    const workflow = new Workflow({ id: "1", nodes, connections: {}, active: false, nodeTypes });
    const items = [{ json: {} }];
    const data = { main: [items] };
    const placed = workflow.nodes["Firecrawl"];
    const more = {
      credentialsHelper: vault(server),
      executionId: "1",
      variables: {},
      setExecutionStatus() {},
      ...urls,
    };
    const execution = { data, node: placed, source: null };
    const state = createRunExecutionData({});
    const context = new ExecuteContext(workflow, placed, more, "manual", state, 0, items, data, execution, []);
    await workflow.expression.acquireIsolate?.();
    try {
      const [[result]] = await new RoutingNode(context, type).runNode();
      return result.json;
    } catch (error) {
      const said = (error as { context?: { data?: object } }).context?.data;
      throw said ? new Error(`${(error as Error).message}: ${JSON.stringify(said)}`) : error;
    }
  }

  const wanted = { urls: `${site}/lamp`, specifyUrls: true, schemaType: "manual", schema: JSON.stringify(lampSchema) };
  const scraped = once(async () => (await run("Scraping", "scrape", { url: `${site}/lamp` })).data);
  const scrapeId = async (): Promise<string> => (await scraped()).metadata.scrapeId;
  const batch = once(() => run("Scraping", "batchScrape", { urls: `${site}/a,${site}/b` }));
  const crawl = once(() => run("Crawling", "crawl", { url: site, limit: 3 }));
  const agent = once(() => run("Agent", "agentAsync", { prompt: "the lamp", ...wanted }));
  const extract = once(() =>
    run("Extract", "extract", { urls: { items: [{ url: `${site}/lamp` }] }, schema: JSON.stringify(lampSchema) }),
  );
  const session = once(() => run("Browser", "browserCreate", { ttl: 120 }));
  const interacted = once(async () => {
    const words = { interactMode: "code", code: "await page.title()", timeout: 120 };
    return run("Interact", "interact", { scrapeId: await scrapeId(), ...words });
  });
  const rows: Record<string, Row> = {
    "Scraping scrape": works(async () => holds(await scraped(), "Desk lamp")),
    "Scraping batchScrape": works(async () => must(idOf(await batch()), await batch())),
    "Scraping batchScrapeStatus": works(async () => {
      const batchId = idOf(await batch());
      const found = await until(async () => jobOf(await run("Scraping", "batchScrapeStatus", { batchId })), ended);
      must(found.data.length === 2, found);
    }),
    "Scraping batchScrapeErrors": works(async () =>
      must((await run("Scraping", "batchScrapeErrors", { batchId: idOf(await batch()) })).errors, "none"),
    ),
    "Scraping cancelBatchScrape": works(async () => {
      const batchId = idOf(await run("Scraping", "batchScrape", { urls: `${site}/slow` }));
      holds(await run("Scraping", "cancelBatchScrape", { batchId }), "cancelled");
    }),
    "Crawling crawl": works(async () => must(idOf(await crawl()), await crawl())),
    "Crawling getCrawlStatus": works(async () => {
      const crawlId = idOf(await crawl());
      const found = await until(async () => jobOf(await run("Crawling", "getCrawlStatus", { crawlId })), ended);
      must(found.data.length === 3, found);
    }),
    "Crawling cancelCrawl": works(async () => {
      const crawlId = idOf(await run("Crawling", "crawl", { url: `${site}/slow`, limit: 1 }));
      holds(await run("Crawling", "cancelCrawl", { crawlId }), "cancelled");
    }),
    "Crawling getCrawlErrors": works(async () =>
      must((await run("Crawling", "getCrawlErrors", { crawlId: idOf(await crawl()) })).errors, "none"),
    ),
    "Crawling crawlActive": works(async () => must((await run("Crawling", "crawlActive")).crawls, "none")),
    "Crawling crawlParamsPreview": cannot("It sends GET, which the API does not have there.", () =>
      run("Crawling", "crawlParamsPreview", { url: site, prompt: "only A" }, modelUrl),
    ),
    "Agent agent": works(async () => holds(await run("Agent", "agent", { prompt: "the lamp", ...wanted }), "L-1")),
    "Agent agentAsync": works(async () => must(idOf(await agent()), await agent())),
    "Agent getAgentStatus": works(async () => {
      const agentId = idOf(await agent());
      holds(await until(async () => jobOf(await run("Agent", "getAgentStatus", { agentId })), ended), "L-1");
    }),
    "MapSearch map": works(async () => holds(await run("MapSearch", "map", { url: site }), `${site}/b`)),
    "MapSearch search": works(async () => holds(await run("MapSearch", "search", { query: "nets" }), `${site}/a`)),
    "Browser browserContext": works(async () => must(await run("Browser", "browserContext"), "none")),
    "Browser browserCreate": withBrowser(async () => must(idOf(await session()), await session())),
    "Browser browserExecute": withBrowser(async () => {
      const found = await run("Browser", "browserExecute", { sessionId: idOf(await session()), code: "1 + 1" });
      must(found.result === "2", found);
    }),
    "Browser browserList": withBrowser(async () => {
      const id = idOf(await session());
      holds(await run("Browser", "browserList"), id);
    }),
    "Browser browserDelete": withBrowser(async () => {
      const sessionId = idOf(await run("Browser", "browserCreate", { ttl: 60 }));
      must((await run("Browser", "browserDelete", { sessionId })).success, sessionId);
    }),
    "Interact interactContext": works(async () => must(await run("Interact", "interactContext"), "none")),
    "Interact interact": withBrowser(async () => holds(await interacted(), "Desk lamp")),
    "Interact interactStop": withBrowser(async () => {
      await interacted();
      must((await run("Interact", "interactStop", { scrapeId: await scrapeId() })).success, "none");
    }),
    "Account teamCreditUsage": works(async () => {
      must(credentialTest.request.url === "/team/credit-usage", credentialTest);
      holds(await run("Account", "teamCreditUsage"), "remainingCredits");
    }),
    "Account creditUsageHistorical": works(async () =>
      must((await run("Account", "creditUsageHistorical")).periods, "none"),
    ),
    "Account teamTokenUsage": works(async () => holds(await run("Account", "teamTokenUsage"), "remainingTokens")),
    "Account teamTokenUsageHistorical": works(async () =>
      must((await run("Account", "teamTokenUsageHistorical")).periods, "none"),
    ),
    "Account teamQueueStatus": works(async () => holds(await run("Account", "teamQueueStatus"), "maxConcurrency")),
    "Extract extract": works(async () => must(idOf(await extract()), await extract())),
    "Extract getExtractStatus": works(async () => {
      const extractId = idOf(await extract());
      holds(await until(async () => jobOf(await run("Extract", "getExtractStatus", { extractId })), ended), "L-1");
    }),
  };
  const methods = type.description.properties.flatMap(({ name, options, displayOptions }: Answer) =>
    name === "operation" && Array.isArray(options)
      ? options.map(({ value }) => `${displayOptions.show.resource[0]} ${value}`)
      : [],
  );
  return { methods, rows };
}
