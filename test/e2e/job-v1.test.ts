// Crawls and batches under /v1: the same jobs with v1's names and quirks.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { openSite, page, pagesFor, runJob, sitemapOf, startJob, untilEnded } from "../support/jobs.ts";
import { useApp } from "../support/shared-app.ts";

describe.each([anyEngine])("v1 jobs on $name", (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await useApp(engine);
  });
  afterAll(() => app.stop());

  const openTree = () =>
    openSite({
      "/docs": page("Docs", ["/docs/a", "/"]),
      "/docs/a": page("A", ["/docs/a/b"]),
      "/sitemap.xml": (request, response) => sitemapOf(`http://${request.headers.host}/docs/listed`)(request, response),
      ...pagesFor(["/", "/docs/a/b", "/docs/listed"]),
    });

  const rows: [object, string[]][] = [
    [{}, ["/docs", "/docs/a", "/docs/a/b", "/docs/listed"]],
    [{ ignoreSitemap: true }, ["/docs", "/docs/a", "/docs/a/b"]],
    [{ sitemapOnly: true }, ["/docs", "/docs/listed"]],
    [{ ignoreSitemap: true, maxDepth: 1 }, ["/docs", "/docs/a"]],
    [{ ignoreSitemap: true, maxDepth: 1, allowBackwardLinks: true }, ["/", "/docs", "/docs/a"]],
    [{ ignoreSitemap: true, limit: 1 }, ["/docs"]],
  ];
  it.each(rows)("crawl with %j", async (options, left) => {
    const site = await openTree();
    const { started, paths, status } = await runJob(app, "/v1/crawl", { url: `${site.url}/docs`, ...options });
    expect(started.url).toBe(`${app.url}/v1/crawl/${started.id}`);
    expect(paths).toEqual(left);
    expect(status).toMatchObject({ success: true, status: "completed" });
    expect(status).not.toHaveProperty("next");
  });

  it("next is absent or an absolute v1 address, never null", async () => {
    const site = await openTree();
    const { id } = await runJob(app, "/v1/crawl", { url: `${site.url}/docs` });
    const first = (await app.get(`/v1/crawl/${id}?limit=3`)).body;
    expect(first.next).toBe(`${app.url}/v1/crawl/${id}?skip=3&limit=3`);
    const last = (await app.get(`/v1/crawl/${id}?skip=3&limit=3`)).body;
    expect([Object.keys(last).includes("next"), last.data.length]).toEqual([false, 1]);
    const beyond = (await app.get(`/v1/crawl/${id}?skip=10`)).body;
    expect([Object.keys(beyond).includes("next"), beyond.data]).toEqual([false, []]);
  });

  it("a batch is read, watched and cancelled under /v1/crawl, too; ids serve both versions", async () => {
    const site = await openTree();
    const urls = [`${site.url}/docs`, `${site.url}/docs/a`];
    const id = await startJob(app, "/v1/batch/scrape", { urls });
    for (const path of ["/v1/crawl", "/v1/batch/scrape", "/v2/batch/scrape", "/v2/crawl"]) {
      const body = await untilEnded(app, `${path}/${id}`);
      expect([body.status, body.data.length]).toEqual(["completed", 2]);
    }
    expect((await app.call("DELETE", `/v1/crawl/${id}`)).status).toBe(409);
  });

  it("DELETE …/errors lists and cancels nothing", async () => {
    let answer = () => {};
    const held = await openSite(() => (_request, response) => {
      answer = () => response.writeHead(200, { "content-type": "text/html" }).end(page("Late"));
    });
    const batch = await startJob(app, "/v1/batch/scrape", { urls: [held.url] });
    for (const path of ["/v1/batch/scrape", "/v1/crawl"]) {
      const { status, body } = await app.call("DELETE", `${path}/${batch}/errors`);
      expect([status, body]).toEqual([200, { success: true, errors: [], robotsBlocked: [] }]);
    }
    expect((await app.get(`/v1/crawl/${batch}`)).body.status).toBe("scraping");
    await expect.poll(() => held.asked.length).toBe(1);
    answer();
    expect(await untilEnded(app, `/v1/crawl/${batch}`)).toMatchObject({ status: "completed", completed: 1 });
  });
});
