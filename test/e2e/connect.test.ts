// The page that says how to connect, and its lines, run as they are there wherever they can run here: shell lines, entries of
// MCP clients, and constructors of the packages that the tests have.
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectedTools as tools } from "../../src/connect/index.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { Firecrawl } from "../support/official-sdk.ts";
import { type SearchService, startSearchService } from "../support/search-service.ts";

const run = promisify(execFile);
const cli = join(import.meta.dirname, "../../dist/cli.js");
const require = createRequire(join(import.meta.dirname, "../clients/package.json"));
const load = (name: string) => import(pathToFileURL(require.resolve(name)).href);

let app: TestApp;
let site: FixtureSite;
let service: SearchService;
beforeAll(async () => {
  site = await startSite({ "/": "<title>Connected</title><h1>Connected</h1>" });
  service = await startSearchService();
  service.results = [{ url: `${site.url}/`, title: "Connected", content: "This one" }];
  app = await startApp(anyEngine, {
    ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
    SEARXNG_ENDPOINT: service.url,
    OWN_INDEX: "0",
  });
});
afterAll(async () => {
  await app.stop();
  await service.close();
  await site.close();
});

/** Not inside the names of settings. */
const here = (line: string) =>
  line
    .replaceAll(/\bURL\b/g, app.url)
    .replaceAll(/\bKEY\b/g, app.key)
    .replaceAll("https://example.com", site.url);
const linesOf = (wanted: string) => tools.filter(({ tool }) => tool === wanted).flatMap(({ lines }) => lines);
const speaking = (name: string) => tools.filter(({ speaks }) => speaks === name);

it("names every tool with this server's own URL", async () => {
  const { status, text } = await app.get("/connect", { key: null });
  expect(status).toBe(200);
  for (const name of [
    ...[
      "Claude Code",
      "Claude Desktop",
      "Cursor",
      "VS Code",
      "Zed",
      "Open WebUI",
      "LibreChat",
      "n8n",
      "Dify",
      "Flowise",
    ],
    ...["LangChain JS", "LlamaIndex", "CrewAI", "Vercel AI SDK", "Official SDKs", "curl"],
  ])
    expect(text).toContain(`<h2>${name}</h2>`);
  expect(text).toContain(`${app.url}/mcp`);
  expect(text).not.toContain("URL/");
});

describe("lines", () => {
  const curls = tools.flatMap(({ tool, lines }) =>
    lines.filter((line) => line.startsWith("curl")).map((line) => [tool, line]),
  );
  it.each(curls)("of %s work in a shell", async (_, line = "") => {
    const { stdout } = await run("sh", ["-c", `${here(line)} -s`]);
    expect(stdout).toContain("Connected");
  });

  it.each(speaking("mcp"))("of $tool open an MCP connection", async ({ tool, lines }) => {
    const client = new Client({ name: "test", version: "1" });
    const transport = transportOf(here(lines.at(-1) ?? ""));
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    try {
      const { content } = await client.callTool({ name: "scrape", arguments: { url: site.url } });
      expect([tool, JSON.stringify(content)]).toEqual([tool, expect.stringContaining("Connected")]);
    } finally {
      await client.close();
    }
  });

  it("of packages make clients that work", async () => {
    const { tavily } = await load("@tavily/core");
    const { TavilySearch } = await load("@langchain/tavily");
    const { ExaRetriever } = await load("@langchain/exa");
    const { default: exaModule } = await load("exa-js");
    const names = { KEY: app.key, Firecrawl, tavily, TavilySearch, ExaRetriever, Exa: exaModule.default ?? exaModule };
    const make = (line: string) =>
      new Function(...Object.keys(names), `return ${line.replaceAll(/\bURL\b/g, app.url)}`)(...Object.values(names));
    const line = (tool: string, begin: string) => linesOf(tool).find((each) => each.startsWith(begin)) ?? "missing";
    const { markdown } = await make(line("Official SDKs", "new Firecrawl(")).scrape(site.url);
    expect(markdown).toBe("# Connected");
    const found = [
      await make(line("Tavily SDKs", "tavily(")).search("one"),
      await make(line("Exa SDKs", "new Exa(")).search("two"),
      await make(line("LangChain JS", "new TavilySearch(")).invoke({ query: "three" }),
      await make(line("LangChain JS", "new ExaRetriever(")).invoke("four"),
    ];
    for (const each of found) expect(JSON.stringify(each)).toContain("Connected");
  });
});

/** What a client makes of its entry: a command, or a URL with headers. */
function transportOf(line: string) {
  const entry = line.startsWith("{") ? entryOf(JSON.parse(line)) : flagsOf(line);
  if (entry.command) {
    // `npx trawl` is this checkout's command.
    const args = [cli, ...(entry.args ?? []).slice(1)];
    const env = { PATH: process.env["PATH"] ?? "", ...entry.env };
    return new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" });
  }
  return new StreamableHTTPClientTransport(new URL(entry.url ?? ""), { requestInit: { headers: entry.headers ?? {} } });
}

interface Entry {
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  url?: string;
  headers?: Record<string, string>;
}

function entryOf(settings: Record<string, Record<string, Entry>>): Entry {
  const [servers = {}] = Object.values(settings);
  return Object.values(servers)[0] ?? {};
}

/** `claude mcp add --transport http NAME URL --header "Name: value"`. */
function flagsOf(line: string): Entry {
  const [, url = "", name = "", value = ""] =
    /--transport http \w+ (\S+) --header "([\w-]+): ([^"]+)"$/.exec(line) ?? [];
  return { url, headers: { [name]: value } };
}
