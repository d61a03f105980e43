// What processes that share a PostgreSQL tell each other, and by whose clock they go.
import { expect, it, onTestFinished, vi } from "vitest";
import { openStore } from "../../src/store/index.ts";
import { runSql } from "../support/postgres.ts";
import { createStoreDatabase } from "../support/run-database.ts";

async function openTwo(options: { directUrl?: string } = {}) {
  const database = await createStoreDatabase();
  const { url: databaseUrl, directUrl } = database;
  const open = () => openStore({ databaseUrl, directUrl, poolSize: 2, ...options });
  const stores = [await open(), await open()] as const;
  onTestFinished(async () => {
    for (const store of stores) await store.close();
    await database.drop();
  });
  return { stores, url: database.url };
}

it("notifications reach every process, each word once, and again after the connection broke", async () => {
  const { stores, url } = await openTwo();
  const received: string[][] = [[], []];
  for (const [index, { notifier }] of stores.entries()) notifier?.subscribe((word) => received[index]?.push(word));
  await expect.poll(() => stores.every(({ notifier }) => notifier?.isConnected())).toBe(true);
  stores[0].notifier?.publish("work");
  stores[0].notifier?.publish("work");
  stores[0].notifier?.publish("changed 1");
  for (const words of received) {
    await expect.poll(() => words.filter((word) => word !== "").sort()).toEqual(["changed 1", "work"]);
  }

  await runSql(url, "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'trawl notifier'");
  await expect.poll(() => stores.some(({ notifier }) => notifier?.isConnected())).toBe(false);
  for (const words of received) words.length = 0;
  await expect.poll(() => stores.every(({ notifier }) => notifier?.isConnected())).toBe(true);
  // Something may have been missed meanwhile.
  for (const words of received) expect(words).toContain("");
  stores[1].notifier?.publish("work");
  for (const words of received) await expect.poll(() => words).toContain("work");
});

it("a notifier that cannot connect does no harm", async () => {
  const { stores } = await openTwo({ directUrl: "postgres://unknown@127.0.0.1:1/none" });
  const receive = vi.fn();
  stores[0].notifier?.subscribe(receive);
  stores[0].notifier?.publish("work");
  expect(stores[0].notifier?.isConnected()).toBe(false);
  expect(await stores[0].teams.list()).toEqual([]);
  expect(receive).not.toHaveBeenCalled();
});

it("one office has one holder until its lease has run out, it resigns or it is known to have ended", async () => {
  const { stores } = await openTwo();
  const [first, second] = stores.map(({ elections }) => elections) as [
    (typeof stores)[0]["elections"],
    (typeof stores)[0]["elections"],
  ];
  const acquire = (owner: string, now: number, ended: string | null = null) =>
    (owner === "a" ? first : second).acquire({ office: "upkeep", owner, leaseUntil: now + 10, now, ended });
  const votes = await Promise.all([acquire("a", 0), acquire("b", 0)]);
  expect(votes.filter(Boolean)).toHaveLength(1);
  const [holder, other] = votes[0] ? ["a", "b"] : ["b", "a"];
  expect(await second.findHolder("upkeep")).toBe(holder);
  expect(await acquire(holder as string, 5)).toBe(true);
  expect(await acquire(other as string, 14)).toBe(false);
  expect(await acquire(other as string, 15)).toBe(true);
  expect(await acquire(holder as string, 16)).toBe(false);
  expect(await acquire(holder as string, 16, other)).toBe(true);
  await first.resign("upkeep", holder as string);
  expect(await acquire(other as string, 17)).toBe(true);
});

it("the database tells its own time", async () => {
  const { stores } = await openTwo();
  const told = (await stores[0].readTime?.()) as number;
  expect(Math.abs(told - Date.now())).toBeLessThan(60_000);
});
