// Crawls over server processes that are killed, stopped, frozen and cut off from their database: every page comes once into
// the result and once into the ledger, and every webhook arrives.
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { createDatabase, startPostgres } from "../support/postgres.ts";
import { runCli, type ServerProcess, startServer, temporaryFolder } from "../support/server-process.ts";

interface CrawlAnswer {
  status: string;
  completed: number;
  creditsUsed: number;
  next?: string;
  data: { metadata: { sourceURL: string } }[];
}

interface Delivery {
  type: string;
  webhookId: string;
  data: { metadata?: { sourceURL: string } }[];
}

const key = "my-key-of-the-tests";
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
const engines = ["sqlite", "postgres"] as const;
/** Requests to one host at the same time, per process. */
const concurrency = 4;

async function environment(engine: (typeof engines)[number], databaseUrl?: string): Promise<Record<string, string>> {
  const DATA_DIR = join(temporaryFolder(), "data");
  const shared = {
    DATA_DIR,
    HOST: "127.0.0.1",
    ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
    TRAWL_API_KEYS: `acme:${key}:0`,
    HOST_CONCURRENCY: String(concurrency),
    CONTENT_THREADS: "1",
    LOG_LEVEL: "error",
  };
  if (engine === "sqlite") return shared;
  const url = databaseUrl ?? (await createDatabase(inject("postgresUrl"))).url;
  return { ...shared, DATABASE_URL: url, TRAWL_SECRET: "x".repeat(32) };
}

/** Pages that link to the next ones of a tree; each answers after `delayMs`. */
async function startTree(count: number, delayMs: () => number): Promise<FixtureSite> {
  const page = (index: number) => {
    const links = [2 * index + 1, 2 * index + 2].filter((next) => next < count);
    return `<title>Page ${index}</title><main><h1>Page ${index}</h1>${links.map((next) => `<a href="/p/${next}">${next}</a>`).join("")}</main>`;
  };
  const pages = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      index === 0 ? "/" : `/p/${index}`,
      async (_request: unknown, response: import("node:http").ServerResponse) => {
        await wait(delayMs());
        response.writeHead(200, { "content-type": "text/html" }).end(page(index));
      },
    ]),
  );
  const site = await startSite(pages);
  onTestFinished(() => site.close());
  return site;
}

/** Keeps every webhook it gets. */
async function startReceiver() {
  const deliveries: Delivery[] = [];
  const site = await startSite({
    "/hook": async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      deliveries.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(204).end();
    },
  });
  onTestFinished(() => site.close());
  return { url: `${site.url}/hook`, deliveries };
}

async function startCrawl(server: ServerProcess, body: object): Promise<string> {
  const answer = await fetch(`${server.url}/v2/crawl`, { method: "POST", headers, body: JSON.stringify(body) });
  const { id } = (await answer.json()) as { id: string };
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  return id;
}

async function readCrawl({ url }: ServerProcess, id: string, query = ""): Promise<CrawlAnswer> {
  return (await (await fetch(`${url}/v2/crawl/${id}${query}`, { headers })).json()) as CrawlAnswer;
}

const statusOf = async (server: ServerProcess, id: string) => (await readCrawl(server, id)).status;

const untilCompleted = (server: ServerProcess, id: string, timeout = 30_000) =>
  expect.poll(() => statusOf(server, id).catch(String), { timeout, interval: 100 }).toBe("completed");

/** Every page once in the result, and one credit each in the ledger. */
async function expectEveryPageOnce(server: ServerProcess, id: string, site: FixtureSite, count: number): Promise<void> {
  const { data, creditsUsed, completed } = await readCrawl(server, id);
  const paths = Array.from({ length: count }, (_, index) => (index === 0 ? "/" : `/p/${index}`));
  const read = data.map(({ metadata }) => metadata.sourceURL.replace(site.url, ""));
  expect(read.toSorted()).toEqual(paths.toSorted());
  expect([completed, creditsUsed]).toEqual([count, count]);
  const history = await fetch(`${server.url}/v2/team/credit-usage/historical`, { headers });
  expect(await history.json()).toMatchObject({ periods: [{ totalCredits: count }] });
}

/** How many page requests were made beyond one each. */
function repeatsOf(site: FixtureSite): number {
  const asked = site.asked.filter((path) => path === "/" || path.startsWith("/p/"));
  return asked.length - new Set(asked).size;
}

function pagesAsked(site: FixtureSite): number {
  return new Set(site.asked.filter((path) => path.startsWith("/p/"))).size;
}

const untilAsked = (site: FixtureSite, count: number, timeout = 20_000) =>
  expect.poll(() => pagesAsked(site), { timeout, interval: 3 }).toBeGreaterThanOrEqual(count);

async function kill(server: ServerProcess): Promise<void> {
  server.kill("SIGKILL");
  await server.finished;
}

describe.each(engines)("a crawl of 60 pages on %s", (engine) => {
  it("survives twenty kills at random moments: every page once, every webhook delivered", async () => {
    const [site, receiver] = [await startTree(60, () => 10), await startReceiver()];
    const env = await environment(engine);
    let server = await startServer(env);
    const webhook = { url: receiver.url, events: ["started", "page", "completed"] };
    const id = await startCrawl(server, { url: site.url, webhook, sitemap: "skip", maxConcurrency: concurrency });
    for (let kills = 0; kills < 20; kills += 1) {
      // By what the site was asked, not by time: so the kills are spread over the whole crawl.
      await untilAsked(site, 1 + Math.floor(2.8 * kills));
      await wait(randomInt(0, 30));
      await kill(server);
      server = await startServer(env);
    }
    await untilCompleted(server, id);
    await expectEveryPageOnce(server, id, site, 60);
    expect(repeatsOf(site)).toBeLessThanOrEqual(20 * concurrency);

    const types = () => receiver.deliveries.map(({ type }) => type);
    await expect.poll(types, { timeout: 15_000 }).toContain("crawl.completed");
    const byPage = new Map<string, Set<string>>();
    for (const { type, webhookId, data } of receiver.deliveries) {
      const event = `${type} ${data[0]?.metadata?.sourceURL ?? ""}`;
      byPage.set(event, (byPage.get(event) ?? new Set()).add(webhookId));
    }
    expect(byPage.size).toBe(62);
    for (const ids of byPage.values()) expect(ids.size).toBe(1);
  }, 90_000);

  it("goes on at once after a SIGTERM in the middle of the load", async () => {
    const site = await startTree(60, () => 20);
    const env = await environment(engine);
    const first = await startServer(env);
    const id = await startCrawl(first, { url: site.url, sitemap: "skip" });
    await untilAsked(site, 16);
    first.kill("SIGTERM");
    expect((await first.finished).code).toBe(0);
    const asked = pagesAsked(site);
    const second = await startServer(env);
    // Far sooner than a lease runs out.
    await untilAsked(site, asked + 1, 10_000);
    await untilCompleted(second, id);
    await expectEveryPageOnce(second, id, site, 60);
    expect(repeatsOf(site)).toBe(0);
  }, 40_000);
});

describe("several processes on one PostgreSQL", () => {
  it("finish the crawl of one that is killed", async () => {
    const site = await startTree(60, () => 30);
    const env = await environment("postgres");
    const servers = [await startServer(env), await startServer(env)];
    const [first, second] = servers as [ServerProcess, ServerProcess];
    const id = await startCrawl(first, { url: site.url, sitemap: "skip" });
    await untilAsked(site, 20);
    await kill(first);
    // The living one cannot know; a new process on the dead one's machine does, and takes its pages back at once.
    await startServer(env);
    await untilCompleted(second, id, 20_000);
    await expectEveryPageOnce(second, id, site, 60);
    expect(repeatsOf(site)).toBeLessThanOrEqual(2 * concurrency);
  }, 40_000);

  it("stop asking the site within a second or so when one of them cancels", async () => {
    const site = await startTree(500, () => 100);
    const env = await environment("postgres");
    const servers = await Promise.all([startServer(env), startServer(env)]);
    const id = await startCrawl(servers[0], { url: site.url, sitemap: "skip" });
    await untilAsked(site, 20);
    const cancelled = await fetch(`${servers[1].url}/v2/crawl/${id}`, { method: "DELETE", headers });
    expect(await cancelled.json()).toMatchObject({ status: "cancelled" });
    await wait(1300);
    const asked = site.asked.length;
    await wait(1000);
    expect(site.asked.length).toBe(asked);
    const { status, completed, data, creditsUsed } = await readCrawl(servers[0], id);
    expect([status, data.length, creditsUsed]).toEqual(["cancelled", completed, completed]);
    expect(completed).toBeGreaterThan(0);
  }, 40_000);

  it("fence off what one of them read before it was frozen for longer than its leases", async () => {
    const site = await startTree(40, () => 20);
    const env = await environment("postgres");
    const frozen = await startServer(env);
    const id = await startCrawl(frozen, { url: site.url, sitemap: "skip" });
    await untilAsked(site, 10);
    frozen.kill("SIGSTOP");
    const other = await startServer(env);
    // 30 seconds of its lease, then the sweep.
    await untilCompleted(other, id, 45_000);
    frozen.kill("SIGCONT");
    await expect.poll(() => statusOf(frozen, id), { timeout: 5000 }).toBe("completed");
    await expectEveryPageOnce(other, id, site, 40);
    frozen.kill("SIGTERM");
    expect((await frozen.finished).code).toBe(0);
    await expectEveryPageOnce(other, id, site, 40);
  }, 70_000);

  it("go on when the database was restarted in the middle", async () => {
    const database = await startPostgres();
    onTestFinished(() => database.remove());
    const site = await startTree(60, () => 20);
    const env = await environment("postgres", database.url);
    const server = await startServer(env);
    const id = await startCrawl(server, { url: site.url, sitemap: "skip" });
    await untilAsked(site, 15);
    await database.stop();
    await wait(500);
    await database.start();
    await untilCompleted(server, id);
    await expectEveryPageOnce(server, id, site, 60);
    expect(repeatsOf(site)).toBeLessThanOrEqual(2 * concurrency);
  }, 60_000);

  it("share the work as one api and two workers", async () => {
    const [site, receiver] = [await startTree(60, () => 10), await startReceiver()];
    const env = await environment("postgres");
    const api = await startServer(env, "api");
    const id = await startCrawl(api, { url: site.url, webhook: { url: receiver.url }, sitemap: "skip" });
    await wait(700);
    expect([await statusOf(api, id), pagesAsked(site), receiver.deliveries]).toEqual(["scraping", 0, []]);
    const workers = await Promise.all([startServer(env, "worker"), startServer(env, "worker")]);
    await untilCompleted(api, id);
    await expectEveryPageOnce(api, id, site, 60);
    await expect.poll(() => receiver.deliveries.at(-1)?.type, { timeout: 10_000 }).toBe("crawl.completed");
    for (const { url } of workers) {
      expect((await fetch(`${url}/health/readiness`)).status).toBe(200);
      expect((await fetch(`${url}/v2/crawl/${id}`, { headers })).status).toBe(404);
    }
    for (const worker of workers) worker.kill("SIGTERM");
    for (const worker of workers) expect((await worker.finished).code).toBe(0);
  }, 40_000);
});

describe("trawl serve --role", () => {
  it.each([
    [["--role", "boss"], {}, "--role takes one of api, worker."],
    [["--role", "worker"], {}, "--role needs DATABASE_URL"],
  ])("refuses %j without a database for it in one sentence", async (args, env, sentence) => {
    const { code, stderr } = await runCli(["serve", ...args], { DATA_DIR: join(temporaryFolder(), "data"), ...env });
    expect([code, stderr.trim().split("\n").length]).toEqual([2, 1]);
    expect(stderr).toContain(sentence);
  });
});
