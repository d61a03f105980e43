// Several servers on one database with a site and a receiver of webhooks: what `npm run prove -- faults` breaks.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { environment, headers, startReceiver } from "./crawl-servers.ts";
import { type FixtureSite, startSite } from "./fixture-site.ts";
import { type PostgresServer, querySql, startPostgres } from "./postgres.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import { temporaryFolder } from "./temporary-folder.ts";

type Role = "all" | "api" | "worker" | "browser";
type Environment = Record<string, string>;

interface Answer {
  status: number;
  retryAfter: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  body: any;
}

export interface Job {
  path: "/v2/crawl" | "/v2/batch/scrape";
  id: string;
  /** The pages that it must read. */
  urls: string[];
}

export interface InstallationOptions {
  on: "postgres" | "sqlite";
  pages: number;
  /** Characters of noise in each page, for what is to lie outside of the database. */
  fill?: number;
  env?: Environment;
  /** Where the data of PostgreSQL lies. */
  folder?: string;
}

export type Installation = Awaited<ReturnType<typeof startInstallation>>;

export const leaseMs = 10_000;
/** Longer than any story takes on a busy machine. */
const longestMs = 300_000;
const branches = 10;

export async function startInstallation({ on, pages, fill = 0, env = {}, folder }: InstallationOptions) {
  const database: PostgresServer | null = on === "postgres" ? await startPostgres(folder) : null;
  if (database) onTestFinished(() => database.remove());
  const site = await startPages(pages, fill);
  const receiver = await startReceiver();
  const common: Environment = {
    ...(await environment(on, database?.url)),
    HOST_CONCURRENCY: "16",
    JOB_LEASE_MS: String(leaseMs),
    CHROMIUM_PATH: "/no/chromium",
    ...env,
  };
  const servers: Record<Role, ServerProcess[]> = { all: [], api: [], worker: [], browser: [] };

  /** Each has a folder of its own, as on a machine of its own: it cannot see whether the processes of others live. */
  async function add(role: Role, more: Environment = {}): Promise<ServerProcess> {
    const folder: Environment = role === "all" ? {} : { DATA_DIR: join(temporaryFolder(), "data") };
    const server = await startServer({ ...common, ...folder, ...more }, role === "all" ? undefined : role);
    servers[role].push(server);
    return server;
  }

  async function kill(server: ServerProcess): Promise<void> {
    for (const some of Object.values(servers)) if (some.includes(server)) some.splice(some.indexOf(server), 1);
    server.kill("SIGKILL");
    await server.finished;
  }

  /** By the first server of the API that answers, as behind a load balancer. */
  async function ask(method: string, target: string, body?: object): Promise<Answer> {
    const path = target.replace(/^https?:\/\/[^/]+/, "");
    for (const { url } of [...servers.api, ...servers.all]) {
      try {
        const sent = { method, headers, signal: AbortSignal.timeout(30_000), body: body ? JSON.stringify(body) : null };
        const answer = await fetch(url + path, sent);
        return { status: answer.status, retryAfter: answer.headers.get("retry-after"), body: await answer.json() };
      } catch {
        // The next one.
      }
    }
    return { status: 0, retryAfter: null, body: {} };
  }

  async function begin(path: Job["path"], asked: object, urls: string[]): Promise<Job> {
    const { status, body } = await ask("POST", path, { ...asked, webhook: { url: receiver.url } });
    expect([status, body.error]).toEqual([200, undefined]);
    return { path, id: body.id, urls };
  }

  function query(statement: string): Promise<Record<string, unknown>[]> {
    if (!database) throw new Error("only PostgreSQL is asked");
    return querySql(database.url, statement);
  }

  /** Tasks under the lease of a process. */
  async function countHeld(pid: number): Promise<number> {
    const isHeld = `state = 'leased' and split_part(lease_owner, '/', 2) = '${pid}'`;
    const [row] = await query(`select count(*)::int as held from job_pages where ${isHeld}`);
    return Number(row?.["held"]);
  }

  return {
    database,
    site,
    receiver,
    servers,
    add,
    kill,
    ask,
    query,
    crawl() {
      const urls = Array.from({ length: pages }, (_, index) => `${site.url}${index === 0 ? "/" : `/p/${index}`}`);
      return begin("/v2/crawl", { url: site.url, limit: pages, sitemap: "skip" }, urls);
    },
    batch(count: number, options: object) {
      const urls = Array.from({ length: count }, (_, index) => `${site.url}/apart/${index}`);
      return begin("/v2/batch/scrape", { urls, ...options }, urls);
    },
    untilAsked: (count: number) => until(() => new Set(site.asked).size >= count, `${count} pages asked for`),
    async electedPid() {
      const [row] = await query("select split_part(owner, '/', 2) as pid from elections where office = 'upkeep'");
      return Number(row?.["pid"]);
    },
    countHeld,
    /** Until none of the tasks that a process held is under its lease any more. */
    async untilTakenOver(pid: number) {
      const from = Date.now();
      const held = await countHeld(pid);
      await until(async () => (await countHeld(pid)) === 0, "its tasks taken over");
      return { held, seconds: secondsSince(from) };
    },
  };
}

/** A tree of pages, each with links to ten others, and pages apart from it. */
async function startPages(count: number, fill: number): Promise<FixtureSite> {
  const site = await startSite((path) => async (_request, response) => {
    const index = path === "/" ? 0 : Number(/^\/p\/(\d+)$/.exec(path)?.[1] ?? Number.NaN);
    if (!path.startsWith("/apart/") && !(index < count)) return void response.writeHead(404).end();
    await wait(20);
    const children = Array.from({ length: branches }, (_, child) => branches * index + child + 1);
    const links = children.filter((child) => child < count).map((child) => `<a href="/p/${child}">${child}</a>`);
    const words = randomBytes(fill / 2)
      .toString("hex")
      .replace(/.{8}/g, "$& ");
    response
      .writeHead(200, { "content-type": "text/html" })
      .end(`<title>${path}</title><main><h1>Page ${path}</h1><p>Some words. ${words}</p>${links.join(" ")}</main>`);
  });
  onTestFinished(() => site.close());
  return site;
}

export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const from = Date.now();
  while (!(await Promise.resolve(holds()).catch(() => false))) {
    if (Date.now() - from > longestMs) throw new Error(`not within ${longestMs / 1000} s: ${what}`);
    await wait(100);
  }
}

export const secondsSince = (from: number) => Math.round((Date.now() - from) / 100) / 10;
