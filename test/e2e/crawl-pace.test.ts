// How fast a crawl goes, and what it does about pages and sites that are slow, busy or broken.
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { bystanders } from "../support/engines.ts";
import { answerText, openSite, page, pagesFor, runJob } from "../support/jobs.ts";
import { useApp } from "../support/shared-app.ts";

describe.each(bystanders)("the pace of a crawl on $name", (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await useApp(engine);
  });
  afterAll(() => app.stop());

  const crawl = (url: string, options: object = {}) => runJob(app, "/v2/crawl", { url, sitemap: "skip", ...options });
  const leaves = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`);

  const breakOff = (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { "content-type": "text/html", "content-length": "1000" });
    response.write("<h1>Cut", () => response.socket?.end());
  };

  /** Pages that come when so many of them are open together, and later ones after a moment. */
  const openTogether = (count: number, together: number) => {
    const held: (() => void)[] = [];
    let wereTogether = false;
    return openSite((path) => (_request, response) => {
      response.setHeader("content-type", "text/html");
      if (path === "/robots.txt") return void response.writeHead(404).end();
      if (path === "/") return void response.end(page(path, leaves(count)));
      held.push(() => response.end(page(path)));
      wereTogether ||= held.length === together;
      if (wereTogether) for (const answer of held.splice(0)) setTimeout(answer, 25);
    });
  };

  it("is at most HOST_CONCURRENCY requests of one host at the same time", async () => {
    const site = await openTogether(20, 4);
    expect((await crawl(site.url)).status.completed).toBe(21);
    expect(site.most()).toBe(4);
  });

  it.each([1, 2])("is at most maxConcurrency %d", async (maxConcurrency) => {
    const site = await openTogether(8, maxConcurrency);
    expect((await crawl(site.url, { maxConcurrency })).status.completed).toBe(9);
    expect(site.most()).toBe(maxConcurrency);
  });

  it("is at most TEAM_CONCURRENCY over all jobs of a team", async () => {
    const small = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", TEAM_CONCURRENCY: "2" });
    const site = await openTogether(6, 2);
    const body = { url: site.url, sitemap: "skip", scrapeOptions: { maxAge: 0 } };
    await Promise.all([1, 2, 3].map(() => runJob(small, "/v2/crawl", body)));
    expect(site.most()).toBe(2);
    await small.stop();
  });

  it("is one page at a time with delay, so far apart", async () => {
    const times: number[] = [];
    const site = await openSite((path) => {
      if (path !== "/robots.txt") times.push(performance.now());
      return path === "/robots.txt" ? undefined : page(path, path === "/" ? leaves(3) : []);
    });
    const since = performance.now();
    expect((await crawl(site.url, { delay: 0.5 })).status.completed).toBe(4);
    // Requests may arrive late, but none before it is sent.
    expect((times[3] ?? 0) - since).toBeGreaterThan(3 * 490);
    expect(site.most()).toBe(1);
  });

  it("is what Crawl-delay of robots.txt asks for, over all crawls of the host", async () => {
    const times: number[] = [];
    const site = await openSite((path) => {
      if (path === "/robots.txt") return answerText("User-agent: *\nCrawl-delay: 1");
      times.push(performance.now());
      return page(path, path === "/" ? leaves(1) : []);
    });
    const since = performance.now();
    await Promise.all([1, 2].map(() => crawl(site.url, { scrapeOptions: { maxAge: 0 } })));
    expect(times).toHaveLength(4);
    // Requests may arrive late, but none before it is sent. Two crawls that knew nothing of each other would take one second.
    expect((times[3] ?? 0) - since).toBeGreaterThan(3 * 990);
  });

  it("stops at a 429 or 503 until the host wants the next request, and then goes on", async () => {
    const times = new Map<string, number[]>();
    const site = await openSite((path) => (_request, response) => {
      const asked = [...(times.get(path) ?? []), performance.now()];
      times.set(path, asked);
      response.setHeader("content-type", "text/html");
      if ((path === "/2" || path === "/5") && asked.length === 1) {
        response.writeHead(path === "/2" ? 429 : 503, { "retry-after": "1" }).end("<h1>Later</h1>");
      } else if (path === "/robots.txt") response.writeHead(404).end();
      else response.end(page(path, path === "/" ? leaves(30) : []));
    });
    const { status, data, errors } = await crawl(site.url, { maxConcurrency: 1 });
    expect(status).toMatchObject({ completed: 31, creditsUsed: 31 });
    expect(data.every(({ metadata }) => metadata.statusCode === 200)).toBe(true);
    expect(errors).toEqual([]);
    for (const path of ["/2", "/5"]) {
      const [refusedAt = 0, againAt = 0] = times.get(path) ?? [];
      expect(againAt - refusedAt).toBeGreaterThan(900);
      const between = [...times.values()].flat().filter((at) => at > refusedAt && at < refusedAt + 900);
      expect(between).toEqual([]);
    }
  });

  it("survives pages that fail, hang, crawl along or break off: errors with their codes after at most 3 attempts", async () => {
    const links = ["/good", "/gone", "/broken", "/hangs", "/drips", "/reset", "/busy", "/loop", "/binary", "/recovers"];
    let recoveries = 0;
    const site = await openSite({
      "/": page("Start", [...links, "http://no-such-host.invalid/page"]),
      ...pagesFor(["/good"]),
      "/broken": (_request, response) => response.writeHead(500, { "content-type": "text/html" }).end("<h1>Oops</h1>"),
      "/hangs": () => {},
      "/drips": (_request, response) => {
        response.writeHead(200, { "content-type": "text/html" });
        response.write("<h1>Slow");
      },
      "/reset": breakOff,
      "/busy": (_request, response) => response.writeHead(503, { "retry-after": "0" }).end("<h1>Busy</h1>"),
      "/loop": (_request, response) => response.writeHead(302, { location: "/loop" }).end(),
      "/binary": (_request, response) => {
        response.writeHead(200, { "content-type": "text/html" });
        response.end(Buffer.from(Array.from({ length: 4000 }, (_, index) => index % 256)));
      },
      "/recovers": (request, response) => {
        recoveries += 1;
        if (recoveries < 3) breakOff(request, response);
        else response.writeHead(200, { "content-type": "text/html" }).end(page("Recovered"));
      },
    });
    const { status, data, errors } = await crawl(site.url, {
      // Time for the pages that come, on a busy machine, too.
      scrapeOptions: { timeout: 5000 },
      allowExternalLinks: true,
    });
    expect(status.status).toBe("completed");
    const statusOf = Object.fromEntries(
      data.map(({ metadata }) => [metadata.sourceURL.slice(site.url.length), metadata.statusCode]),
    );
    // What a site answers is a success, whatever it is.
    expect(statusOf).toEqual({ "/": 200, "/good": 200, "/gone": 404, "/broken": 500, "/busy": 503, "/recovers": 200 });
    const codeOf = Object.fromEntries(errors.map(({ url, code }) => [new URL(url).pathname, code]));
    expect(codeOf).toEqual({
      "/hangs": "SCRAPE_TIMEOUT",
      "/drips": "SCRAPE_TIMEOUT",
      "/reset": "SCRAPE_SITE_ERROR",
      "/loop": "SCRAPE_TOO_MANY_REDIRECTS",
      "/binary": "SCRAPE_UNSUPPORTED_FILE_ERROR",
      "/page": "SCRAPE_DNS_RESOLUTION_ERROR",
    });
    for (const { id, error, timestamp } of errors) {
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      expect(error.length).toBeGreaterThan(10);
      expect(new Date(timestamp).toISOString()).toBe(timestamp);
    }
    const triesOf = (path: string) => site.asked.filter((asked) => asked === path).length;
    expect(["/hangs", "/drips", "/busy", "/recovers"].map(triesOf)).toEqual([3, 3, 3, 3]);
    // Beneath an attempt, a kept connection that breaks is tried again.
    expect(triesOf("/reset")).toBeLessThanOrEqual(3 * 4);
    expect(["/gone", "/broken", "/binary"].map(triesOf)).toEqual([1, 1, 1]);
    expect(status).toMatchObject({ completed: 6, creditsUsed: 6, total: 11 });
  });
});
