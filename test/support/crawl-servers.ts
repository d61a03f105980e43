// Crawls over real server processes: a site, a receiver of webhooks, and what must hold however the processes end.
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { quickBrowser } from "./browser.ts";
import { type FixtureSite, startSite } from "./fixture-site.ts";
import { createStoreDatabase } from "./run-database.ts";
import type { ServerProcess } from "./server-process.ts";
import { temporaryFolder } from "./temporary-folder.ts";

interface CrawlAnswer {
  status: string;
  completed: number;
  creditsUsed: number;
  next?: string;
  data: { metadata: { sourceURL: string } }[];
}

export interface Delivery {
  type: string;
  webhookId: string;
  data: { metadata?: { sourceURL: string } }[];
}

const key = "my-key-of-the-tests";
export const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
export const engines = ["sqlite", "postgres"] as const;
/** `npm run prove -- kills`: twice as many kills, and every story on both engines. */
export const isProofOfKills = process.env["TRAWL_PROVE"] === "kills";
/** For one more feature on the job engine, whose crawls are killed on both. */
export const killedOn = (engine: (typeof engines)[number]) => (isProofOfKills ? engines : [engine]);
/** Requests to one host at the same time. */
export const concurrency = 4;

export async function environment(
  engine: (typeof engines)[number],
  databaseUrl?: string,
): Promise<Record<string, string>> {
  const DATA_DIR = join(temporaryFolder(), "data");
  const shared = {
    DATA_DIR,
    HOST: "127.0.0.1",
    ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
    TRAWL_API_KEYS: `acme:${key}:0`,
    HOST_CONCURRENCY: String(concurrency),
    CONTENT_THREADS: "1",
    LOG_LEVEL: "error",
    ...quickBrowser,
  };
  if (engine === "sqlite") return shared;
  const secret = { TRAWL_SECRET: "x".repeat(32) };
  if (databaseUrl) return { ...shared, ...secret, DATABASE_URL: databaseUrl };
  const { url, directUrl } = await createStoreDatabase();
  return { ...shared, ...secret, DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl };
}

/** Pages that link to the next ones of a tree; each answers after `delayMs`. */
export async function startTree(
  count: number,
  delayMs: () => number,
  visitors: { entered(): void; left(): void } | null = null,
): Promise<FixtureSite> {
  const page = (index: number) => {
    const links = [2 * index + 1, 2 * index + 2].filter((next) => next < count);
    return `<title>Page ${index}</title><main><h1>Page ${index}</h1>${links.map((next) => `<a href="/p/${next}">${next}</a>`).join("")}</main>`;
  };
  const pages = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      index === 0 ? "/" : `/p/${index}`,
      async (_request: unknown, response: ServerResponse) => {
        visitors?.entered();
        await wait(delayMs());
        visitors?.left();
        response.writeHead(200, { "content-type": "text/html" }).end(page(index));
      },
    ]),
  );
  const site = await startSite(pages);
  onTestFinished(() => site.close());
  return site;
}

/** How many a site serves at the same time. */
export function countVisitors() {
  let inside = 0;
  let most = 0;
  return {
    entered() {
      inside += 1;
      most = Math.max(most, inside);
    },
    left() {
      inside -= 1;
    },
    most: () => most,
  };
}

/** Keeps every webhook it gets. */
export async function startReceiver() {
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

type Reached = Pick<ServerProcess, "url">;

export async function startCrawl(server: Reached, body: object): Promise<string> {
  const answer = await fetch(`${server.url}/v2/crawl`, { method: "POST", headers, body: JSON.stringify(body) });
  const { id } = (await answer.json()) as { id: string };
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  return id;
}

export async function readCrawl({ url }: Reached, id: string, query = ""): Promise<CrawlAnswer> {
  return (await (await fetch(`${url}/v2/crawl/${id}${query}`, { headers })).json()) as CrawlAnswer;
}

/** Without the pages: asking is work, too, and takes it from the crawl. */
export const statusOf = async (server: Reached, id: string) => (await readCrawl(server, id, "?limit=1")).status;

export const untilCompleted = (server: Reached, id: string) =>
  expect.poll(() => statusOf(server, id).catch(String)).toBe("completed");

/** Every page once in the result, and one credit each in the ledger. */
export async function expectEveryPageOnce(
  server: Reached,
  id: string,
  site: FixtureSite,
  count: number,
): Promise<void> {
  const { data, creditsUsed, completed } = await readCrawl(server, id);
  const paths = Array.from({ length: count }, (_, index) => (index === 0 ? "/" : `/p/${index}`));
  const read = data.map(({ metadata }) => metadata.sourceURL.replace(site.url, ""));
  expect(read.toSorted()).toEqual(paths.toSorted());
  expect([completed, creditsUsed]).toEqual([count, count]);
  const history = await fetch(`${server.url}/v2/team/credit-usage/historical`, { headers });
  expect(await history.json()).toMatchObject({ periods: [{ totalCredits: count }] });
}

/** How many page requests were made beyond one each. */
export function repeatsOf(site: FixtureSite): number {
  const asked = site.asked.filter((path) => path === "/" || path.startsWith("/p/"));
  return asked.length - new Set(asked).size;
}

export function pagesAsked(site: FixtureSite): number {
  return new Set(site.asked.filter((path) => path.startsWith("/p/"))).size;
}

export const untilAsked = (site: FixtureSite, count: number) =>
  expect.poll(() => pagesAsked(site), { interval: 3 }).toBeGreaterThanOrEqual(count);

export async function kill(server: ServerProcess): Promise<void> {
  server.kill("SIGKILL");
  await server.finished;
}
