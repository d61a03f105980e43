// Crawls that read only what changed: since the team's last crawl of each page, or since a date.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { anyEngine, engines, onOneEngine } from "../support/engines.ts";
import { pathOf, runJob } from "../support/jobs.ts";
import { useApp, withoutBrowser } from "../support/shared-app.ts";
import { openVersionedSite, type VersionedPage, version } from "../support/versioned-site.ts";

interface Shown {
  markdown?: string;
  metadata: { sourceURL: string; unchanged?: boolean; statusCode?: number };
}

/** Paths of the documents: those that have not changed, and the others. */
function sortOut(data: Shown[]) {
  const paths = (isUnchanged: boolean) =>
    data
      .filter(({ metadata }) => (metadata.unchanged === true) === isUnchanged)
      .map(({ metadata }) => pathOf(metadata.sourceURL))
      .toSorted();
  return { unchanged: paths(true), changed: paths(false) };
}

/** An article with a footer outside of it. */
const printed = (title: string, links: readonly string[], footer: string) => {
  const text = "It says the same in many words, so that nobody takes it for a note beside something else. ".repeat(8);
  const list = links.map((link) => `<a href="${link}">${link}</a>`).join(" ");
  const body = `<main><article><h1>${title}</h1><p>${text}</p><p>${text}</p><p>${list}</p></article></main>`;
  return `<!doctype html><title>${title}</title><body>${body}<footer><p>${footer}</p></footer></body>`;
};

describe.each(engines)("changedSince on $name", (engine) => {
  const { itOnce } = onOneEngine(engine);
  let app: TestApp;
  beforeAll(async () => {
    app = await useApp(engine, withoutBrowser);
  });
  afterAll(() => app.stop());
  const crawl = (url: string, body: object = {}, call = {}) =>
    runJob(app, "/v2/crawl", { url, sitemap: "skip", ...body }, call);

  it.each(engine === anyEngine ? (["etag", "modified", "none"] as const) : (["etag"] as const))(
    "last: pages that tell %s and have not changed are free, and what they link to is read",
    async (tells) => {
      const pages: Record<string, VersionedPage> = {
        "/": version("Start", ["/a"], { tells }),
        "/a": { html: printed("A", ["/b"], "Printed in the morning"), tells },
        "/b": version("B", [], { tells }),
      };
      const site = await openVersionedSite(pages);
      const first = await crawl(site.url, { changedSince: "last" });
      expect(sortOut(first.data)).toEqual({ unchanged: [], changed: ["/", "/a", "/b"] });
      expect(first.status).toMatchObject({ creditsUsed: 3, removed: [] });
      site.take();
      // The same words under another footer are the same content.
      if (tells === "none") pages["/a"] = { html: printed("A", ["/b"], "Printed at noon"), tells };
      pages["/b"] = version("B, revised", ["/c"], { tells, modified: "Mon, 09 Nov 2026 10:00:00 GMT" });
      pages["/c"] = version("C", [], { tells });
      const second = await crawl(site.url, { changedSince: "last" });
      expect(sortOut(second.data)).toEqual({ unchanged: ["/", "/a"], changed: ["/b", "/c"] });
      expect(second.status).toMatchObject({ status: "completed", completed: 4, creditsUsed: 2, removed: [] });
      const start = second.data.find(({ metadata }) => pathOf(metadata.sourceURL) === "/");
      expect(start).toEqual({ metadata: expect.objectContaining({ unchanged: true, url: `${site.url}/` }) });
      const kept = tells === "none" ? 200 : 304;
      expect(site.take()).toEqual([
        { path: "/", status: kept },
        { path: "/a", status: kept },
        { path: "/b", status: 200 },
        { path: "/c", status: 200 },
      ]);
    },
  );

  it("last: is the last crawl of each page, whatever the job and the age of cached copies; of this team only", async () => {
    const pages = { "/": version("Start", ["/a"]), "/a": version("A") };
    const site = await openVersionedSite(pages);
    await crawl(`${site.url}/a`, { limit: 1 });
    const mixed = await crawl(site.url, { changedSince: "last" });
    expect(sortOut(mixed.data)).toEqual({ unchanged: ["/a"], changed: ["/"] });
    pages["/a"] = version("A, revised");
    const later = await crawl(site.url, { changedSince: "last", scrapeOptions: { maxAge: 86_400_000 } });
    expect(sortOut(later.data)).toEqual({ unchanged: ["/"], changed: ["/a"] });
    const others = await crawl(site.url, { changedSince: "last" }, { key: app.otherKey });
    expect(sortOut(others.data)).toEqual({ unchanged: [], changed: ["/", "/a"] });
  });

  it("last: a page that is gone is listed once, whether something still links to it or not", async () => {
    const pages: Record<string, VersionedPage> = {
      "/": version("Start", ["/linked", "/dropped", "/left"]),
      "/linked": version("Linked"),
      "/dropped": version("Dropped"),
      "/left": version("Left"),
      "/broken": version("Broken"),
    };
    const site = await openVersionedSite(pages);
    await crawl(site.url);
    delete pages["/linked"];
    delete pages["/dropped"];
    pages["/"] = version("Start", ["/linked", "/unheard-of"]);
    const second = await crawl(site.url, { changedSince: "last" });
    expect(second.status.removed).toEqual([`${site.url}/dropped`, `${site.url}/linked`]);
    // A page that nothing links to any more is not gone; one that never was is a page with status 404, as in any crawl.
    expect(second.paths).toEqual(["/", "/unheard-of"]);
    expect(second.status.creditsUsed).toBe(2);
    const third = await crawl(site.url, { changedSince: "last" });
    expect(third.status.removed).toEqual([]);
  });

  itOnce(
    "last: a page that moved is read at its new place, and one that breaks keeps its last good version",
    async () => {
      const pages: Record<string, VersionedPage> = {
        "/": version("Start", ["/moves", "/breaks"]),
        "/moves": version("Moves"),
        "/breaks": version("Breaks"),
      };
      const site = await openVersionedSite(pages);
      await crawl(site.url);
      pages["/moved"] = version("Moved");
      pages["/moves"] = { html: "", movedTo: "/moved" };
      pages["/breaks"] = { ...version("Oh no"), status: 500 };
      const second = await crawl(site.url, { changedSince: "last" });
      expect(sortOut(second.data)).toEqual({ unchanged: ["/"], changed: ["/breaks", "/moves"] });
      expect(second.status.removed).toEqual([]);
      pages["/breaks"] = version("Breaks");
      const third = await crawl(site.url, { changedSince: "last" });
      expect(sortOut(third.data)).toEqual({ unchanged: ["/", "/breaks", "/moves"], changed: [] });
      expect(third.status.creditsUsed).toBe(0);
    },
  );

  itOnce("a sitemap's lastmod before the last crawl is enough: the page is not asked for", async () => {
    const pages: Record<string, VersionedPage> = {
      "/": version("Start", [], { tells: "none" }),
      "/old": version("Old", ["/deep"], { tells: "none" }),
      "/deep": version("Deep", [], { tells: "none" }),
      "/new": version("New", [], { tells: "none" }),
    };
    let newAt = "2020-01-01";
    const entry = (path: string, lastmod: string) =>
      `<url><loc>${site.url}${path}</loc><lastmod>${lastmod}</lastmod></url>`;
    const site: Awaited<ReturnType<typeof openVersionedSite>> = await openVersionedSite(
      pages,
      () => `<urlset>${entry("/old", "2020-01-01T10:00:00Z")}${entry("/new", newAt)}</urlset>`,
    );
    await crawl(site.url, { sitemap: "include" });
    site.take();
    newAt = "2099-01-01";
    pages["/new"] = version("New, revised", [], { tells: "none" });
    const second = await crawl(site.url, { sitemap: "include", changedSince: "last" });
    expect(sortOut(second.data)).toEqual({ unchanged: ["/", "/deep", "/old"], changed: ["/new"] });
    expect(site.take().map(({ path }) => path)).toEqual(["/", "/deep", "/new"]);
    const since = await crawl(site.url, { sitemap: "include", changedSince: "2021-05-01" });
    expect(sortOut(since.data).unchanged).toContain("/old");
  });

  itOnce("a date is compared with Last-Modified, also of pages that were never read before", async () => {
    const modified = (time: string) => ({ tells: "modified" as const, modified: time });
    const site = await openVersionedSite({
      "/": version("Start", ["/before", "/after"], modified("Mon, 02 Nov 2026 10:00:00 GMT")),
      "/before": version("Before", [], modified("Mon, 02 Nov 2026 10:00:00 GMT")),
      "/after": version("After", [], modified("Mon, 09 Nov 2026 10:00:00 GMT")),
    });
    for (const time of ["2026-11-05", "2026-11-05T00:00:00Z"]) {
      const { data, status } = await crawl(site.url, { changedSince: time });
      expect(sortOut(data)).toEqual({ unchanged: ["/", "/before"], changed: ["/after"] });
      expect(status.creditsUsed).toBe(1);
    }
    // Links are known now, so the pages are only asked whether they changed.
    site.take();
    const again = await crawl(site.url, { changedSince: "2026-11-05" });
    expect(site.take().filter(({ status }) => status === 304)).toHaveLength(2);
    expect(sortOut(again.data).unchanged).toEqual(["/", "/before"]);
  });

  itOnce("sends no condition of one reading with other headers or as another device", async () => {
    const site = await openVersionedSite({ "/": version("Start") });
    await crawl(site.url);
    const other = await crawl(site.url, { changedSince: "last", scrapeOptions: { headers: { "x-view": "b" } } });
    expect(sortOut(other.data)).toEqual({ unchanged: [], changed: ["/"] });
  });

  itOnce("pages that must not be kept leave nothing to compare with", async () => {
    const own = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1" });
    onTestFinished(() => own.stop());
    const site = await openVersionedSite({ "/": version("Start") });
    await runJob(own, "/v2/crawl", { url: site.url, sitemap: "skip", zeroDataRetention: true });
    expect((await own.fresh.listRows()).filter((row) => row.startsWith("page_fingerprints"))).toEqual([]);
    const next = await runJob(own, "/v2/crawl", { url: site.url, sitemap: "skip", changedSince: "last" });
    expect(sortOut(next.data).changed).toEqual(["/"]);
  });

  itOnce("unchanged pages are free for maxCredits, too", async () => {
    const paths = ["/a", "/b", "/c"];
    const pages: Record<string, VersionedPage> = {
      "/": version("Start", paths),
      ...Object.fromEntries(paths.map((path) => [path, version(path)])),
    };
    const site = await openVersionedSite(pages);
    await crawl(site.url);
    pages["/c"] = version("C, revised");
    const { status } = await crawl(site.url, { changedSince: "last", maxCredits: 1 });
    expect(status).toMatchObject({ completed: 4, creditsUsed: 1 });
  });
});
