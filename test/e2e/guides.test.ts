// The docs as the server shows them at /docs: every page, its links, its markdown, the search and the API reference.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { useApp, withoutBrowser } from "../support/shared-app.ts";

const docs = join(import.meta.dirname, "../../docs");
const files = readdirSync(docs, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".md") && !file.startsWith("decisions"))
  .sort();

interface SearchHit {
  url: string;
  page: string;
  heading: string;
  excerpt: { text: string; isMatch: boolean }[];
}

describe("the docs at /docs", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await useApp(anyEngine, withoutBrowser);
  });
  afterAll(() => app.stop());

  /** Without a key: the docs are for everybody. */
  const get = (path: string, headers: Record<string, string> = {}) => app.get(path, { key: null, headers });
  const search = async (query: string): Promise<SearchHit[]> =>
    (await get(`/docs/search.json?q=${encodeURIComponent(query)}`)).body.results;
  const hrefsOf = (html: string) =>
    Array.from(html.matchAll(/ (?:href|src)="([^"]+)"/g), ([, href = ""]) => href.replaceAll("&amp;", "&"));
  const idsOf = (html: string) => new Set(Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id = ""]) => id));

  it("serves every page of docs, and its markdown as it is in the file", async () => {
    expect(files.length).toBeGreaterThan(25);
    for (const file of files) {
      const text = readFileSync(join(docs, file), "utf8");
      const page = await get(file === "README.md" ? "/docs" : `/docs/${file.replace(/\.md$/, "")}`);
      expect([file, page.status, page.headers.get("content-type")]).toEqual([file, 200, "text/html; charset=utf-8"]);
      expect(page.text).toContain(`<link rel="alternate" type="text/markdown" href="/docs/${file}">`);
      const twin = await get(`/docs/${file}`);
      expect([file, twin.headers.get("content-type")]).toEqual([file, "text/markdown; charset=utf-8"]);
      expect(twin.text).toBe(text);
    }
  });

  it("has no link that leads nowhere: pages, headings, pictures and files of the page", async () => {
    const pages = new Map<string, string>();
    const others = new Set<string>();
    const broken: string[] = [];
    const wanted = [{ url: "/docs", from: "the start" }];
    for (let next = wanted.pop(); next; next = wanted.pop()) {
      const { url, from } = next;
      if (pages.has(url) || others.has(url)) continue;
      const { status, headers, text } = await get(url);
      if (status !== 200) broken.push(`${url} of ${from}: ${status}`);
      if (!headers.get("content-type")?.startsWith("text/html") || !url.startsWith("/docs")) {
        others.add(url);
        continue;
      }
      pages.set(url, text);
      for (const href of hrefsOf(text)) {
        expect(href).toMatch(/^(?:\/|#|https?:|mailto:)/);
        const [path = ""] = href.split("#");
        if (path.startsWith("/") && !path.startsWith("/dashboard")) wanted.push({ url: path, from: url });
      }
    }
    for (const [url, text] of pages) {
      for (const href of hrefsOf(text)) {
        const [path = "", anchor] = href.split("#");
        const target = pages.get(path === "" ? url : path);
        if (anchor !== undefined && target !== undefined && !idsOf(target).has(anchor))
          broken.push(`${href} of ${url}`);
      }
    }
    expect(broken).toEqual([]);
    expect(pages.size).toBeGreaterThan(files.length + 10);
  });

  it("lists all pages with their markdown in llms.txt, and has them in one file", async () => {
    const { text, headers } = await get("/llms.txt");
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    for (const file of files) expect(text).toContain(`(${app.url}/docs/${file})`);
    expect(text).toContain(`(${app.url}/docs/api/scrape.md)`);
    const listed = Array.from(text.matchAll(/\]\((\S+)\)/g), ([, url = ""]) => url.slice(app.url.length));
    for (const path of listed) expect([path, (await get(path)).status]).toEqual([path, 200]);
    expect((await get("/docs/llms.txt")).text).toBe(text);
    expect((await get("/llms-full.txt")).text).toContain("\nSource: ");
  });

  it("describes every request of the API on a page of its group, also as markdown", async () => {
    const { body: openApi } = await app.get("/openapi.json");
    const groups = Array.from(
      (await get("/docs/api")).text.matchAll(/href="(\/docs\/api\/[\w-]+)"/g),
      ([, url]) => url ?? "",
    );
    const texts = await Promise.all([...new Set(groups)].map(async (url) => (await get(`${url}.md`)).text));
    const described = texts.join("\n");
    for (const [path, methods] of Object.entries<object>(openApi.paths)) {
      for (const method of Object.keys(methods)) expect(described).toContain(`\n${method.toUpperCase()} ${path}\n`);
    }
    const scrape = await get("/docs/api/scrape");
    expect(scrape.text).toContain("<code>onlyMainContent</code>");
    expect(scrape.text).toContain('<a href="/docs/api/schemas#format">Format</a>');
    expect((await get("/docs/api/schemas")).text).toContain('<h2 id="format">');
  });

  it.each([
    ["how do I pause a crawl", "/docs/crawls#pause-and-resume"],
    ["ROBOTS_BLOCKED", "/docs/errors#robots_blocked"],
    ["export a crawl as parquet", "/docs/crawls#export"],
    ["connect claude", "/docs/connect"],
    ["back up the database", "/docs/self-hosting"],
    ["passkeys", "/docs/dashboard"],
    ["which pdf and office files can be read", "/docs/documents"],
    ["language model ollama", "/docs/models"],
    ["prompt injection", "/docs/content-safety"],
    ["helm kubernetes", "/docs/deploy"],
    ["drive a browser with playwright cdpUrl", "/docs/sessions"],
    ["supported versions", "/docs/upgrading"],
    ["onlyMainContent", "/docs/formats"],
    ["interact with a scraped page in a browser", "/docs/api/scrape"],
    ["how are webhooks signed", "webhook"],
  ])("finds for %s: %s", async (query, wanted) => {
    const hits = await search(query);
    const words = hits.slice(0, 3).map(({ url, excerpt }) => `${url} ${excerpt.map(({ text }) => text).join("")}`);
    expect(words.join("\n")).toContain(wanted);
    expect(hits[0]?.excerpt.some(({ isMatch }) => isMatch)).toBe(true);
  });

  it("completes the word that is being typed, and finds nothing for what it does not know", async () => {
    expect((await search("screensh")).length).toBeGreaterThan(0);
    expect(await search("qqqzzzxxx")).toEqual([]);
    expect(await search("")).toEqual([]);
  });

  it("shows what it found without a script, as text", async () => {
    const { text } = await get(`/docs/search?q=${encodeURIComponent("<img src=x> pause")}`);
    expect(text).toContain('<a href="/docs/crawls#pause-and-resume">Pause and resume</a>');
    expect(text).toMatch(/<mark>[Pp]aused?<\/mark>/);
    expect(text).not.toContain("<img src=x>");
  });

  it("answers 404 to an unknown page, with pages that may be meant", async () => {
    const { status, text } = await get("/docs/pausing-crawls");
    expect(status).toBe(404);
    expect(text).toContain('href="/docs/crawls#pause-and-resume"');
    for (const path of ["/docs/%2e%2e/package.json", "/docs/decisions/0046-bundling.md", "/docs/pictures/none.png"])
      expect((await get(path)).status).toBe(404);
  });

  it("sends pages packed and once: 304 to who has them, and files of the page for good", async () => {
    const { headers, text } = await get("/docs/errors", { "accept-encoding": "gzip" });
    expect(headers.get("content-encoding")).toBe("gzip");
    expect((await get("/docs/errors", { "accept-encoding": "identity" })).text).toBe(text);
    const tag = headers.get("etag") ?? "";
    expect((await get("/docs/errors", { "if-none-match": tag })).status).toBe(304);
    expect(headers.get("content-security-policy")).toMatch(/default-src 'none'.*script-src 'self'/);
    const [styles = ""] = hrefsOf(text).filter((href) => href.startsWith("/docs/assets/guide-style.css"));
    expect((await get(styles)).headers.get("cache-control")).toContain("immutable");
  });
});
