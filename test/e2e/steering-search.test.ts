// Crawls that look for something read the most promising links first; a dry run says what a crawl would come to.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../support/app.ts";
import { bystanders, onOneEngine } from "../support/engines.ts";
import { answerText, openSite, page, pagesFor, runJob, sitemapOf } from "../support/jobs.ts";
import { countRelevant, openLibrary } from "../support/library-site.ts";
import { useApp, withoutBrowser } from "../support/shared-app.ts";

describe.each(bystanders)("crawls for something on $name", (engine) => {
  const { itOnce } = onOneEngine(engine);
  let app: TestApp;
  beforeAll(async () => {
    app = await useApp(engine, withoutBrowser);
  });
  afterAll(() => app.stop());
  const ask = async (body: object) => (await app.call("POST", "/v2/crawl", { body })).body;

  itOnce(
    "find at least three times as many relevant pages of 2,000 as breadth first, with a limit of 100",
    async () => {
      const site = await openSite(openLibrary(2000));
      const read = async (body: object) =>
        countRelevant((await runJob(app, "/v2/crawl", { url: site.url, sitemap: "skip", limit: 100, ...body })).paths);
      const [plain, best] = [await read({}), await read({ search: "sourdough bread baking" })];
      expect(plain).toBeGreaterThan(0);
      expect(best).toBeGreaterThanOrEqual(3 * plain);
    },
  );

  it("read the pages that a sitemap lists by their URLs, too", async () => {
    const paths = Array.from({ length: 30 }, (_, index) => `/news/item-${index}`);
    const wanted = ["/guides/sourdough-bread", "/guides/baking-bread"];
    const site = await openSite({
      "/": page("Start"),
      "/sitemap.xml": (request, response) =>
        sitemapOf(...[...paths, ...wanted].map((path) => `${site.url}${path}`))(request, response),
      ...pagesFor([...paths, ...wanted]),
    });
    const { paths: read } = await runJob(app, "/v2/crawl", { url: site.url, limit: 3, search: "sourdough bread" });
    expect(read).toEqual(["/", ...wanted.toSorted()]);
  });

  describe("a dry run", () => {
    it("counts what robots.txt, paths and the limit leave of the sitemaps, and fetches nothing else", async () => {
      const listed = ["/a/1", "/a/2", "/a/3", "/b/1", "/private/1"];
      const site = await openSite({
        "/": page("Start"),
        "/robots.txt": answerText("User-agent: *\nDisallow: /private/\n"),
        "/sitemap.xml": (request, response) =>
          sitemapOf(...listed.map((path) => `${site.url}${path}`))(request, response),
        ...pagesFor(listed),
      });
      const { estimate, ...answer } = await ask({ url: site.url, dryRun: true });
      expect(answer).toEqual({ success: true });
      expect(estimate).toMatchObject({ pages: 5, credits: 5, seconds: expect.any(Number), bytes: expect.any(Number) });
      expect(estimate.basis.pages).toContain("5 URLs");
      expect((await ask({ url: site.url, dryRun: true, limit: 2 })).estimate.pages).toBe(2);
      const some = { includePaths: ["^/a/"], scrapeOptions: { formats: ["markdown", "summary"] } };
      expect((await ask({ url: site.url, dryRun: true, ...some })).estimate.pages).toBe(3);
      expect((await ask({ url: site.url, dryRun: true, maxCredits: 4 })).estimate).toMatchObject({
        pages: 4,
        credits: 4,
      });
      const slow = (await ask({ url: site.url, dryRun: true, delay: 10 })).estimate;
      expect(slow.seconds).toBeGreaterThanOrEqual(50);
      expect(site.asked.filter((path) => !path.includes("sitemap") && path !== "/robots.txt")).toEqual([]);
      const { body } = await app.get("/v2/crawl/active");
      expect(body.crawls).toEqual([]);
    });

    it("warns when there is no sitemap, and counts the pages that the team knows", async () => {
      const site = await openSite({ "/": page("Start", ["/a", "/b"]), ...pagesFor(["/a", "/b"]) });
      const unknown = await ask({ url: site.url, dryRun: true });
      expect(unknown).toMatchObject({ success: true, estimate: { pages: 1 } });
      expect(unknown.warning).toContain("no sitemap");
      await runJob(app, "/v2/crawl", { url: site.url });
      expect((await ask({ url: site.url, dryRun: true })).estimate).toMatchObject({ pages: 3, credits: 3 });
    });

    it("says when robots.txt leaves nothing, and refuses what a crawl refuses", async () => {
      const site = await openSite({ "/robots.txt": answerText("User-agent: *\nDisallow: /\n"), "/": page("Start") });
      const closed = await ask({ url: site.url, dryRun: true });
      expect(closed).toMatchObject({ estimate: { pages: 0, credits: 0 } });
      expect(closed.warning).toContain("robots.txt");
      expect(site.asked).not.toContain("/");
      expect((await ask({ url: "http://10.0.0.1/", dryRun: true })).code).toBe("URL_NOT_ALLOWED");
    });
  });
});
