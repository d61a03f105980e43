// Crawls over server processes that are killed or stopped: every page comes once into the result and once into the ledger,
// and every webhook arrives.
import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import {
  concurrency,
  engines,
  environment,
  expectEveryPageOnce,
  isProofOfKills,
  kill,
  killedOn,
  pagesAsked,
  repeatsOf,
  startCrawl,
  startReceiver,
  startTree,
  untilAsked,
  untilCompleted,
} from "../support/crawl-servers.ts";
import { openServer } from "../support/near-server.ts";
import { startServer } from "../support/server-process.ts";

describe.each(engines)("a crawl of 60 pages on %s", (engine) => {
  const kills = isProofOfKills ? 10 : 3;

  /** A crawl whose server is killed and started again, time after time. */
  async function crawlUnderKills(): Promise<void> {
    const [site, receiver] = [await startTree(60, () => 10), await startReceiver()];
    const env = await environment(engine);
    const webhook = { url: receiver.url, events: ["started", "page", "completed"] };
    let id = "";
    for (let killed = 0; killed < kills; killed += 1) {
      const killedOne = await startServer(env);
      if (killed === 0) {
        id = await startCrawl(killedOne, { url: site.url, webhook, sitemap: "skip", maxConcurrency: concurrency });
      }
      // By what the site was asked, not by time: so the kills are spread over the whole crawl.
      await untilAsked(site, 1 + randomInt(0, 3) + Math.floor((55 / kills) * killed));
      await wait(randomInt(0, 30));
      await kill(killedOne);
    }
    const server = await openServer(env);
    await untilCompleted(server, id);
    await expectEveryPageOnce(server, id, site, 60);
    expect(repeatsOf(site)).toBeLessThanOrEqual(kills * concurrency);

    const types = () => receiver.deliveries.map(({ type }) => type);
    await expect.poll(types).toContain("crawl.completed");
    const byPage = new Map<string, Set<string>>();
    for (const { type, webhookId, data } of receiver.deliveries) {
      const event = `${type} ${data[0]?.metadata?.sourceURL ?? ""}`;
      byPage.set(event, (byPage.get(event) ?? new Set()).add(webhookId));
    }
    expect(byPage.size).toBe(62);
    for (const ids of byPage.values()) expect(ids.size).toBe(1);
  }

  it("survives kills at random moments: every page once, every webhook delivered", async () => {
    const stories = Array.from({ length: isProofOfKills ? 2 : 1 }, crawlUnderKills);
    await Promise.all(stories);
  }, 300_000);
});

describe.each(killedOn("postgres"))("a crawl of 60 pages, its server stopped, on %s", (engine) => {
  it("goes on at once after a SIGTERM in the middle of the load", async () => {
    const site = await startTree(60, () => 20);
    const env = await environment(engine);
    const first = await startServer(env);
    const id = await startCrawl(first, { url: site.url, sitemap: "skip" });
    await untilAsked(site, 16);
    first.kill("SIGTERM");
    expect((await first.finished).code).toBe(0);
    const asked = pagesAsked(site);
    const second = await openServer(env);
    // Far sooner than a lease runs out.
    await untilAsked(site, asked + 1);
    await untilCompleted(second, id);
    await expectEveryPageOnce(second, id, site, 60);
    expect(repeatsOf(site)).toBe(0);
  });
});
