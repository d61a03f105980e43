// Crawls over several servers on one PostgreSQL, of which some are killed, frozen or cut off from the database.
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCommand } from "../support/command.ts";
import {
  concurrency,
  countVisitors,
  environment,
  expectEveryPageOnce,
  headers,
  kill,
  pagesAsked,
  readCrawl,
  repeatsOf,
  startCrawl,
  startReceiver,
  startTree,
  statusOf,
  untilAsked,
  untilCompleted,
} from "../support/crawl-servers.ts";
import { startSite } from "../support/fixture-site.ts";
import { openServer } from "../support/near-server.ts";
import { startPostgres } from "../support/postgres.ts";
import { startServer } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("several servers on one PostgreSQL", () => {
  it("finish the crawl of one that is killed", async () => {
    const site = await startTree(30, () => 30);
    const env = await environment("postgres");
    const first = await startServer(env);
    const second = await openServer(env);
    const id = await startCrawl(first, { url: site.url, sitemap: "skip" });
    await untilAsked(site, 10);
    await kill(first);
    // The living one cannot know; a new process on the dead one's machine does, and takes its pages back at once.
    await openServer(env);
    await untilCompleted(second, id);
    await expectEveryPageOnce(second, id, site, 30);
    expect(repeatsOf(site)).toBeLessThanOrEqual(2 * concurrency);
  });

  it("stop asking the site soon when one of them cancels", async () => {
    const site = await startTree(500, () => 100);
    const env = await environment("postgres");
    const servers = await Promise.all([openServer(env), openServer(env)]);
    const id = await startCrawl(servers[0], { url: site.url, sitemap: "skip" });
    await untilAsked(site, 20);
    const cancelled = await fetch(`${servers[1].url}/v2/crawl/${id}`, { method: "DELETE", headers });
    expect(await cancelled.json()).toMatchObject({ status: "cancelled" });
    const isQuiet = async () => {
      const asked = site.asked.length;
      await wait(1000);
      return site.asked.length === asked;
    };
    await expect.poll(isQuiet).toBe(true);
    // All pages would take longer than it takes to learn of the end.
    expect(pagesAsked(site)).toBeLessThan(300);
    const { status, completed, data, creditsUsed } = await readCrawl(servers[0], id);
    expect([status, data.length, creditsUsed]).toEqual(["cancelled", completed, completed]);
    expect(completed).toBeGreaterThan(0);
  });

  it("fence off what one of them read before it was frozen for longer than its leases", async () => {
    const site = await startTree(24, () => 20);
    const env = { ...(await environment("postgres")), JOB_LEASE_MS: "8000" };
    const frozen = await startServer(env);
    const id = await startCrawl(frozen, { url: site.url, sitemap: "skip" });
    await untilAsked(site, 10);
    frozen.kill("SIGSTOP");
    const other = await openServer(env);
    // Its lease, then the sweep.
    await untilCompleted(other, id);
    frozen.kill("SIGCONT");
    await expect.poll(() => statusOf(frozen, id)).toBe("completed");
    await expectEveryPageOnce(other, id, site, 24);
    frozen.kill("SIGTERM");
    expect((await frozen.finished).code).toBe(0);
    await expectEveryPageOnce(other, id, site, 24);
  });

  it("go on when the database was restarted in the middle", async () => {
    const database = await startPostgres();
    onTestFinished(() => database.remove());
    const site = await startTree(36, () => 20);
    const env = await environment("postgres", database.url);
    const server = await openServer(env);
    const id = await startCrawl(server, { url: site.url, sitemap: "skip" });
    await untilAsked(site, 15);
    await database.stop();
    await wait(500);
    await database.start();
    await untilCompleted(server, id);
    await expectEveryPageOnce(server, id, site, 36);
    expect(repeatsOf(site)).toBeLessThanOrEqual(2 * concurrency);
  });

  it("are together as polite as one to a site that asks for a delay", async () => {
    const times: number[] = [];
    const answer = (text: string) => (_request: unknown, response: ServerResponse) => {
      times.push(performance.now());
      response.writeHead(200, { "content-type": "text/html" }).end(text);
    };
    const site = await startSite({
      "/robots.txt": "User-agent: *\nCrawl-delay: 1",
      "/": answer('<title>Start</title><a href="/next">Next</a>'),
      "/next": answer("<title>Next</title>"),
    });
    onTestFinished(() => site.close());
    // One page at a time each: the crawls are read by different ones.
    const env = { ...(await environment("postgres")), WORKER_CONCURRENCY: "1" };
    const servers = await Promise.all([openServer(env), openServer(env), openServer(env)]);
    const options = { url: site.url, sitemap: "skip", scrapeOptions: { maxAge: 0 } };
    const since = performance.now();
    const ids = await Promise.all(servers.map((server) => startCrawl(server, options)));
    await Promise.all(ids.map((id) => untilCompleted(servers[0], id)));
    expect(times).toHaveLength(6);
    // Requests may arrive late, but none before it is sent. Were only two of the three polite to each other, it would be three.
    expect((times[5] ?? 0) - since).toBeGreaterThan(5 * 990);
  });

  it("ask a host for no more pages at the same time than one of them may", async () => {
    const visitors = countVisitors();
    const site = await startTree(20, () => 100, visitors);
    const env = { ...(await environment("postgres")), HOST_CONCURRENCY: "3" };
    const servers = await Promise.all([openServer(env), openServer(env)]);
    const options = { url: site.url, sitemap: "skip", scrapeOptions: { maxAge: 0 } };
    const ids = await Promise.all(servers.map((server) => startCrawl(server, options)));
    await Promise.all(ids.map((id) => untilCompleted(servers[0], id)));
    expect(visitors.most()).toBe(3);
  });

  it("leave a host alone that asked one of them for a pause", async () => {
    const asked: { path: string; at: number }[] = [];
    // Longer than a busy machine may need to tell the other one of it.
    const pauseSeconds = 10;
    const site = await startSite({
      "/busy": (_request, response) => {
        asked.push({ path: "/busy", at: performance.now() });
        response.writeHead(429, { "content-type": "text/html", "retry-after": String(pauseSeconds) }).end("Later");
      },
      "/page": (_request, response) => {
        asked.push({ path: "/page", at: performance.now() });
        response.writeHead(200, { "content-type": "text/html" }).end("<title>Page</title>");
      },
    });
    onTestFinished(() => site.close());
    const env = await environment("postgres");
    const [api, worker] = await Promise.all([openServer(env, "api"), openServer(env, "worker")]);
    const body = JSON.stringify({ url: `${site.url}/busy`, maxAge: 0 });
    await fetch(`${api.url}/v2/scrape`, { method: "POST", headers, body });
    const paused = async () =>
      /trawl_paused_hosts (\d+)/.exec(await (await fetch(`${worker.url}/metrics`, { headers })).text())?.[1];
    await expect.poll(paused, { timeout: pauseSeconds * 1000 - 500 }).toBe("1");
    const batch = JSON.stringify({ urls: [`${site.url}/page`], maxAge: 0 });
    const started = await fetch(`${api.url}/v2/batch/scrape`, { method: "POST", headers, body: batch });
    const { id } = (await started.json()) as { id: string };
    const status = async () => {
      const answer = await fetch(`${api.url}/v2/batch/scrape/${id}`, { headers });
      return ((await answer.json()) as { status: string }).status;
    };
    await expect.poll(status).toBe("completed");
    const refusedAt = asked.findLast(({ path }) => path === "/busy")?.at ?? 0;
    const readAt = asked.find(({ path }) => path === "/page")?.at ?? 0;
    // Measured where the requests arrive.
    expect(readAt - refusedAt).toBeGreaterThan(pauseSeconds * 1000 - 200);
  });

  it("are never filled by a host that does not answer", async () => {
    const silent = await startSite((asked) => (_request, response) => {
      if (asked === "/robots.txt") response.writeHead(404).end();
    });
    onTestFinished(() => silent.close());
    const env = { ...(await environment("postgres")), WORKER_CONCURRENCY: "4" };
    const servers = await Promise.all([openServer(env), openServer(env)]);
    const urls = Array.from({ length: 30 }, (_, index) => `${silent.url}/${index}`);
    for (const server of servers) {
      const body = JSON.stringify({ urls, timeout: 120_000 });
      await fetch(`${server.url}/v2/batch/scrape`, { method: "POST", headers, body });
    }
    await expect.poll(() => silent.asked.length, { interval: 20 }).toBeGreaterThanOrEqual(concurrency);
    const site = await startTree(30, () => 20);
    const id = await startCrawl(servers[0], { url: site.url, sitemap: "skip" });
    await untilCompleted(servers[0], id);
    await expectEveryPageOnce(servers[0], id, site, 30);
    // All of it is still there, and no page more than a host may be asked for at the same time.
    expect(silent.asked.filter((path) => path !== "/robots.txt")).toHaveLength(concurrency);
  });

  it("keep a team within its limit, crawls and scrapes together", async () => {
    const visitors = countVisitors();
    const site = await startTree(24, () => 150, visitors);
    const env = { ...(await environment("postgres")), TEAM_CONCURRENCY: "4", HOST_CONCURRENCY: "20" };
    const servers = await Promise.all([openServer(env), openServer(env)]);
    const id = await startCrawl(servers[0], { url: site.url, sitemap: "skip" });
    const scrapes = Array.from({ length: 12 }, async (_, index) => {
      const body = JSON.stringify({ url: `${site.url}/p/${1 + index}`, maxAge: 0 });
      return (await fetch(`${servers[index % 2]?.url}/v2/scrape`, { method: "POST", headers, body })).status;
    });
    expect(new Set(await Promise.all(scrapes))).toEqual(new Set([200]));
    await untilCompleted(servers[1], id);
    expect(visitors.most()).toBe(4);
  });

  it("share the work as one api and two workers", async () => {
    const [site, receiver] = [await startTree(30, () => 10), await startReceiver()];
    const env = await environment("postgres");
    const api = await openServer(env, "api");
    const id = await startCrawl(api, { url: site.url, webhook: { url: receiver.url }, sitemap: "skip" });
    await wait(700);
    expect([await statusOf(api, id), pagesAsked(site), receiver.deliveries]).toEqual(["scraping", 0, []]);
    const [worker, other] = await Promise.all([startServer(env, "worker"), openServer(env, "worker")]);
    await untilCompleted(api, id);
    await expectEveryPageOnce(api, id, site, 30);
    await expect.poll(() => receiver.deliveries.at(-1)?.type).toBe("crawl.completed");
    for (const { url } of [worker, other]) {
      expect((await fetch(`${url}/health/readiness`)).status).toBe(200);
      expect((await fetch(`${url}/v2/crawl/${id}`, { headers })).status).toBe(404);
    }
    worker.kill("SIGTERM");
    expect((await worker.finished).code).toBe(0);
  });
});

describe("trawl serve --role", () => {
  it.each([
    [["--role", "boss"], {}, "--role must be one of all, api, worker, browser."],
    [["--role", "worker"], {}, "--role requires DATABASE_URL"],
  ])("refuses %j without a database for it in one sentence", async (args, env, sentence) => {
    const { code, stderr } = await runCommand(["serve", ...args], {
      DATA_DIR: join(temporaryFolder(), "data"),
      ...env,
    });
    expect([code, stderr.trim().split("\n").length]).toEqual([2, 1]);
    expect(stderr).toContain(sentence);
  });
});
