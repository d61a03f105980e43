import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { dayMs, newId } from "../../src/base/index.ts";
import type { Store } from "../../src/store/index.ts";
import { engines, type FreshStore, onOneDatabase } from "../support/engines.ts";
import { noon } from "./rows.ts";

describe.each(engines)("browser profiles on $name", (engine) => {
  const stores = onOneDatabase(engine);
  afterAll(() => stores.end());
  let opened: FreshStore;
  let store: Store;
  const teamId = newId();
  const name = "shop";
  beforeEach(async () => {
    opened = await stores.fresh();
    store = opened.store;
  });
  afterEach(() => opened.cleanup());

  const by = (writer: string) => ({ teamId, name, writer });

  it("are empty until somebody saves them", async () => {
    expect(await store.profiles.open(teamId, name, noon)).toBeNull();
    expect(await store.profiles.lock(by("one"), noon, noon + 10)).toBe(true);
    expect(await store.profiles.open(teamId, name, noon)).toBeNull();
    expect(await store.profiles.release(by("one"), "sealed")).toBe(true);
    expect(await store.profiles.open(teamId, name, noon)).toBe("sealed");
    expect(await store.profiles.open(newId(), name, noon)).toBeNull();
  });

  it("have one writer, until it lets go or its time is over", async () => {
    expect(await store.profiles.lock(by("one"), noon, noon + 10)).toBe(true);
    expect(await store.profiles.lock(by("two"), noon + 9, noon + 20)).toBe(false);
    expect(await store.profiles.lock(by("two"), noon + 10, noon + 20)).toBe(true);
    expect(await store.profiles.release(by("one"), "late")).toBe(false);
    expect(await store.profiles.release(by("two"), null)).toBe(true);
    expect(await store.profiles.open(teamId, name, noon)).toBeNull();
    expect(await store.profiles.lock(by("three"), noon, noon + 10)).toBe(true);
  });

  it("are freed when their writer is gone", async () => {
    const until = noon + dayMs;
    expect(await store.profiles.lock(by("one"), noon, until)).toBe(true);
    await store.profiles.releaseWriter(teamId, "two");
    await store.profiles.releaseWriter(newId(), "one");
    expect(await store.profiles.lock(by("two"), noon, until)).toBe(false);
    await store.profiles.releaseWriter(teamId, "one");
    expect(await store.profiles.lock(by("two"), noon, until)).toBe(true);
    expect(await store.profiles.release(by("one"), "late")).toBe(false);
  });

  it("asked for by many at once are given to one", async () => {
    const another = await opened.openAnother();
    const writers = Array.from({ length: 10 }, (_, index) => `writer ${index}`);
    const won = await Promise.all(
      writers.map((writer, index) => (index % 2 ? store : another).profiles.lock(by(writer), noon, noon + 10)),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
  });

  it("are counted and forgotten by team, and go when they were not used for a year", async () => {
    await store.profiles.lock(by("one"), noon, noon + 10);
    await store.profiles.lock({ ...by("one"), name: "bank" }, noon, noon + 10);
    expect(await store.profiles.countOthers(teamId, name)).toBe(1);
    expect(await store.profiles.delete(newId(), name)).toBe(false);
    expect(await store.profiles.delete(teamId, name)).toBe(true);
    await store.profiles.open(teamId, "bank", noon + 300 * dayMs);
    expect((await store.retention.purge({ now: noon + 366 * dayMs, limit: 10 })).profiles).toBe(0);
    expect((await store.retention.purge({ now: noon + 666 * dayMs, limit: 10 })).profiles).toBe(1);
  });
});
