// Clients of dialects whose packages are too large for the tests' own lock file: installed into a temporary folder as they are
// published, and pointed at the built server. A search service and a site run on loopback.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { startProgram } from "../../bench/measure.mjs";

const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

/** Optional peers that they name exclude each other, so that they are left out. */
const clients = {
  "@langchain/community": {
    versions: { "@langchain/community": "1.1.29", "@langchain/core": "1.2.8" },
    prove: langchain,
  },
  "@librechat/agents": { versions: { "@librechat/agents": "3.9.2" }, prove: librechat },
};

/** Words are the packages to prove; without any, all. */
export async function prove(words) {
  const folder = mkdtempSync(join(tmpdir(), "trawl-prove-"));
  const site = await listen((_url) => ({ type: "text/html", body: makePage("Otters") }));
  const service = await listen(({ searchParams }) => ({
    type: "application/json",
    body: resultsFor(searchParams, site),
  }));
  const server = await startProgram([cli, "serve"], {
    env: {
      PORT: "0",
      DATA_DIR: join(folder, "data"),
      OPEN_SEARCH: "0",
      OWN_INDEX: "0",
      SEARXNG_ENDPOINT: service.url,
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      LOG_LEVEL: "warn",
    },
    until: /API page\s+(http:\S+)\/docs[\s\S]*API key\s+(\S+)/,
  });
  const [, url, key] = server.match;
  try {
    const rows = [];
    for (const name of words.length === 0 ? Object.keys(clients) : words)
      rows.push(
        await proveClient(name, join(folder, name.replace(/\W/g, "-")), { url, key, page: `${site.url}/otters` }),
      );
    return rows;
  } finally {
    await server.stop();
    site.server.close();
    service.server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function proveClient(name, folder, target) {
  const { versions, prove: listPromises } = clients[name];
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: versions }));
  const words = ["install", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", words, { cwd: folder, stdio: "inherit" });
  const require = createRequire(join(folder, "package.json"));
  const load = (path) => import(pathToFileURL(require.resolve(path)).href);
  const details = [];
  let passed = 0;
  for (const [promise, keep] of Object.entries(await listPromises(load, target))) {
    try {
      await keep();
      passed += 1;
    } catch (error) {
      details.push(`${promise}: ${error.message}`);
    }
  }
  const subject = `${name} ${versions[name]}`;
  return { subject, holds: details.length === 0, passed, failed: details.length, details };
}

async function langchain(load, { url, key, page }) {
  const { SearxngSearch } = await load("@langchain/community/tools/searxng_search");
  const open = (headers, params = {}) => new SearxngSearch({ apiBase: `${url}/searxng`, headers, params });
  const withKey = { "x-api-key": key };
  return {
    "SearxngSearch finds": async () => {
      const found = await open(withKey, { numResults: 1, language: "en", pageno: 1 }).invoke("otters – 獭");
      assert.deepEqual(JSON.parse(found), { title: "Otters", link: page, snippet: "An otter – 獭" });
    },
    "SearxngSearch takes categories, engines, a time and safesearch": async () => {
      const params = { categories: "general", engines: "google,bing", timeRange: "year", safesearch: 1 };
      assert.match(await open(withKey, params).invoke("otters"), /"title":"Otters"/);
    },
    "SearxngSearch says that nothing was found": async () => {
      assert.equal(await open(withKey).invoke("nothing"), "No good results found.");
    },
    "SearxngSearch is refused without a key": async () => {
      await assert.rejects(open({}).invoke("otters"), /Unauthorized/);
    },
  };
}

async function librechat(load, { url, key, page }) {
  const { createSearchTool } = await load("@librechat/agents");
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const ask = async (config, words = {}) => {
    const tool = createSearchTool({ ...config, topResults: 2, logger: quiet });
    const call = { type: "tool_call", id: "1", name: tool.name, args: { query: "otters", ...words } };
    const { content, artifact } = await tool.invoke(call);
    return { content, ...artifact.web_search };
  };
  const searxng = { searchProvider: "searxng", searxngInstanceUrl: `${url}/searxng`, searxngApiKey: key };
  const tavily = { searchProvider: "tavily", tavilySearchUrl: `${url}/tavily/search`, tavilyApiKey: key };
  const byFirecrawl = { scraperProvider: "firecrawl", firecrawlApiUrl: url, firecrawlApiKey: key };
  const byTavily = { scraperProvider: "tavily", tavilyExtractUrl: `${url}/tavily/extract` };
  const byJina = { rerankerType: "jina", jinaApiUrl: `${url}/v1/rerank`, jinaApiKey: key };
  const byCohere = { rerankerType: "cohere", cohereApiUrl: `${url}/v2/rerank`, cohereApiKey: key };
  /** Passages come from the page, and are relevant only when the reranker answered. */
  const isWhole = ({ organic: [first], content }) => {
    assert.equal(first.link, page);
    assert.match(content, /An otter lives by the river/);
    const [, relevance = "0"] = /Highlight 1 \[Relevance: ([\d.]+)\]/.exec(content) ?? [];
    assert.ok(Number(relevance) > 0, "the passages were not ranked");
  };
  return {
    "searches by SearXNG, reads by the Firecrawl API, reranks as Jina": async () =>
      isWhole(await ask({ ...searxng, ...byFirecrawl, ...byJina })),
    "searches and reads by Tavily, reranks as Cohere": async () =>
      isWhole(await ask({ ...tavily, ...byTavily, ...byCohere })),
    "searches for news and images": async () => {
      const found = await ask({ ...searxng, ...byFirecrawl, rerankerType: "none" }, { news: true, images: true });
      assert.equal(found.organic[0].link, page);
    },
    "reads a refused key as an error": async () => {
      const found = await ask({ ...searxng, searxngApiKey: "wrong", ...byFirecrawl, rerankerType: "none" });
      assert.deepEqual(found.organic ?? [], []);
      assert.match(found.error ?? "", /401/);
    },
  };
}

async function listen(answer) {
  const server = createServer((request, response) => {
    const { type, body } = answer(new URL(request.url, "http://localhost"));
    response.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(body);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { server, url: `http://127.0.0.1:${server.address().port}` };
}

function resultsFor(query, { url }) {
  const isFound = query.get("q") !== "nothing" && query.get("pageno") === "1";
  const result = { url: `${url}/otters`, title: "Otters", content: "An otter – 獭" };
  return JSON.stringify({ results: isFound ? [result] : [], unresponsive_engines: [] });
}

function makePage(title) {
  const text = "An otter lives by the river and eats fish and crabs. ".repeat(20);
  return `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p>${text}</p></main></html>`;
}
