// Under `MCP_TOOL_PREFIX=firecrawl_`, the tools of `trawl mcp` take the arguments of firecrawl-mcp: both are started as they are
// and given the same calls, and the server that they ask must receive the same from both.
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fileOf } from "./compatibility/rows.ts";

const id = "0190d2a4-5f0e-7c11-9a55-0d6f5f0a1b01";
const url = "https://example.com/a";
const schema = { type: "object", properties: { title: { type: "string" } } };
const page = { onlyMainContent: true, redactPII: true, includeTags: ["main"], excludeTags: ["nav"], maxAge: 5 };
const kept = { removeBase64Images: true, skipTlsVerification: true, storeInCache: false, zeroDataRetention: true };
const pdf = { parsers: ["pdf"], pdfOptions: { maxPages: 3 } };
const json = { formats: ["markdown", "json"], jsonOptions: { prompt: "the title", schema } };

/** Calls that name every argument of a tool. */
const calls: readonly (readonly [string, object])[] = [
  ["scrape", { url, ...page, ...kept, ...json, ...pdf, waitFor: 1, mobile: true, lockdown: false, timeout: 9000 }],
  ["scrape", { url, formats: ["query"], queryOptions: { prompt: "who?", mode: "directQuote" } }],
  ["scrape", { url, formats: ["screenshot"], screenshotOptions: { fullPage: true, quality: 50 }, proxy: "basic" }],
  [
    "scrape",
    {
      url,
      actions: [{ type: "wait", milliseconds: 5 }],
      location: { country: "DE", languages: ["de"] },
      profile: { name: "p" },
    },
  ],
  ["map", { url, search: "x", sitemap: "skip", includeSubdomains: false, limit: 5, ignoreQueryParameters: true }],
  [
    "search",
    {
      ...{ query: "nets", highlights: false, limit: 4, tbs: "qdr:d", location: "Tallinn", sources: [{ type: "web" }] },
      ...{ includeDomains: ["example.com"], categories: ["pdf"], enterprise: ["zdr"] },
      scrapeOptions: { ...json, onlyMainContent: true },
    },
  ],
  ["search", { query: "nets", excludeDomains: ["example.com"], sources: [{ type: "web" }] }],
  [
    "crawl",
    {
      ...{
        url,
        prompt: "the shop",
        excludePaths: ["^/x"],
        includePaths: ["^/a"],
        maxDiscoveryDepth: 2,
        sitemap: "skip",
      },
      ...{
        limit: 3,
        allowExternalLinks: false,
        allowSubdomains: true,
        crawlEntireDomain: true,
        delay: 1,
        maxConcurrency: 2,
      },
      ...{ webhook: "https://hook.example/", webhookHeaders: { "x-a": "1" }, deduplicateSimilarURLs: true },
      ...{ ignoreQueryParameters: true, scrapeOptions: { ...json } },
    },
  ],
  ["check_crawl_status", { id }],
  [
    "agent",
    { prompt: "x", urls: [url], schema, effort: "low", maxCredits: 5, strictConstrainToURLs: true, threadId: id },
  ],
  ["agent_status", { id }],
  ["parse", { ...page, ...kept, ...json, ...pdf, proxy: "basic", filePath: "note.html", contentType: "text/html" }],
  ["parse", { formats: ["query"], queryOptions: { prompt: "who?", mode: "freeform" }, filePath: "note.html" }],
  ["monitor_create", { body: { name: "m", schedule: { text: "hourly" }, targets: [{ type: "scrape", urls: [url] }] } }],
  [
    "monitor_create",
    {
      ...{ page: url, pages: ["https://example.com/b"], goal: "prices", name: "m", scheduleText: "hourly" },
      ...{ timezone: "Europe/Berlin", email: "a@example.com", includeDiffs: true, webhookUrl: "https://hook.example/" },
    },
  ],
  [
    "monitor_create",
    {
      ...{ queries: ["nets"], searchWindow: "24h", maxResults: 5, goal: "new", timezone: "UTC" },
      ...{ includeDomains: ["example.com"], excludeDomains: ["example.org"] },
    },
  ],
  ["monitor_list", { limit: 5, offset: 5 }],
  ["monitor_get", { id }],
  ["monitor_update", { id, body: { name: "n" } }],
  ["monitor_delete", { id }],
  ["monitor_run", { id }],
  ["monitor_checks", { id, limit: 5, offset: 5, status: "completed" }],
  ["monitor_check", { id, checkId: id, limit: 5, skip: 5, pageStatus: "changed" }],
  ["credit_usage", { view: "current" }],
  ["credit_usage", { view: "historical" }],
  ["credit_usage", { byApiKey: true }],
];

/** Arguments of the hosted service's own catalogues, and one that its API does not have. */
const hostedOnly = ["alexandria", "requestId", "toolDetail", "domainTools", "exchange", "mode", "filter"];
/** Tools of the hosted service's own data, and of scrapes that stay open, which programs reach by the API. */
const notHere = /feedback|find_tools|interact|research|developer_search/;
/** What firecrawl-mcp says of itself. */
const ofItself = ["origin", "integration", "toolDetail", "domainTools"];

interface Heard {
  method: string;
  path: string;
  query: Record<string, string>;
  body: Record<string, unknown>;
}

/** A server that takes everything and remembers it. */
async function startRecorder() {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://server");
    // The options of a file are fields of a form.
    const sent = /name="options"\r\n(?:.+\r\n)*\r\n(.*)\r\n/.exec(text)?.[1] ?? text;
    const body = Object.entries(sent === "" ? {} : JSON.parse(sent)).filter(([name]) => !ofItself.includes(name));
    const query = Object.fromEntries(searchParams);
    heard.push({ method: request.method ?? "", path: pathname, query, body: Object.fromEntries(body) });
    const isList = /crawl\/|monitor$|checks$/.test(pathname) && request.method === "GET";
    const data = isList ? [] : { id, markdown: "x", metadata: { scrapeId: id }, web: [] };
    const counts = { total: 0, completed: 0, creditsUsed: 0, links: [], periods: [] };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ success: true, id, status: "completed", ...counts, data }));
  }).listen(0, "127.0.0.1");
  await new Promise((ready) => server.once("listening", ready));
  onTestFinished(() => void server.close());
  return { heard, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function startTools(args: string[], apiUrl: string, cwd: string) {
  const client = new Client({ name: "test", version: "1" });
  const key = "fc-00000000000000000000000000000001";
  const own = { FIRECRAWL_API_URL: apiUrl, FIRECRAWL_API_KEY: key, MCP_TOOL_PREFIX: "firecrawl_" };
  const env = { PATH: process.env["PATH"] ?? "", HOME: cwd, OPEN_SEARCH: "0", ...own };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, cwd, stderr: "ignore" }));
  onTestFinished(() => client.close());
  return client;
}

it("the tools take every argument of firecrawl-mcp, and mean the same by it", async () => {
  const folder = temporaryFolder();
  await writeFile(join(folder, "note.html"), "<h1>Kept</h1>");
  const recorder = await startRecorder();
  const [theirs, ours] = await Promise.all([
    startTools([fileOf("firecrawl-mcp", "dist/index.js")], recorder.url, folder),
    startTools([join(import.meta.dirname, "../../dist/cli.js"), "mcp"], recorder.url, folder),
  ]);
  const hear = async (client: Client, name: string, args: object): Promise<Heard[]> => {
    recorder.heard.length = 0;
    // What the answer is made into does not matter here, only what was asked.
    await client.callTool({ name: `firecrawl_${name}`, arguments: { ...args } }).catch(() => undefined);
    return [...recorder.heard];
  };
  for (const [name, args] of calls) {
    const [wanted] = await hear(theirs, name, args);
    const sent = await hear(ours, name, args);
    expect(wanted, `firecrawl-mcp sends nothing for ${name}`).toBeDefined();
    const same = sent.find(({ method, path }) => method === wanted?.method && path === wanted.path);
    expect(same, `${name}: ${JSON.stringify(sent)}`).toMatchObject(wanted as Heard);
  }
  const { tools } = await theirs.listTools();
  const missing = tools.flatMap((tool) => {
    const name = tool.name.replace("firecrawl_", "");
    if (notHere.test(name) || name === "extract") return [];
    const named = calls.flatMap(([called, args]) => (called === name ? Object.keys(args) : []));
    const properties = Object.keys(tool.inputSchema.properties ?? {});
    return properties
      .filter((each) => !named.includes(each) && !hostedOnly.includes(each))
      .map((each) => `${name} ${each}`);
  });
  expect(missing).toEqual([]);
});

it("the tool that firecrawl-mcp has given up still takes its arguments", async () => {
  const recorder = await startRecorder();
  const ours = await startTools(
    [join(import.meta.dirname, "../../dist/cli.js"), "mcp"],
    recorder.url,
    temporaryFolder(),
  );
  const args = {
    urls: [url],
    prompt: "x",
    schema,
    allowExternalLinks: true,
    enableWebSearch: true,
    includeSubdomains: true,
  };
  await ours.callTool({ name: "firecrawl_extract", arguments: args });
  expect(recorder.heard[0]).toMatchObject({ method: "POST", path: "/v2/extract", body: args });
});
