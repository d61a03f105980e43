import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { dayMs, newId } from "../../src/base/index.ts";
import type { NewSession, Store } from "../../src/store/index.ts";
import { engines, type FreshStore, onOneDatabase } from "../support/engines.ts";
import { noon } from "./rows.ts";

describe.each(engines)("browser sessions on $name", (engine) => {
  const stores = onOneDatabase(engine);
  afterAll(() => stores.end());
  let opened: FreshStore;
  let store: Store;
  const teamId = newId();
  /** Ids of the same millisecond have no order. */
  let made = 0;
  beforeEach(async () => {
    opened = await stores.fresh();
    store = opened.store;
  });
  afterEach(() => opened.cleanup());

  async function insert(more: Partial<NewSession> = {}): Promise<string> {
    made += 1;
    const id = newId(noon + made);
    await store.sessions.insert({
      id,
      teamId,
      keyId: null,
      endpoint: "browser",
      scrapeId: null,
      createdAt: noon,
      ttlMs: 600_000,
      idleMs: 300_000,
      hasView: true,
      isRecorded: true,
      minutePrice: 2,
      baseUrl: "http://one",
      sealedSecret: "sealed",
      activityRowId: newId(),
      owner: "one",
      ...more,
    });
    return id;
  }
  async function activate(more: Partial<NewSession> = {}): Promise<string> {
    const id = await insert(more);
    expect(await store.sessions.activate(id, noon)).toBe(true);
    return id;
  }
  const end = { status: "destroyed", endedAt: noon + 60_000, durationMs: 60_000, credits: 2 } as const;

  it("count from their reservation on, and are seen when their browser is there", async () => {
    const id = await insert();
    expect(await store.sessions.countHeld(teamId)).toBe(1);
    expect(await store.sessions.countHeld(newId())).toBe(0);
    expect(await store.sessions.read(teamId, id)).toBeNull();
    expect(await store.sessions.readAny(id)).toBeNull();
    expect(await store.sessions.list({ teamId, limit: 10 })).toEqual([]);
    expect(await store.sessions.activate(id, noon + 5)).toBe(true);
    expect(await store.sessions.activate(id, noon + 6)).toBe(false);
    const session = await store.sessions.read(teamId, id);
    expect(session).toMatchObject({ id, status: "active", createdAt: noon + 5, usedAt: noon + 5, hasView: true });
    expect([session?.endedAt, session?.durationMs, session?.credits]).toEqual([null, null, null]);
    expect(await store.sessions.read(newId(), id)).toBeNull();
    expect(await store.sessions.readAny(id)).toEqual(session);
  });

  it("that never came to life leave nothing; others are not removed so", async () => {
    const [starting, active] = [await insert(), await activate()];
    await store.sessions.removeStarting(starting);
    await store.sessions.removeStarting(active);
    expect(await store.sessions.countHeld(teamId)).toBe(1);
    expect(await store.sessions.activate(starting, noon)).toBe(false);
  });

  it("are ended by one of all who try", async () => {
    const id = await activate();
    const another = await opened.openAnother();
    const tries = [store, another, store, another].map((each) => each.sessions.end(id, end));
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
    expect(await store.sessions.read(teamId, id)).toMatchObject(end);
    expect(await store.sessions.countHeld(teamId)).toBe(0);
  });

  it("are listed by state, newest first", async () => {
    const ids = [await activate(), await activate(), await activate()];
    await store.sessions.end(ids[1] ?? "", end);
    const list = async (status?: "active" | "destroyed" | "error") =>
      (await store.sessions.list({ teamId, status, limit: 10 })).map(({ id }) => id);
    expect(await list()).toEqual(ids.toSorted().reverse());
    expect(await list("destroyed")).toEqual([ids[1]]);
    expect(await list("error")).toEqual([]);
    expect(await store.sessions.list({ teamId, limit: 2 })).toHaveLength(2);
  });

  it("live as long as their owner says so; it is told which have been ended", async () => {
    const [one, two, starting, other] = [
      await activate(),
      await activate(),
      await insert(),
      await activate({ owner: "two" }),
    ];
    await store.sessions.end(two, end);
    expect((await store.sessions.noteLife("one", noon + 9)).toSorted()).toEqual([one, starting].toSorted());
    await store.sessions.noteUse(one, noon + 8);
    await store.sessions.noteUse(two, noon + 8);
    expect(await store.sessions.read(teamId, one)).toMatchObject({ seenAt: noon + 9, usedAt: noon + 8 });
    expect(await store.sessions.read(teamId, two)).toMatchObject({ usedAt: noon });
    const held = await store.sessions.listHeld(10);
    expect(held.map(({ id }) => id)[0]).toBe(other);
    expect(held.map(({ id }) => id).toSorted()).toEqual([one, starting, other].toSorted());
  });

  it("are found by the scrape they go on with, the latest first", async () => {
    const scrapeId = newId();
    await activate({ scrapeId });
    await insert({ scrapeId });
    const latest = await activate({ scrapeId });
    expect((await store.sessions.findOfScrape(teamId, scrapeId))?.id).toBe(latest);
    expect(await store.sessions.findOfScrape(newId(), scrapeId)).toBeNull();
  });

  it("are kept for a month after their end", async () => {
    const [old, young, active] = [await activate(), await activate(), await activate()];
    await store.sessions.end(old, { ...end, endedAt: noon - 30 * dayMs - 1 });
    await store.sessions.end(young, { ...end, endedAt: noon - 30 * dayMs });
    expect((await store.retention.purge({ now: noon, limit: 100 })).sessions).toBe(1);
    expect(await store.sessions.read(teamId, old)).toBeNull();
    expect(await store.sessions.read(teamId, young)).not.toBeNull();
    expect(await store.sessions.read(teamId, active)).not.toBeNull();
  });
});
