import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { openNet, startSite } from "../../../test/support/site-server.ts";
import type { FetchSuccess } from "../../net/index.ts";
import {
  createSitemapReader,
  type SitemapFileRequest,
  type SitemapLimits,
  type SitemapReaderDeps,
} from "./sitemap-reader.ts";
import type { SitemapEntry, SitemapKind } from "./sitemap-shapes.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});
function keep<Part extends { close(): Promise<void> }>(part: Part): Part {
  opened.push(part);
  return part;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
const signal = () => AbortSignal.timeout(60_000);
const site = (handle: Handler) => startSite(handle).then(keep);
const reader = (limits: Partial<SitemapLimits> = {}) => readerOver(keep(openNet({ allow: "127.0.0.0/8" })), limits);

/** Fetches and parses at once. */
function readerOver(deps: SitemapReaderDeps, limits: Partial<SitemapLimits> = {}) {
  const { load, parse } = createSitemapReader(deps, limits);
  return {
    async read(url: string, request: SitemapFileRequest) {
      const fetched = await load(url, request);
      if (!fetched.ok) return fetched;
      const { isPrivate } = fetched;
      const file = {
        ok: true as const,
        kind: "empty" as SitemapKind,
        entries: [] as SitemapEntry[],
        warnings: [] as string[],
        isPrivate,
      };
      for await (const piece of parse(fetched, request.signal)) {
        if (!piece.ok) return piece;
        file.kind = piece.kind;
        file.entries.push(...piece.entries);
        file.warnings.push(...piece.warnings);
      }
      return file;
    },
  };
}

/** What a file with these bytes is read as. */
async function readBytes(body: string | Buffer, headers = {}, limits: Partial<SitemapLimits> = {}) {
  const one = await site((_request, response) => response.writeHead(200, headers).end(body));
  return reader(limits).read(`${one.url}/dir/sitemap.xml`, { signal: signal() });
}

/** Answers of net without a site, for bodies that are too large to send around. */
function readBody(body: Buffer, limits: Partial<SitemapLimits> = {}, readSignal = signal()) {
  const fetched: FetchSuccess = {
    ok: true,
    url: "https://a.test/sitemap.xml",
    status: 200,
    headers: {},
    contentType: "",
    body,
    redirects: [],
    proxy: "none",
    wireBytes: body.length,
    retryAfterSeconds: null,
    durationMs: 0,
    isPrivate: false,
  };
  return readerOver({ fetch: async () => fetched }, limits).read(fetched.url, { signal: readSignal });
}

const urlset = (...urls: string[]) => `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join("")}</urlset>`;
const list = urlset("https://a.test/1", "https://a.test/2");
const listed = {
  ok: true,
  kind: "urlset",
  entries: [{ url: "https://a.test/1" }, { url: "https://a.test/2" }],
  warnings: [],
  isPrivate: true,
};

describe("a sitemap file", () => {
  it.each([
    ["as it should be", list, { "content-type": "application/xml" }],
    ["with another type", list, { "content-type": "text/html; charset=utf-8" }],
    ["with no type", list, {}],
    ["packed", gzipSync(list), { "content-type": "application/x-gzip" }],
    ["packed, called XML", gzipSync(list), { "content-type": "text/xml" }],
    ["packed by the server", gzipSync(list), { "content-encoding": "gzip" }],
    ["packed by both", gzipSync(gzipSync(list)), { "content-encoding": "gzip" }],
    ["packed twice", gzipSync(gzipSync(list)), {}],
    ["packed in parts", Buffer.concat([gzipSync(list.slice(0, 30)), gzipSync(list.slice(30))]), {}],
    ["packed, with something behind it", Buffer.concat([gzipSync(list), Buffer.from("\0\0")]), {}],
  ])("%s", async (_name, body, headers) => {
    expect(await readBytes(body, headers)).toEqual(listed);
  });

  it.each([
    ["a web page", "<!doctype html><html><a href=/>x</a></html>", "html"],
    ["nothing", "", "empty"],
    ["something else", "{}", "unknown"],
    ["something packed three times", gzipSync(gzipSync(gzipSync(list))), "unknown"],
    ["something packed that is broken", Buffer.from([0x1f, 0x8b, 8, 9, 9]), "empty"],
  ])("is %s", async (_name, body, kind) => {
    expect(await readBytes(body, { "content-type": "text/xml" })).toMatchObject({ ok: true, kind, entries: [] });
  });

  it("is asked for with the caller's headers, and resolves addresses against where it was found", async () => {
    const one = await site((request, response) => {
      if (request.url === "/sitemap.xml") response.writeHead(301, { location: "/maps/main.xml" }).end();
      else response.end(urlset("page", "/root?a#b", "//other.test/", "https://A.test/ä b"));
    });
    const file = await reader().read(`${one.url}/sitemap.xml`, { signal: signal(), headers: { "x-own": "1" } });
    expect(file).toMatchObject({
      entries: [
        { url: `${one.url}/maps/page` },
        { url: `${one.url}/root?a#b` },
        { url: "http://other.test/" },
        { url: "https://a.test/%C3%A4%20b" },
      ],
      warnings: [],
    });
    expect(one.requests.map(({ headers }) => headers["x-own"])).toEqual(["1", "1"]);
  });

  it("spells addresses as the URL parser does, however they are written", async () => {
    const origins = ["https://a.test", "HTTPS://A.test", "https://a.test:443", "http://a.test:8080", "http://0x7f.1"];
    const paths = [
      "",
      "/",
      "/a/../b",
      "/a/./b",
      "/.",
      "/a.b/.c",
      "/%2e%2E/b",
      "/%41",
      "/ä",
      "/a b",
      "/a'(b)",
      "/x?q='1'",
    ];
    const more = [
      "//a",
      "/a#b",
      "/a|b",
      "/a^b",
      "/{b}",
      '/a"b',
      "/a\\b",
      "/a&amp;b;c=1",
      "/a:b@c",
      ":x",
      "@b.test/",
      ".b.test/c",
    ];
    const written = [...paths, ...more].flatMap((path) => origins.flatMap((origin) => [`${origin}/1`, origin + path]));
    const expected = written
      .map((url) => url.replace("&amp;", "&"))
      .flatMap((url) => (URL.canParse(url) ? [{ url: new URL(url).href }] : []));
    const file = await readBody(Buffer.from(urlset(...written)));
    expect(file).toMatchObject({ ok: true, entries: expected });
  });

  it("leaves out what is no web address, and says how much", async () => {
    const bad = [
      "mailto:a@b.test",
      "javascript:alert(1)",
      "http://",
      "https://a b/",
      `https://a.test/${"ä".repeat(3000)}`,
    ];
    expect(await readBytes(urlset(...bad, "https://a.test/1", `https://a.test/${"a".repeat(9000)}`))).toEqual({
      ok: true,
      kind: "urlset",
      entries: [{ url: "https://a.test/1" }],
      warnings: ["5 entries are not http or https URLs", "1 URL is longer than 8192 characters"],
      isPrivate: true,
    });
  });

  it("of a feed has texts without their HTML", async () => {
    const item = (title: string, description: string) =>
      `<item><link>/1</link><title>${title}</title><description>${description}</description></item>`;
    const items = [
      item("<![CDATA[Fish <b>&amp;</b> chips]]>", "&lt;p&gt;One\n two&lt;/p&gt;&lt;img src='x'&gt;three"),
      item("I &lt;3 5 &lt; 6", `${"&lt;"}a href="${"x".repeat(9000)}`),
      item("a".repeat(2000), "<![CDATA[<br>]]>"),
    ];
    expect(await readBytes(`<rss>${items.join("")}</rss>`)).toMatchObject({
      kind: "feed",
      entries: [
        { title: "Fish & chips", description: "One two three" },
        { title: "I <3 5 < 6" },
        { title: "a".repeat(1000) },
      ],
    });
  });

  it.each([404, 500, 204])("that is answered with %d is no sitemap", async (status) => {
    const one = await site((_request, response) => response.writeHead(status).end(status === 204 ? undefined : list));
    expect(await reader().read(one.url, { signal: signal() })).toEqual({
      ok: false,
      code: "BAD_STATUS",
      status,
      message: `The site returned status ${status}`,
    });
  });

  it("at a private address is refused, and nothing connects", async () => {
    const one = await site((_request, response) => response.end(list));
    const guarded = readerOver(keep(openNet()));
    expect(await guarded.read(one.url, { signal: signal() })).toMatchObject({ ok: false, code: "URL_NOT_ALLOWED" });
    expect(one.connections).toBe(0);
  });
});

describe("limits", () => {
  it("cut after so many addresses", async () => {
    expect(await readBytes(list, {}, { entries: 1 })).toMatchObject({
      entries: [{ url: "https://a.test/1" }],
      warnings: ["A sitemap was truncated after 1 URLs"],
    });
    expect(await readBytes(list, {}, { entries: 2 })).toEqual(listed);
    const many = Buffer.from(urlset(...Array.from({ length: 50_001 }, (_, place) => `/${place}`)));
    const file = await readBody(many);
    expect(file.ok && [file.entries.length, file.warnings]).toEqual([
      50_000,
      ["A sitemap was truncated after 50,000 URLs"],
    ]);
  });

  it("refuse more bytes than a sitemap may have", async () => {
    const large = await readBytes(list, {}, { wireBytes: 50 });
    expect(large).toMatchObject({ ok: false, code: "SCRAPE_PAGE_TOO_LARGE" });
    const unpacked = await readBytes(gzipSync(list), { "content-encoding": "gzip" }, { decodedBytes: 50 });
    expect(unpacked).toMatchObject({ ok: false, code: "SCRAPE_PAGE_TOO_LARGE" });
  });

  it("cut a packed file after 50 MB", async () => {
    // Random fillers, so that it does not grow too much to be believed.
    const filler = Buffer.alloc(1024 * 1024, Array.from({ length: 9000 }, () => Math.random().toString(36)).join(" "));
    // In parts, so that one of them is packed once.
    const body = [gzipSync(list.replace("</urlset>", "<!--")), ...Array(51).fill(gzipSync(filler, { level: 1 }))];
    const file = await readBody(Buffer.concat(body));
    expect(file).toMatchObject({ entries: listed.entries, warnings: ["A sitemap was truncated after 50 MB"] });
  });

  it.each([1, 2])("cut what grows too much, without holding it (packed %d times)", async (layers) => {
    const bomb = Buffer.concat([Buffer.from(list.replace("</urlset>", "<!--")), Buffer.alloc(100 * 1024 * 1024)]);
    let body = gzipSync(bomb);
    for (let layer = 1; layer < layers; layer += 1) body = gzipSync(body);
    const before = process.memoryUsage.rss();
    expect(await readBody(body)).toMatchObject({
      entries: listed.entries,
      warnings: [expect.stringContaining("expands more than 200 times")],
    });
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024);
  });

  it("use what is there of a file that breaks off or is damaged", async () => {
    const packed = gzipSync(urlset(...Array.from({ length: 20_000 }, () => `https://a.test/${Math.random()}`)));
    const short = await readBody(packed.subarray(0, packed.length / 2));
    expect(short).toMatchObject({
      ok: true,
      kind: "urlset",
      warnings: ["A sitemap ends in the middle of its content"],
    });
    expect(short.ok && short.entries.length).toBeGreaterThan(5000);
    // The sum over the data, which is at its end, no longer fits.
    const damaged = await readBody(Buffer.concat([packed.subarray(0, -8), Buffer.alloc(8)]));
    expect(damaged).toMatchObject({ warnings: ["A sitemap was truncated where its compressed data is corrupt"] });
    expect(damaged.ok && damaged.entries.length).toBeGreaterThan(1000);
  });

  it("end a file that takes too long, or that no caller waits for", async () => {
    const one = await site(() => undefined);
    const slow = await reader({ fileMs: 50 }).read(one.url, { signal: signal() });
    expect(slow).toMatchObject({ ok: false, code: "SCRAPE_TIMEOUT" });
    const stopped = await reader().read(one.url, { signal: AbortSignal.abort() });
    expect(stopped).toMatchObject({ ok: false, code: "ABORTED" });
    const large = Buffer.from(urlset(...Array.from({ length: 20_000 }, (_, place) => `/${place}`)));
    expect(await readBody(large, {}, AbortSignal.abort())).toMatchObject({ ok: false, code: "ABORTED" });
  });

  it("let others have their turn while a large file is parsed", async () => {
    const large = Buffer.from(urlset(...Array.from({ length: 49_000 }, (_, place) => `/${place}${"a".repeat(300)}`)));
    let turns = 0;
    let isParsing = true;
    const turn = () => {
      turns += 1;
      if (isParsing) setImmediate(turn);
    };
    setImmediate(turn);
    await readBody(large);
    isParsing = false;
    expect(turns).toBeGreaterThan(large.length / (128 * 1024));
  });
});
