import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { type FixtureSite, startSite } from "../../../test/support/fixture-site.ts";
import { openNet } from "../../../test/support/site-server.ts";
import { createSitemapReader, type SitemapFile, type SitemapReaderDeps } from "./sitemap-reader.ts";
import type { SitemapKind } from "./sitemap-shapes.ts";
import { type SitemapWalk, type SitemapWalkDeps, type SitemapWalkOptions, walkSitemaps } from "./sitemaps.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

const index = (...urls: string[]) =>
  `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join("")}</sitemapindex>`;
const urlset = (...urls: string[]) => `<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join("")}</urlset>`;

async function collect(walk: SitemapWalk): Promise<string[]> {
  const found: string[] = [];
  for await (const { entries } of walk.files()) found.push(...entries.map(({ url }) => new URL(url).pathname));
  return found;
}

async function openSite(pages: Parameters<typeof startSite>[0]): Promise<FixtureSite> {
  const site = await startSite(pages);
  opened.push(site);
  return site;
}

function walkSite(site: FixtureSite, starts: string[], more: Partial<SitemapWalkOptions> = {}): SitemapWalk {
  const net = openNet({ allow: `127.0.0.1:${site.port}` });
  opened.push(net);
  const signal = AbortSignal.timeout(60_000);
  return walkSitemaps(readOver(net), { starts: starts.map((path) => site.url + path), signal, ...more });
}

function readOver(net: SitemapReaderDeps): SitemapWalkDeps {
  const { load, parse } = createSitemapReader(net);
  return {
    async openFile(url, how) {
      const file = await load(url, how);
      return async function* () {
        if (file.ok) yield* parse(file, how.signal);
        else yield file;
      };
    },
  };
}

const fileOf = (kind: SitemapKind, urls: string[]): SitemapFile => ({
  ok: true,
  kind,
  entries: urls.map(toEntry),
  warnings: [],
});
const list = (...urls: string[]) => fileOf("urlset", urls);
const indexOf = (urls: string[]) => fileOf("index", urls);
const toEntry = (url: string) => ({ url });
const signal = new AbortController().signal;

/** A reader whose files a test writes; `asked` in the order of the asking. */
function fake(answer: (path: string, signal: AbortSignal) => SitemapFile | Promise<SitemapFile>) {
  const asked: string[] = [];
  const openFile = async (url: string, { signal }: { signal: AbortSignal }) => {
    const path = new URL(url).pathname;
    asked.push(path);
    const file = await answer(path, signal);
    return async function* () {
      yield file;
    };
  };
  return { asked, openFile };
}

const at = (path: string) => `https://a.test${path}`;
const numbers = (count: number) => Array.from({ length: count }, (_, place) => place + 1);

describe("a walk over a site", () => {
  it("follows indexes in their order, whatever answers first", async () => {
    const waiting: (() => void)[] = [];
    const site = await openSite({
      "/index.xml": index("/slow.xml", "/inner.xml", "/c.xml"),
      "/slow.xml": (_request, response) => void waiting.push(() => response.end(urlset("/a1", "/a2"))),
      "/inner.xml": index("b1.xml", "b2.xml"),
      "/b1.xml": urlset("/b1"),
      "/b2.xml": urlset("/b2"),
      "/c.xml": (_request, response) => {
        response.end(urlset("/c"));
        for (const go of waiting) go();
      },
      "/second.txt": "http://a.test/d\n",
    });
    const walk = walkSite(site, ["/index.xml", "/second.txt"]);
    expect(await collect(walk)).toEqual(["/a1", "/a2", "/b1", "/b2", "/c", "/d"]);
    expect(walk.warnings()).toEqual([]);
  });

  it("reads each file once: loops end", async () => {
    const site = await openSite({
      "/self.xml": index("/self.xml", "/self.xml#again", "/other.xml"),
      "/other.xml": index("/self.xml", "/list.xml", "/list.xml"),
      "/list.xml": urlset("/1"),
    });
    const walk = walkSite(site, ["/self.xml", "/list.xml", "/self.xml"]);
    expect(await collect(walk)).toEqual(["/1"]);
    expect(site.asked.sort()).toEqual(["/list.xml", "/other.xml", "/self.xml"]);
  });

  it("says what could not be read", async () => {
    const site = await openSite({
      "/index.xml": index("/1.xml", "/2.xml", "/page", "/empty", "/other", "/3.xml", "/4.xml", "/good.xml"),
      "/page": "<!doctype html><html></html>",
      "/empty": "",
      "/other": "<x/>",
      "/good.xml": urlset("/1", "mailto:x"),
    });
    const walk = walkSite(site, ["/index.xml"]);
    expect(await collect(walk)).toEqual(["/1"]);
    const { url } = site;
    expect(walk.warnings()).toEqual([
      `4 sitemaps could not be read (404): ${url}/1.xml, ${url}/2.xml, ${url}/3.xml, …`,
      `1 sitemap could not be read (a web page): ${url}/page`,
      `1 sitemap could not be read (empty): ${url}/empty`,
      `1 sitemap could not be read (unknown format): ${url}/other`,
      `1 entry is not an http or https URL: ${url}/good.xml`,
    ]);
  });

  it("says nothing of guesses that are not there, but of those that are broken", async () => {
    const site = await openSite({
      "/named.xml": urlset("/1"),
      "/page": "<html><body>Not found</body></html>",
      "/broken.xml": (_request, response) => response.writeHead(500).end(),
      "/guess.xml": index("/gone.xml", "/list.xml"),
      "/list.xml": urlset("/2"),
    });
    const guesses = ["/missing.xml", "/page", "/named.xml", "/broken.xml", "/guess.xml"].map((path) => site.url + path);
    const walk = walkSite(site, ["/named.xml"], { guesses });
    expect(await collect(walk)).toEqual(["/1", "/2"]);
    expect(walk.warnings()).toEqual([
      `1 sitemap could not be read (500): ${site.url}/broken.xml`,
      `1 sitemap could not be read (404): ${site.url}/gone.xml`,
    ]);
  });

  it("never connects to a private address that an index names", async () => {
    const inside = await openSite({ "/secret.xml": urlset("/secret") });
    const site = await openSite({
      "/index.xml": index(`${inside.url}/secret.xml`, "http://10.0.0.1/x.xml", "/moved.xml", "/good.xml"),
      "/moved.xml": (_request, response) => response.writeHead(302, { location: `${inside.url}/secret.xml` }).end(),
      "/good.xml": urlset("/1"),
    });
    const walk = walkSite(site, ["/index.xml"]);
    expect(await collect(walk)).toEqual(["/1"]);
    expect(inside.asked).toEqual([]);
    expect(walk.warnings()).toEqual([
      `3 sitemaps could not be read (This URL is not allowed): ${inside.url}/secret.xml, http://10.0.0.1/x.xml, ${site.url}/moved.xml`,
    ]);
  });

  it("asks for each file with the headers that are meant for it", async () => {
    const elsewhere = await openSite({ "/list.xml": urlset("/2") });
    const site = await openSite({
      "/index.xml": index("/list.xml", `${elsewhere.url}/list.xml`),
      "/list.xml": urlset("/1"),
    });
    const net = openNet({ allow: "127.0.0.1" });
    opened.push(net);
    const headersFor = (url: string): Record<string, string> =>
      url.startsWith(site.url) ? { authorization: "secret" } : {};
    const options = { starts: [`${site.url}/index.xml`], signal, headersFor };
    expect(await collect(walkSitemaps(readOver(net), options))).toEqual(["/1", "/2"]);
    expect(site.headers().authorization).toBe("secret");
    expect(elsewhere.headers().authorization).toBeUndefined();
  });
});

describe("limits of a walk", () => {
  it("reads three indexes below each other, not four", async () => {
    const { openFile } = fake((path) => {
      const level = Number(path.slice(1));
      return Number.isNaN(level) ? list(at(`${path}/page`)) : indexOf([at(`/${level + 1}`), at(`/list${level}`)]);
    });
    const walk = walkSitemaps({ openFile }, { starts: [at("/1")], signal });
    expect(await collect(walk)).toEqual(["/list3/page", "/list2/page", "/list1/page"]);
    expect(walk.warnings()).toEqual([
      `1 sitemap could not be read (an index nested more than 3 levels deep): ${at("/4")}`,
    ]);
  });

  it.each([
    [499, []],
    [500, ["Only the first 500 sitemaps were read"]],
    [50_000, ["Only the first 500 sitemaps were read"]],
  ])("reads 500 files: an index of %d", async (count, warnings) => {
    const { asked, openFile } = fake((path) =>
      path === "/index" ? indexOf(numbers(count).map((number) => at(`/${number}`))) : list(at(path)),
    );
    const walk = walkSitemaps({ openFile }, { starts: [at("/index")], signal });
    expect(await collect(walk)).toEqual(numbers(499).map((number) => `/${number}`));
    expect(asked).toHaveLength(500);
    expect(walk.warnings()).toEqual(warnings);
  });

  it("reads 500 files in the order of the indexes", async () => {
    const { asked, openFile } = fake((path) => {
      if (path === "/index") return indexOf(numbers(400).map((number) => at(`/${number}`)));
      return path === "/2" ? indexOf(numbers(300).map((number) => at(`/2/${number}`))) : list(at(path));
    });
    const walk = walkSitemaps({ openFile }, { starts: [at("/index")], signal });
    const found = await collect(walk);
    expect(found).toEqual([
      "/1",
      ...numbers(300).map((number) => `/2/${number}`),
      ...numbers(199)
        .slice(2)
        .map((number) => `/${number}`),
    ]);
    expect(asked).toHaveLength(500);
  });

  it("leaves out the files that the caller does not want", async () => {
    const { asked, openFile } = fake((path) => (path === "/index" ? indexOf([at("/a"), at("/b")]) : list(at(path))));
    const walk = walkSitemaps({ openFile }, { starts: [at("/index")], signal, isWanted: (url) => url.endsWith("b") });
    expect(await collect(walk)).toEqual(["/b"]);
    expect(asked).toEqual(["/index", "/b"]);
  });

  it("gives at most ten warnings", async () => {
    const { openFile } = fake((path) => ({
      ok: false,
      code: "BAD_STATUS",
      status: Number(path.slice(1)),
      message: "",
    }));
    const walk = walkSitemaps({ openFile }, { starts: numbers(20).map((number) => at(`/${400 + number}`)), signal });
    await collect(walk);
    expect(walk.warnings()).toHaveLength(10);
    expect(walk.warnings().at(-1)).toBe("11 more warnings about sitemaps");
  });
});

describe("reading ahead", () => {
  const manyFiles = () =>
    fake((path) => (path === "/index" ? indexOf(numbers(50).map((number) => at(`/${number}`))) : list(at(path))));

  it("is never more than four files past the one that is delivered", async () => {
    const { asked, openFile } = manyFiles();
    const walk = walkSitemaps({ openFile }, { starts: [at("/index")], signal });
    let delivered = 0;
    for await (const _file of walk.files()) {
      delivered += 1;
      await setImmediate();
      expect(asked.length).toBe(1 + Math.min(50, delivered + 4));
    }
  });

  it("holds a bounded number of files while nested indexes are delivered", async () => {
    let held = 0;
    let most = 0;
    const { openFile } = fake((path) => {
      held += 1;
      most = Math.max(most, held);
      const isIndex = path.split("/").length <= 4;
      return isIndex ? indexOf(numbers(5).map((number) => at(`${path}/${number}`))) : list(at(path));
    });
    const walk = walkSitemaps({ openFile: (url, how) => openFile(url, how) }, { starts: [at("/i")], signal });
    const found: string[] = [];
    for await (const { url } of walk.files()) {
      held -= 1;
      found.push(url);
    }
    expect(found).toEqual([...found].sort());
    expect(found).toHaveLength(125);
    // 31 indexes were never delivered.
    expect(most).toBeLessThanOrEqual(31 + 9);
  });

  it("stops at once when its caller takes no more", async () => {
    const signals: AbortSignal[] = [];
    const { asked, openFile } = fake((path, given) => {
      signals.push(given);
      if (path === "/index") return indexOf(numbers(50).map((number) => at(`/${number}`)));
      return path === "/1" ? list(at(path)) : new Promise<never>(() => undefined);
    });
    const walk = walkSitemaps({ openFile }, { starts: [at("/index")], signal });
    for await (const _file of walk.files()) break;
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
    const before = asked.length;
    await setImmediate();
    expect(asked.length).toBe(before);
    expect(before).toBe(6);
  });

  it("ends without a word when the signal does", async () => {
    const stopping = new AbortController();
    const { asked, openFile } = fake((path, given) => {
      if (path !== "/2") return list(at(path));
      return new Promise((answer) => {
        given.addEventListener("abort", () =>
          answer({ ok: false, code: "ABORTED", message: "The request was cancelled" }),
        );
        stopping.abort();
      });
    });
    const walk = walkSitemaps({ openFile }, { starts: [at("/1"), at("/2"), at("/3")], signal: stopping.signal });
    expect(await collect(walk)).toEqual([]);
    expect(walk.warnings()).toEqual([]);
    const before = asked.length;
    const late = walkSitemaps({ openFile }, { starts: [at("/1")], signal: stopping.signal });
    expect(await collect(late)).toEqual([]);
    expect(asked.length).toBe(before);
  });

  it("hands on what a reader throws, once and only if it was waited for", async () => {
    const { openFile } = fake((path) => {
      if (path === "/1") return list(at(path));
      throw new Error(`broken ${path}`);
    });
    const walk = walkSitemaps({ openFile }, { starts: numbers(4).map((number) => at(`/${number}`)), signal });
    await expect(collect(walk)).rejects.toThrow("broken /2");
  });
});
