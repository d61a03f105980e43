import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/base/index.ts";
import type { Store } from "../../src/store/index.ts";
import { engines, type FreshStore, onOneDatabase } from "../support/engines.ts";
import { addTeam, makeKey, makeTeam, noon } from "./rows.ts";

describe.each(engines)("teams and keys on $name", (engine) => {
  const stores = onOneDatabase(engine);
  afterAll(() => stores.end());
  let opened: FreshStore;
  let store: Store;
  beforeEach(async () => {
    opened = await stores.fresh();
    store = opened.store;
  });
  afterEach(() => opened.cleanup());

  it("keeps a team and finds it by its name", async () => {
    const team = makeTeam({ name: "alpha", requestsPerMinute: 60 });
    expect(await store.teams.insert(team)).toBe(true);
    expect(await store.teams.findByName("alpha")).toEqual(team);
    expect(await store.teams.findByName("Alpha")).toBeNull();
  });

  it("refuses a second team of the same name and keeps the first", async () => {
    const team = await addTeam(store, { name: "beta" });
    expect(await store.teams.insert(makeTeam({ name: "beta" }))).toBe(false);
    expect(await store.teams.findByName("beta")).toEqual(team);
  });

  it("makes one team when many ask for the same name at once", async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => store.teams.insert(makeTeam({ name: "rush" }))));
    expect(made.filter(Boolean)).toHaveLength(1);
  });

  it("lists teams by name", async () => {
    for (const name of ["beta", "gamma", "alpha"]) await addTeam(store, { name });
    expect((await store.teams.list()).map(({ name }) => name)).toEqual(["alpha", "beta", "gamma"]);
  });

  it("sets and clears a team's limit", async () => {
    const team = await addTeam(store, { name: "limited" });
    expect(await store.teams.setRequestsPerMinute(team.id, 7)).toBe(true);
    expect((await store.teams.findByName("limited"))?.requestsPerMinute).toBe(7);
    expect(await store.teams.setRequestsPerMinute(team.id, null)).toBe(true);
    expect((await store.teams.findByName("limited"))?.requestsPerMinute).toBeNull();
    expect(await store.teams.setRequestsPerMinute(newId(), 7)).toBe(false);
  });

  it("finds a key by its hash, together with its team", async () => {
    const team = await addTeam(store, { requestsPerMinute: 5 });
    const key = makeKey(team.id, { name: "laptop", requestsPerMinute: 3 });
    expect(await store.keys.insert(key)).toBe(true);
    expect(await store.keys.findByHash(key.hash)).toEqual({
      keyId: key.id,
      keyName: "laptop",
      teamId: team.id,
      teamName: team.name,
      requestsPerMinute: 5,
      keyRequestsPerMinute: 3,
      keyCreditsPerMonth: null,
      revokedAt: null,
      expiresAt: null,
      groups: null,
      formats: null,
      ips: null,
    });
    expect(await store.keys.findByHash("unknown")).toBeNull();
  });

  it("refuses the same key twice, in another team too", async () => {
    const [one, two] = [await addTeam(store), await addTeam(store)];
    const key = makeKey(one.id);
    expect(await store.keys.insert(key)).toBe(true);
    expect(await store.keys.insert(makeKey(two.id, { hash: key.hash }))).toBe(false);
    expect((await store.keys.findByHash(key.hash))?.teamId).toBe(one.id);
  });

  it("refuses a key of a team that does not exist", async () => {
    await expect(store.keys.insert(makeKey(newId()))).rejects.toThrow(/foreign key/i);
  });

  it("revokes a key once and keeps the first time", async () => {
    const team = await addTeam(store);
    const key = makeKey(team.id);
    await store.keys.insert(key);
    expect(await store.keys.revoke(key.id, noon + 1)).toBe(true);
    expect(await store.keys.revoke(key.id, noon + 2)).toBe(false);
    expect(await store.keys.revoke(newId(), noon)).toBe(false);
    expect((await store.keys.findByHash(key.hash))?.revokedAt).toBe(noon + 1);
  });

  it("lists one team's keys, oldest first, and never another team's", async () => {
    const [one, two] = [await addTeam(store), await addTeam(store)];
    const young = makeKey(one.id, { createdAt: noon + 5 });
    const old = makeKey(one.id, { createdAt: noon - 5 });
    const foreign = makeKey(two.id);
    for (const key of [young, old, foreign]) await store.keys.insert(key);
    const limits = {
      ...{ requestsPerMinute: null, creditsPerMonth: null, expiresAt: null },
      ...{ allowedGroups: null, allowedFormats: null, allowedIps: null },
    };
    const listed = { teamName: one.name, lastUsedAt: null, revokedAt: null, ...limits };
    expect(await store.keys.list(one.id)).toEqual([
      { ...old, ...listed },
      { ...young, ...listed },
    ]);
    expect((await store.keys.list()).map((key) => key.id)).toEqual(
      expect.arrayContaining([young.id, old.id, foreign.id]),
    );
  });

  it("counts all keys, revoked ones too", async () => {
    const before = await store.keys.count();
    const key = makeKey((await addTeam(store)).id);
    await store.keys.insert(key);
    await store.keys.revoke(key.id, noon);
    expect(await store.keys.count()).toBe(before + 1);
  });

  it("notes the uses of many keys at once, never backwards, and skips unknown ones", async () => {
    const team = await addTeam(store);
    const keys = Array.from({ length: 1200 }, () => makeKey(team.id));
    await store.transaction(async (statements) => {
      for (const key of keys) await statements.keys.insert(key);
    });
    const [first] = keys;
    if (!first) throw new Error("no key");
    await store.keys.markUsed([...keys.map(({ id }) => ({ id, at: noon + 10 })), { id: first.id, at: noon + 30 }]);
    await store.keys.markUsed([
      { id: first.id, at: noon + 20 },
      { id: newId(), at: noon },
    ]);
    await store.keys.markUsed([]);
    const used = await store.keys.list(team.id);
    expect(used.find((key) => key.id === first.id)?.lastUsedAt).toBe(noon + 30);
    expect(used.filter((key) => key.lastUsedAt === noon + 10)).toHaveLength(1199);
  });
});
