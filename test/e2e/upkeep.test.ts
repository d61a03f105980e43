// What the server does beside requests: notes the use of keys, purges what is old, heeds what the operator set.

import { describe, expect, it } from "vitest";
import { newId } from "../../src/base/index.ts";
import { makeActivity } from "../store/rows.ts";
import { startApp, testKey } from "../support/app.ts";
import { engines } from "../support/engines.ts";
import { silentLog } from "../support/job-store.ts";

describe.each(engines)("upkeep on $name", (engine) => {
  it("notes when a key was last used, at the latest when the server stops", async () => {
    const fresh = await engine.fresh();
    const app = await startApp(engine, {}, undefined, fresh);
    const before = Date.now();
    await app.get("/v2/team/credit-usage");
    await app.stop();
    const [used, unused] = await fresh.store.keys.list();
    expect(used?.lastUsedAt).toBeGreaterThanOrEqual(before);
    expect(unused?.lastUsedAt).toBeNull();
    await fresh.cleanup();
  });

  it("purges at start what has had its time", async () => {
    const fresh = await engine.fresh();
    const old = Date.now() - 26 * 3_600_000;
    const teamId = newId(old);
    await fresh.store.teams.insert({ id: teamId, name: "acme", requestsPerMinute: null, createdAt: old });
    await fresh.store.activity.insert([makeActivity(teamId, { target: "", createdAt: old })]);
    const app = await startApp(engine, {}, undefined, fresh);
    const page = () => fresh.store.activity.page({ teamId, since: 0, limit: 10 });
    await expect.poll(async () => (await page()).length).toBe(0);
    await app.stop();
    await fresh.cleanup();
  });

  it("keeps the own index within INDEX_MB and INDEX_DAYS; what was not read for longest goes first", async () => {
    const fresh = await engine.fresh();
    const { createIndexWriter } = await import("../../src/search/index.ts");
    const team = { id: newId(), name: "acme", requestsPerMinute: null, createdAt: Date.now() };
    await fresh.store.teams.insert(team);
    const days = (count: number) => Date.now() - count * 86_400_000;
    const add = async (count: number, seenAt: number, name: string) => {
      const writer = createIndexWriter({ store: fresh.store, clock: { now: () => seenAt }, log: silentLog });
      for (let number = 0; number < count; number += 1) {
        writer.add({
          ...{
            teamId: team.id,
            url: `https://${name}.example/${number}`,
            title: name,
            description: "",
            headings: [],
            links: [],
          },
          ...{
            text: `${name} ${number}`.padEnd(50_000, " more words"),
            language: null,
            published: null,
            modified: null,
          },
        });
      }
      await writer.stop();
    };
    await add(2, days(20), "old");
    await add(15, days(2), "seen");
    await add(10, days(1), "recent");
    const app = await startApp(engine, { INDEX_MB: "1", INDEX_DAYS: "10" }, undefined, fresh);
    const stats = () => fresh.store.searchIndex.stats(team.id);
    await expect.poll(async () => (await stats()).textBytes).toBeLessThanOrEqual(1024 * 1024);
    const hosts = async (host: string) =>
      fresh.store.transaction(({ searchIndex }) => searchIndex.remove({ teamId: team.id, host, limit: 100 }));
    expect([await hosts("old.example"), await hosts("seen.example"), await hosts("recent.example")]).toEqual([
      0, 10, 10,
    ]);
    await app.stop();
    await fresh.cleanup();
  });

  it("says what entries of TRAWL_API_KEYS do not do", async () => {
    const fresh = await engine.fresh();
    const first = await startApp(engine, { TRAWL_API_KEYS: `acme:${testKey},acme:short` }, undefined, fresh);
    expect(first.logLines.join("")).toContain("Entry 2 of TRAWL_API_KEYS is too short to be secure.");
    expect((await fresh.store.keys.list()).map((key) => key.lastFour).sort()).toEqual(["", "0001"]);
    await first.accounts.keys.revoke(testKey);
    await first.stop();
    const second = await startApp(engine, { TRAWL_API_KEYS: `other:${testKey}` }, undefined, fresh);
    expect(second.logLines.join("")).toContain("Entry 1 of TRAWL_API_KEYS is already a key of the team acme.");
    expect(second.logLines.join("")).toContain("Entry 1 of TRAWL_API_KEYS is a revoked key and stays revoked.");
    await second.stop();
    await fresh.cleanup();
  });
});
