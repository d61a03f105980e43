// CPU of a request in a dialect relative to the request of v2 underneath. Pages are cached and searches ask the local index, so that
// neither a site nor a search service is part of the figures.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeArticlePage } from "./fixtures/article-page.mjs";
import { load, median, send, startProgram, threadsCpuMs } from "./measure.mjs";

const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const pageCount = 30;
const rounds = 15;
/** Compilers need some thousand calls; the first thousand of a page's cost half as much again, in v2 as in a dialect. */
const warmUpTurns = { page: 30, search: 5 };
/** About as much work in each. */
const requestsPerRound = { page: 120, search: 20 };
const bar = 1.1;

export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), "trawl-bench-"));
  const site = createServer((request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(makePage(request.url));
  });
  await new Promise((done) => site.listen(0, "127.0.0.1", done));
  const pageUrl = `http://127.0.0.1:${site.address().port}`;
  const server = await startProgram([cli, "serve"], {
    env: {
      PORT: "0",
      DATA_DIR: folder,
      OPEN_SEARCH: "0",
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
      RATE_LIMIT_SCRAPE: "0",
      LOG_LEVEL: "warn",
    },
    until: /API page\s+(http:\S+)\/docs[\s\S]*API key\s+(\S+)/,
  });
  try {
    const [, url, key] = server.match;
    const headers = { authorization: `Bearer ${key}` };
    const post = (path, body, more = {}) => ({
      url: url + path,
      method: "POST",
      headers: { ...headers, "content-type": "application/json", ...more },
      body: JSON.stringify(body),
    });
    for (let page = 0; page < pageCount; page += 1) await send(post("/v2/scrape", { url: `${pageUrl}/page-${page}` }));
    await untilIndexed(() => send(post("/v2/search", { query: "nets", limit: pageCount })));
    const page = `${pageUrl}/page-1`;
    // What each dialect asks for.
    const scrape = (options) => post("/v2/scrape", { url: page, formats: ["markdown"], ...options });
    const file = Buffer.from(makePage("/file"));
    const sendForm = (path, name, fields) => ({
      url: url + path,
      method: "POST",
      ...makeForm(headers, file, name, fields),
    });
    // With the formats that each of the two asks for.
    const parse = (formats) => sendForm("/v2/parse", "file", { options: JSON.stringify({ formats }) });
    // What dialects ask for.
    const search = (limit) => post("/v2/search", { query: "nets paragraph", limit, ignoreInvalidURLs: true });
    const figures = [];
    for (const [what, own, foreign, kind = "page"] of [
      [
        "Jina Reader, JSON, of a cached page",
        scrape({ onlyMainContent: true, maxAge: 3_600_000 }),
        { url: `${url}/jina/${page}`, headers: { ...headers, accept: "application/json" } },
      ],
      ["Tavily extract of a cached page", scrape({ timeout: 30_000 }), post("/tavily/extract", { urls: [page] })],
      ["Open WebUI load of a cached page", scrape(), post("/openwebui/load", { urls: [page] })],
      ["Exa contents of a cached page", scrape(), post("/exa/contents", { urls: [page] })],
      ["docling conversion of an HTML file", parse(["markdown"]), sendForm("/docling/v1/convert/file", "files", {})],
      [
        "Tika, text of an HTML file",
        parse(["markdown", "html"]),
        { url: `${url}/tika/text`, method: "PUT", headers: { ...headers, "file-name": "page.html" }, body: file },
      ],
      ["SearXNG search", search(20), { url: `${url}/searxng/search?q=nets+paragraph&format=json`, headers }, "search"],
      ["Tavily search", search(5), post("/tavily/search", { query: "nets paragraph" }), "search"],
      ["Exa search", search(10), post("/exa/search", { query: "nets paragraph" }), "search"],
      // There is no call underneath: the search is what ranks as many texts.
      ["Rerank of ten texts, beside a search of ten", search(10), post("/v1/rerank", rerank), "search"],
    ]) {
      figures.push({
        what: `${what}: CPU relative to v2`,
        unit: "times",
        bar,
        ...(await compare(server.pid, own, foreign, kind)),
      });
    }
    return figures;
  } finally {
    await server.stop();
    site.close();
    rmSync(folder, { recursive: true });
  }
}

const rerank = {
  query: "nets paragraph",
  documents: Array.from({ length: 10 }, (_, at) => makePage(`/text-${at}`).replace(/<[^>]*>/g, " ")),
};

/** A form with one file. */
function makeForm(headers, file, name, fields) {
  const boundary = "----bench";
  const part = (about, body) => [`--${boundary}\r\nContent-Disposition: form-data; ${about}\r\n\r\n`, body, "\r\n"];
  const parts = [
    ...Object.entries(fields).flatMap(([field, value]) => part(`name="${field}"`, value)),
    ...part(`name="${name}"; filename="page.html"\r\nContent-Type: text/html`, file),
    `--${boundary}--\r\n`,
  ];
  return {
    headers: { ...headers, "content-type": `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat(parts.map((each) => Buffer.from(each))),
  };
}

/** A short article with words of its own. */
function makePage(path) {
  const own = Array.from({ length: 60 }, (_, at) => `word${at}of${path.replace(/\W/g, "")}`).join(" ");
  const page = makeArticlePage({ title: `Nets ${path}`, menu: ["/a", "/b"], links: [], paragraphs: 20 });
  return page.replace("</main>", `<p>${own}</p></main>`);
}

/** Pages are indexed in the background, which would be part of the figures. */
async function untilIndexed(search) {
  for (;;) {
    const { data } = JSON.parse(await search());
    if ((data.web ?? []).length === pageCount) return;
    await new Promise((done) => setTimeout(done, 200));
  }
}

/** In turns, each as often first as the other, so that noise affects both equally. */
async function compare(pid, own, foreign, kind) {
  const count = requestsPerRound[kind];
  const spend = async (request) => {
    const before = threadsCpuMs(pid);
    await load(() => request, { count, connections: 4 });
    return ((threadsCpuMs(pid) - before) * 1000) / count;
  };
  // Until the compiler has seen enough of both.
  for (let turn = 0; turn < warmUpTurns[kind]; turn += 1) for (const request of [own, foreign]) await spend(request);
  const ours = [];
  const theirs = [];
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) ours.push(await spend(own));
    theirs.push(await spend(foreign));
    if (round % 2 !== 0) ours.push(await spend(own));
  }
  const value = Math.round((median(theirs) / median(ours)) * 100) / 100;
  return { value, detail: `${Math.round(median(theirs))} µs and ${Math.round(median(ours))} µs of CPU per request` };
}
