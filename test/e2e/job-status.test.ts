// What can be asked of a crawl or batch that runs or has ended: status, pages of documents, errors, cancelling, expiry.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Clock, newId } from "../../src/base/index.ts";
import { otherKey, startApp, type TestApp } from "../support/app.ts";
import { bystanders, onOneEngine } from "../support/engines.ts";
import { openSite, page, pagesFor, pathOf, redirectTo, runJob, startJob, untilEnded } from "../support/jobs.ts";

const unknownId = "01990000-0000-7000-8000-000000000000";

/** The real time, from a moment on that a test can move. */
function createMovedClock(): Clock & { advance(ms: number): void } {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    advance(ms) {
      offset += ms;
    },
  };
}

describe.each(bystanders)("a job on $name", (engine) => {
  const { itOnce } = onOneEngine(engine);
  const clock = createMovedClock();
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1" }, clock);
  });
  afterAll(() => app.stop());

  const links = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`);
  const openPages = (count: number) => openSite({ "/": page("Start", links(count)), ...pagesFor(links(count)) });

  /** A site that holds its pages back until it is told to go on; the start page comes at once. */
  async function openHeld(count: number) {
    let isHeld = true;
    const waiting: (() => void)[] = [];
    const site = await openSite((path) => (_request, response) => {
      response.setHeader("content-type", "text/html");
      if (path === "/robots.txt") return void response.writeHead(404).end();
      const answer = () => response.end(page(path, path === "/" ? links(count) : []));
      if (isHeld && path !== "/") waiting.push(answer);
      else answer();
    });
    const letGo = () => {
      isHeld = false;
      for (const answer of waiting.splice(0)) answer();
    };
    return { site, letGo };
  }

  async function startHeld(count: number, options: object = {}) {
    const { site, letGo } = await openHeld(count);
    const id = await startJob(app, "/v2/crawl", { url: site.url, sitemap: "skip", ...options });
    await expect.poll(async () => (await app.get(`/v2/crawl/${id}`)).body.completed).toBe(1);
    return { site, letGo, id, path: `/v2/crawl/${id}` };
  }

  it("tells how far it is, field by field", async () => {
    const { letGo, path } = await startHeld(5);
    const running = (await app.get(path)).body;
    expect(Object.keys(running).toSorted()).toEqual(
      [
        "success",
        "status",
        "total",
        "completed",
        "creditsUsed",
        "createdAt",
        "duration",
        "expiresAt",
        "next",
        "data",
      ].toSorted(),
    );
    expect(running).toMatchObject({ success: true, status: "scraping", total: 6, completed: 1, creditsUsed: 1 });
    // Results live for a day from the end on, which is not before now.
    const livesMs = Date.parse(running.expiresAt) - Date.parse(running.createdAt) - running.duration * 1000;
    expect(livesMs).toBeCloseTo(86_400_000, 0);
    letGo();
    const ended = await untilEnded(app, path);
    expect(Object.keys(ended).toSorted()).toEqual(
      [
        "success",
        "status",
        "total",
        "completed",
        "creditsUsed",
        "createdAt",
        "completedAt",
        "duration",
        "expiresAt",
        "data",
      ].toSorted(),
    );
    expect(ended).toMatchObject({ success: true, status: "completed", total: 6, completed: 6, creditsUsed: 6 });
    expect(Date.parse(ended.expiresAt) - Date.parse(ended.completedAt)).toBe(86_400_000);
    expect(ended.duration).toBeCloseTo((Date.parse(ended.completedAt) - Date.parse(ended.createdAt)) / 1000, 3);
    for (const time of [ended.createdAt, ended.completedAt, ended.expiresAt]) {
      expect(new Date(time).toISOString()).toBe(time);
    }
  });

  itOnce("counts up while it runs: neither number falls, and no more pages are done than there are", async () => {
    // Of every three links one leads back to the start, so that it counts for nothing.
    const day = (path: string) => Number(path.split("/").at(-1)) || 0;
    const site = await openSite((path) => {
      if (path.startsWith("/alias")) return redirectTo("/");
      const next = [`/day/${day(path) + 1}`, `/alias/${day(path)}`, `/day/${day(path) + 2}`];
      return path === "/" || path.startsWith("/day/") ? page(path, next) : undefined;
    });
    const id = await startJob(app, "/v2/crawl", { url: site.url, sitemap: "skip", limit: 30, maxConcurrency: 2 });
    const seen: { status: string; total: number; completed: number }[] = [];
    do seen.push((await app.get(`/v2/crawl/${id}?limit=1`)).body);
    while (seen.at(-1)?.status === "scraping");
    for (const [index, { status, total, completed }] of seen.entries()) {
      const before = seen[index - 1] ?? { total: 1, completed: 0 };
      expect(completed).toBeGreaterThanOrEqual(before.completed);
      expect(total).toBeGreaterThanOrEqual(completed);
      expect(total).toBeLessThanOrEqual(30);
      if (status === "scraping") expect(total).toBeGreaterThanOrEqual(before.total);
    }
    const end = seen.at(-1);
    expect(end?.status).toBe("completed");
    expect(end?.total).toBe(end?.completed);
  });

  describe("pages of documents", () => {
    it("follow the rules of `next` to the letter", async () => {
      const { letGo, path } = await startHeld(4);
      const get = async (query: string) => {
        const { data, next } = (await app.get(`${path}${query}`)).body;
        return [data.length, next?.slice(app.url.length)];
      };
      // Running: a page with a document has a next one, an empty page never.
      expect(await get("")).toEqual([1, `${path}?skip=1`]);
      expect(await get("?limit=1")).toEqual([1, `${path}?skip=1&limit=1`]);
      expect(await get("?skip=1")).toEqual([0, undefined]);
      expect(await get("?skip=1&limit=10")).toEqual([0, undefined]);
      letGo();
      await untilEnded(app, path);
      // Ended: a next one as long as there are more.
      expect(await get("")).toEqual([5, undefined]);
      expect(await get("?limit=5")).toEqual([5, undefined]);
      expect(await get("?limit=2")).toEqual([2, `${path}?skip=2&limit=2`]);
      expect(await get("?skip=2&limit=2")).toEqual([2, `${path}?skip=4&limit=2`]);
      expect(await get("?skip=4&limit=2")).toEqual([1, undefined]);
      expect(await get("?skip=5")).toEqual([0, undefined]);
      expect(await get("?skip=1000000")).toEqual([0, undefined]);
    });

    it("keep their order, end at 100 documents, and together are all of them once", async () => {
      const site = await openPages(230);
      const { id, data } = await runJob(app, "/v2/crawl", { url: site.url, sitemap: "skip" });
      expect(data).toHaveLength(231);
      const first = (await app.get(`/v2/crawl/${id}?limit=1000`)).body;
      expect([first.data.length, pathOf(first.next)]).toEqual([100, `/v2/crawl/${id}?skip=100&limit=1000`]);
      // As many as an answer takes, and they are the last: no next.
      const last = (await app.get(`/v2/crawl/${id}?skip=131`)).body;
      expect([last.data.length, last.next]).toEqual([100, undefined]);
      const ids = data.map(({ metadata }) => metadata.scrapeId);
      expect(new Set(ids).size).toBe(231);
      const some = (await app.get(`/v2/crawl/${id}?skip=120&limit=7`)).body.data;
      expect(some.map(({ metadata }: { metadata: { scrapeId: string } }) => metadata.scrapeId)).toEqual(
        ids.slice(120, 127),
      );
    });

    itOnce("end at 10 MiB, but never without a document", async () => {
      // In a comment: reading so many words is nothing that this is about.
      const large = `<main><h1>Large</h1><p>Text.</p></main><!-- ${"many words ".repeat(600_000)}-->`;
      const site = await openSite({ "/": page("Start", ["/0", "/1"]), "/0": large, "/1": large });
      const options = { url: site.url, sitemap: "skip", scrapeOptions: { formats: ["rawHtml"] } };
      const { id, data } = await runJob(app, "/v2/crawl", options);
      expect(data).toHaveLength(3);
      const sizes: number[] = [];
      for (let path: string | undefined = `/v2/crawl/${id}`; path !== undefined; ) {
        const { body } = await app.get(path);
        sizes.push(body.data.length);
        path = body.next?.slice(app.url.length);
      }
      expect(sizes).toEqual([2, 1]);
    });

    it.each(["skip=-1", "skip=x", "limit=0", "limit=1001", "limit=1.5"])("with %s are 400", async (query) => {
      for (const path of ["crawl", "batch/scrape"]) {
        expect((await app.get(`/v2/${path}/${unknownId}?${query}`)).status).toBe(400);
      }
    });

    it("lead to the address by which the server is known", async () => {
      const known = await startApp(engine, {
        ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
        PUBLIC_URL: "https://trawl.example.org",
      });
      const site = await openPages(2);
      const { body } = await known.call("POST", "/v2/crawl", { body: { url: site.url } });
      expect(body.url).toBe(`https://trawl.example.org/v2/crawl/${body.id}`);
      await untilEnded(known, `/v2/crawl/${body.id}`);
      const { next } = (await known.get(`/v2/crawl/${body.id}?limit=1`)).body;
      expect(next).toBe(`https://trawl.example.org/v2/crawl/${body.id}?skip=1&limit=1`);
      await known.stop();
    });
  });

  describe("cancelling", () => {
    it("keeps what is finished, lets no further request out, and is a success twice", async () => {
      const { site, letGo, path } = await startHeld(50);
      await expect.poll(() => site.asked.length).toBeGreaterThan(4);
      const { total } = (await app.get(path)).body;
      const cancelled = await app.call("DELETE", path);
      const asked = site.asked.length;
      expect([cancelled.status, cancelled.body]).toEqual([200, { success: true, status: "cancelled" }]);
      const { body } = await app.get(path);
      expect(body).toMatchObject({ success: true, status: "cancelled", total, completed: 1, creditsUsed: 1 });
      expect(total).toBe(51);
      expect(body.data).toHaveLength(1);
      expect(body.next).toBeUndefined();
      expect(body.completedAt).toBeDefined();
      letGo();
      // The worker goes on: what was started later is read to its end.
      await runJob(app, "/v2/crawl", { url: (await openPages(8)).url });
      expect(site.asked.length).toBe(asked);
      expect((await app.get(path)).body).toMatchObject({ status: "cancelled", completed: 1, creditsUsed: 1 });
      expect((await app.call("DELETE", path)).body).toEqual({ success: true, status: "cancelled" });
      expect((await app.get("/v2/crawl/active")).body.crawls).toEqual([]);
    });

    it("comes too late for a job that has ended", async () => {
      const { id } = await runJob(app, "/v2/crawl", { url: (await openPages(1)).url });
      const { status, body } = await app.call("DELETE", `/v2/crawl/${id}`);
      expect([status, body.error]).toEqual([409, "Crawl is already completed"]);
      expect((await app.get(`/v2/crawl/${id}`)).body.status).toBe("completed");
    });
  });

  it("is listed while it runs, with its options and without secrets", async () => {
    const headers = { authorization: "Bearer of the site", "x-plain": "secret too" };
    const { letGo, path, id, site } = await startHeld(3, { limit: 7, scrapeOptions: { headers } });
    const batch = await startJob(app, "/v2/batch/scrape", { urls: [`${site.url}/1`] });
    const listing = await app.get("/v2/crawl/active");
    expect((await app.get("/v2/crawl/ongoing")).body).toEqual(listing.body);
    expect(listing.body).toEqual({
      success: true,
      crawls: [
        {
          id,
          teamId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          url: `${site.url}/`,
          created_at: expect.any(String),
          options: expect.objectContaining({
            limit: 7,
            sitemap: "skip",
            scrapeOptions: expect.objectContaining({
              formats: ["markdown"],
              onlyMainContent: true,
              maxAge: 172_800_000,
              headers: { authorization: "***", "x-plain": "***" },
              parsers: ["pdf"],
              skipTlsVerification: false,
              timeout: 60_000,
            }),
          }),
        },
      ],
    });
    expect(listing.text).not.toMatch(/Bearer of|secret too/);
    const v1 = (await app.get("/v1/crawl/active")).body.crawls[0].options;
    expect(v1).toMatchObject({ ignoreSitemap: true, allowBackwardLinks: false, scrapeOptions: { parsePDF: true } });
    expect((await app.get("/v2/crawl/active", { key: otherKey })).body.crawls).toEqual([]);
    letGo();
    await untilEnded(app, path);
    await untilEnded(app, `/v2/batch/scrape/${batch}`);
    expect((await app.get("/v2/crawl/active")).body).toEqual({ success: true, crawls: [] });
  });

  it("says so when its errors are too many for one list", async () => {
    const { id } = await runJob(app, "/v2/crawl", { url: (await openPages(1)).url, sitemap: "skip" });
    const addErrors = (count: number) =>
      app.fresh.store.jobResults.insertErrors(
        Array.from({ length: count }, () => {
          return { jobId: id, id: newId(), at: 0, url: "http://site.test/", code: "SCRAPE_TIMEOUT", message: "Late." };
        }),
      );
    const list = async () => (await app.get(`/v2/crawl/${id}/errors`)).body;
    await addErrors(10_000);
    expect(await list()).toMatchObject({ success: true, robotsBlocked: [] });
    expect((await list()).warning).toBeUndefined();
    await addErrors(1);
    const { errors, warning } = await list();
    expect([errors.length, warning]).toEqual([10_000, "Only the first 10000 errors of the job are listed."]);
  });

  it("belongs to one team: another team and an unknown id get the same 404 everywhere", async () => {
    const site = await openPages(1);
    const crawl = await runJob(app, "/v2/crawl", { url: site.url });
    const batch = await runJob(app, "/v2/batch/scrape", { urls: [site.url] });
    const paths = ["/v2/crawl", "/v1/crawl", "/v2/batch/scrape", "/v1/batch/scrape"];
    for (const path of paths) {
      for (const [id, call] of [
        [crawl.id, { key: otherKey }],
        [batch.id, { key: otherKey }],
        [unknownId, {}],
      ] as const) {
        for (const [method, rest] of [
          ["GET", ""],
          ["DELETE", ""],
          ["GET", "/errors"],
        ] as const) {
          const { status, body } = await app.call(method, `${path}/${id}${rest}`, call);
          expect([status, body.error]).toEqual([404, "Job not found"]);
        }
      }
    }
    expect((await app.get("/v2/crawl/not-an-id")).status).toBe(400);
  });

  it("can be read for a day after its end, and then it is gone with all that belongs to it", async () => {
    const { id } = await runJob(app, "/v2/crawl", { url: (await openPages(2)).url });
    clock.advance(86_400_000 - 5000);
    expect((await app.get(`/v2/crawl/${id}`)).body.data).toHaveLength(3);
    clock.advance(6000);
    for (const rest of ["", "/errors"]) {
      const { status, body } = await app.get(`/v2/crawl/${id}${rest}`);
      expect([status, body.error]).toEqual([404, "Job expired"]);
    }
    expect((await app.call("DELETE", `/v2/crawl/${id}`)).status).toBe(404);
    await expect
      .poll(async () => {
        await app.store.retention.purge({ now: clock.now(), limit: 500 });
        return (await app.get(`/v2/crawl/${id}`)).body.error;
      })
      .toBe("Job not found");
  });

  it("is one line of the activity list, running until its end, and shows in the queue", async () => {
    const { letGo, path, id, site } = await startHeld(9);
    const rows = async () => (await app.get("/v2/team/activity?endpoint=crawl&limit=100")).body.data;
    const mine = (await rows()).filter((row: { id: string }) => row.id === id);
    expect(mine).toMatchObject([{ endpoint: "crawl", api_version: "v2", target: `${site.url}/` }]);
    // The start page and one that is held.
    await expect.poll(() => site.asked.filter((one) => one !== "/robots.txt").length).toBeGreaterThan(1);
    const queue = (await app.get("/v2/team/queue-status")).body;
    expect(queue.jobsInQueue).toBe(9);
    expect(queue.activeJobsInQueue + queue.waitingJobsInQueue).toBe(9);
    expect(queue.activeJobsInQueue).toBeGreaterThan(0);
    const before = queue.mostRecentSuccess;
    letGo();
    await untilEnded(app, path);
    const after = (await app.get("/v2/team/queue-status")).body;
    expect(after).toMatchObject({ jobsInQueue: 0, activeJobsInQueue: 0, waitingJobsInQueue: 0 });
    expect(after.mostRecentSuccess).not.toBe(before);
  });
});
