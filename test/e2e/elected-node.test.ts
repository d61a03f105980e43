// Several servers on one PostgreSQL: one of them keeps the store in order, all go by the database's clock and learn of each
// other's work at once.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import {
  environment,
  expectEveryPageOnce,
  repeatsOf,
  startCrawl,
  startTree,
  untilAsked,
  untilCompleted,
} from "../support/crawl-servers.ts";
import { openServer } from "../support/near-server.ts";
import { querySql } from "../support/postgres.ts";
import { startServer } from "../support/server-process.ts";

const wrongClock = pathToFileURL(join(import.meta.dirname, "../support/wrong-clock.mjs")).href;

async function electedPid(databaseUrl: string): Promise<number> {
  const [row] = await querySql(databaseUrl, "select owner from elections where office = 'upkeep'");
  return Number(String(row?.["owner"]).split("/")[1]);
}

describe("servers that share a database", () => {
  it("elect one of them, and another one when it freezes", async () => {
    const env = await environment("postgres");
    const url = env["DATABASE_URL"] as string;
    const [workers] = await Promise.all([
      Promise.all([startServer(env, "worker"), startServer(env, "worker")]),
      openServer(env, "api"),
    ]);
    const first = await electedPid(url);
    const holder = workers.find(({ pid }) => pid === first);
    expect(holder).toBeDefined();
    holder?.kill("SIGSTOP");
    // Five times the 15 seconds that are promised.
    await expect.poll(() => electedPid(url), { timeout: 5 * 15_000, interval: 200 }).not.toBe(first);
    holder?.kill("SIGCONT");
    const other = workers.find((worker) => worker !== holder);
    expect(await electedPid(url)).toBe(other?.pid);
    // Who stops in order hands over at its end.
    other?.kill("SIGTERM");
    await other?.finished;
    await expect.poll(() => electedPid(url)).toBe(first);
  });

  it("read every page once when the clock of one is ten minutes ahead and that of another behind", async () => {
    const site = await startTree(60, () => 30);
    const env = await environment("postgres");
    const shifted = (ms: number) => ({ ...env, NODE_OPTIONS: `--import=${wrongClock}`, CLOCK_AHEAD_MS: String(ms) });
    const [api, ahead] = await Promise.all([
      startServer(shifted(-600_000), "api"),
      startServer({ ...shifted(600_000), LOG_LEVEL: "warn" }, "worker"),
      openServer(env, "worker"),
    ]);
    const id = await startCrawl(api, { url: site.url, sitemap: "skip" });
    await untilAsked(site, 20);
    await untilCompleted(api, id);
    await expectEveryPageOnce(api, id, site, 60);
    expect(repeatsOf(site)).toBe(0);
    expect(ahead.stdout()).toContain("clock differs from the database's");
  });
});
