// The tools, one row each: what a model reads when it chooses, which fields of the request it sees, and what is done.
import type { FinishedJob, Trawl } from "../client/index.ts";
import { monitorTools } from "./monitor-tools.ts";
import { type McpTool, pageOptions, type ToolCall } from "./tool.ts";

const reading = { readOnly: true, openWorld: true, idempotent: true, isWebContent: true } as const;
const ownData = { readOnly: true, openWorld: false, idempotent: true, isWebContent: false } as const;
export const mcpTools: readonly McpTool[] = [
  {
    ...reading,
    name: "scrape",
    title: "Read one page",
    description: `Read one page or file (HTML, PDF, office file …) as clean markdown or in other formats.
Use it when you know the URL. Not for many pages (batch_scrape, crawl) and not to find pages (search, map).
For single values prefer formats [{"type":"json","schema":{…}}] over the whole text.
Example: {"url":"https://example.com","formats":["markdown"]}`,
    operation: "scrape",
    shows: ["url", ...pageOptions, "actions", "mobile", "proxy"],
    required: ["url"],
    run: async ({ client, args, signal }) => documentOf(await client.scrape(args as never, { signal })),
  },
  {
    ...reading,
    name: "batch_scrape",
    title: "Read several pages",
    description: `Read several pages whose URLs you know, and wait for all of them.
Not for one page (scrape) and not to follow links (crawl).
Example: {"urls":["https://example.com/a","https://example.com/b"],"formats":["markdown"]}`,
    operation: "startBatch",
    shows: ["urls", ...pageOptions],
    required: ["urls"],
    run: async ({ client, args, signal, onProgress }) =>
      statusOf(await client.batchScrape(args as never, watching(signal, onProgress))),
  },
  {
    ...reading,
    name: "map",
    title: "List the URLs of a site",
    description: `List the URLs of a site, best matches first when search is given. Fast and cheap.
Use it to find the right page of a known site before scrape. Not to search the whole web (search) and not to read (crawl).
Example: {"url":"https://example.com","search":"pricing","limit":20}`,
    operation: "map",
    shows: ["url", "search", "sitemap", "includeSubdomains", "ignoreQueryParameters", "limit"],
    required: ["url"],
    run: ({ client, args, signal }) => client.map(args as never, { signal }),
  },
  {
    ...reading,
    name: "search",
    title: "Search the web",
    description: `Search the web and the pages that were read before. With scrapeOptions.formats each result is read, too.
Use it when you do not know which site has the answer. Not when you have the URL (scrape) or the site (map).
Operators: "exact", -word, site:, inurl:, intitle:. Example: {"query":"open data portal Estonia","limit":5}`,
    operation: "search",
    shows: [
      "query",
      "limit",
      "sources",
      "categories",
      "includeDomains",
      "excludeDomains",
      "tbs",
      "location",
      "scrapeOptions",
    ],
    required: ["query"],
    run: ({ client, args, signal }) => client.search(args as never, { signal }),
  },
  {
    ...reading,
    name: "crawl",
    title: "Read a site",
    description: `Read many pages of one site by following its links, and wait for the end. Set limit: pages are what it costs.
Use it for a section or a small site. Not for one page (scrape) and not for URLs that you already have (batch_scrape).
Read on with crawl_status and the id and cursor of the answer. Example: {"url":"https://example.com/docs","limit":20}`,
    operation: "startCrawl",
    shows: [
      "url",
      "prompt",
      "limit",
      "includePaths",
      "excludePaths",
      "maxDiscoveryDepth",
      "sitemap",
      "crawlEntireDomain",
      "allowSubdomains",
      "allowExternalLinks",
      "scrapeOptions",
    ],
    required: ["url"],
    run: async ({ client, args, signal, onProgress }) =>
      statusOf(await client.crawl(args as never, watching(signal, onProgress))),
  },
  {
    ...reading,
    name: "crawl_status",
    aliases: ["check_crawl_status", "check_batch_status"],
    title: "Pages of a crawl",
    description: `Status and pages of a crawl or batch by its id; with cursor, the next part of its pages.
Example: {"id":"0190d2a4-5f0e-7c11-9a55-0d6f5f0a1b01"}`,
    operation: "readCrawl",
    shows: ["id"],
    required: ["id"],
    run: ({ client, args, signal }) => wholeStatus(client, String(args["id"] ?? ""), signal),
  },
  {
    ...reading,
    name: "extract",
    title: "Data from pages",
    description: `Fill a JSON Schema from pages, with the source of every value, and wait for the result.
Use it for the same fields from one or many pages; a URL may end in /* for a whole site. Not for prose (scrape).
Example: {"urls":["https://example.com/lamp"],"schema":{"type":"object","properties":{"price":{"type":"number"}}}}`,
    operation: "startExtract",
    shows: ["urls", "prompt", "schema", "enableWebSearch", "showSources", "limit"],
    required: ["urls"],
    run: ({ client, args, signal }) => client.extract({ showSources: true, ...args } as never, { signal }),
  },
  {
    ...reading,
    name: "parse",
    title: "Read a file",
    description: `Read a file (PDF, scan, office file, e-book, mail …) that is not on the web as markdown.
For a file at a URL use scrape. Example: {"filename":"report.pdf","content":"JVBERi0x…"} with content as base64.`,
    operation: "parse",
    shows: ["formats", "onlyMainContent", "parsers", "timeout"],
    required: [],
    own: {
      content: { type: "string", description: "The file, as base64" },
      filename: { type: "string", description: "Name of the file, with its ending" },
      filePath: { type: "string", description: "Path of a file on this machine, instead of content; over stdio only" },
      contentType: { type: "string", description: "Media type, where the name does not tell" },
    },
    run: parseFile,
  },
  {
    ...reading,
    name: "agent",
    idempotent: false,
    title: "Start an agent",
    description: `Start an agent that searches, follows links and gathers data by itself. Returns an id at once: ask agent_status for the result.
Use it when you know what you want but not where it is. Not for a known page (scrape, extract): those are faster and cheaper.
Example: {"prompt":"opening hours of the three largest museums in Tallinn","maxCredits":50}`,
    operation: "startAgent",
    shows: ["prompt", "urls", "schema", "maxCredits", "strictConstrainToURLs", "effort", "threadId", "mode"],
    required: ["prompt"],
    run: ({ client, args, signal }) => client.startAgent(args as never, { signal }),
  },
  {
    ...reading,
    name: "agent_status",
    title: "Result of an agent",
    description: `Status and result of an agent by its id. While status is processing, ask again after a few seconds. One that a limit ended has
failed, with what it found in partial. Send its threadId to agent to go on from there.
Example: {"id":"0190d2a4-5f0e-7c11-9a55-0d6f5f0a1b01"}`,
    operation: "readAgent",
    shows: ["id"],
    required: ["id"],
    run: ({ client, args, signal }) => client.agentStatus(String(args["id"] ?? ""), { signal }),
  },
  {
    name: "browser_create",
    title: "Open a browser",
    description: `Open a browser session, for pages that need several steps. Costs credits until browser_delete or its end.
Not for reading a page (scrape, with actions where needed). Example: {"ttl":300}`,
    operation: "createSession",
    shows: ["ttl", "activityTtl", "profile"],
    required: [],
    readOnly: false,
    openWorld: true,
    idempotent: false,
    isWebContent: false,
    run: ({ client, args, signal }) => client.createBrowser(args as never, { signal }),
  },
  {
    name: "browser_execute",
    title: "Run code in a browser",
    description: `Run a program in a browser session: page is the open page (Playwright), and what it returns is the result.
Example: {"sessionId":"…","code":"await page.goto('https://example.com'); return page.title()"}`,
    operation: "executeInSession",
    shows: ["sessionId", "code", "language", "timeout"],
    required: ["sessionId", "code"],
    readOnly: false,
    openWorld: true,
    idempotent: false,
    isWebContent: true,
    run: ({ client, args: { sessionId, ...body }, signal }) =>
      client.executeInBrowser(String(sessionId ?? ""), body as never, { signal }),
  },
  {
    ...ownData,
    name: "browser_list",
    title: "List browsers",
    description: 'List the browser sessions of your team. Example: {"status":"active"}',
    operation: "listSessions",
    shows: ["status"],
    required: [],
    run: ({ client, args, signal }) => client.listBrowsers(args as never, { signal }),
  },
  {
    name: "browser_delete",
    title: "Close a browser",
    description: 'End a browser session, and with it what it costs. Example: {"sessionId":"…"}',
    operation: "deleteSession",
    shows: [],
    required: ["sessionId"],
    own: { sessionId: { type: "string", description: "Id of the browser session" } },
    readOnly: false,
    openWorld: false,
    idempotent: true,
    isWebContent: false,
    run: ({ client, args, signal }) => client.deleteBrowser(String(args["sessionId"] ?? args["id"] ?? ""), { signal }),
  },
  ...monitorTools,
  {
    ...ownData,
    name: "activity",
    title: "Recent requests",
    description:
      'List the requests of your team in the last 24 hours, with the ids of their jobs. Example: {"endpoint":"crawl"}',
    operation: "listActivity",
    shows: ["endpoint", "limit"],
    required: [],
    run: async ({ client, args, signal }) => {
      const { cursor: page, ...answer } = await client.activity(args as never, { signal });
      return { ...answer, nextPage: page };
    },
  },
  {
    ...ownData,
    name: "credit_usage",
    title: "Credits",
    description: "Credits that your team has left, and used per month. Example: {}",
    operation: "readCreditUsage",
    shows: [],
    required: [],
    own: {
      view: { type: "string", enum: ["current", "historical"], description: "Only one of them; both unless given" },
      byApiKey: { type: "boolean", description: "Used per month and API key" },
    },
    run: readCredits,
  },
];

/** The document itself, with what the response says besides it. */
function documentOf({ data, ...rest }: { data: object; success?: boolean }): object {
  return { ...data, ...rest };
}

function watching(signal: AbortSignal, onProgress: ToolCall["onProgress"]) {
  return {
    signal,
    onProgress: ({ completed, total }: { completed: number; total: number }) => onProgress(completed, total),
  };
}

/** In the order that crawl_status answers, so that a cursor of one is good for the other. */
function statusOf({ id, data, ...status }: FinishedJob): object {
  return { id, ...status, data };
}

async function wholeStatus(client: Trawl, id: string, signal: AbortSignal): Promise<object> {
  const first = await client.crawlStatus(id, { signal });
  const data = [...first.data];
  let next = first.next;
  while (next !== undefined) {
    const page = await client.crawlStatus(id, { signal, skip: data.length });
    if (page.data.length === 0) break;
    data.push(...page.data);
    next = page.next;
  }
  const { next: _, data: __, ...status } = first;
  return { id, ...status, data };
}

async function readCredits({ client, args: { view, byApiKey }, signal }: ToolCall): Promise<object> {
  const [current, history] = await Promise.all([
    view === "historical" ? null : client.creditUsage({ signal }),
    view === "current" ? null : client.creditHistory({ byApiKey: byApiKey === true ? "true" : undefined }, { signal }),
  ]);
  return { success: true, ...current?.data, ...(history ? { periods: history.periods } : {}) };
}

async function parseFile({ client, args, signal, readFile }: ToolCall): Promise<object> {
  const { content, filename, filePath, contentType, ...options } = args;
  const blobOf = (bytes: Uint8Array) =>
    new Blob([bytes as Uint8Array<ArrayBuffer>], typeof contentType === "string" ? { type: contentType } : {});
  if (typeof filePath === "string") {
    if (!readFile)
      throw new TypeError("filePath: This server cannot read files on your machine. Send content as base64.");
    const name = filePath.split(/[\\/]/).at(-1) ?? "file";
    const file = blobOf(await readFile(filePath));
    return documentOf(await client.parse({ ...options, file, filename: name }, { signal }));
  }
  if (typeof content !== "string" || content === "") throw new TypeError("content: Required: the file as base64");
  if (typeof filename !== "string" || filename === "") throw new TypeError("filename: Required: the file's name");
  const file = Buffer.from(content, "base64");
  if (file.length === 0) throw new TypeError("content: Must be base64");
  return documentOf(await client.parse({ ...options, file: blobOf(file), filename }, { signal }));
}
