import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dayMs, newId } from "../../src/base/index.ts";
import { packSnapshot, type Store } from "../../src/store/index.ts";
import { engines, type FreshStore } from "../support/engines.ts";
import { noon } from "./rows.ts";

describe.each(engines)("snapshots of pages on $name", ({ fresh }) => {
  let opened: FreshStore;
  let store: Store;
  const teamId = newId();
  beforeEach(async () => {
    opened = await fresh();
    store = opened.store;
  });
  afterEach(() => opened.cleanup());

  const pack = (key: string, text: string, scrapedAt = noon, team = teamId) =>
    packSnapshot({ teamId: team, key, scrapedAt, text });

  it("hold the latest text of each team and key", async () => {
    expect(await store.snapshots.find(teamId, "page")).toBeNull();
    const long = "A line of text. ".repeat(10_000);
    await store.snapshots.put([await pack("page", "first")]);
    await store.snapshots.put([await pack("page", long, noon + 1), await pack("other", "second")]);
    expect(await store.snapshots.find(teamId, "page")).toEqual({ scrapedAt: noon + 1, text: long });
    expect(await store.snapshots.find(teamId, "other")).toEqual({ scrapedAt: noon, text: "second" });
    expect(await store.snapshots.find(newId(), "page")).toBeNull();
    expect(await store.snapshots.sumBytes()).toBe(long.length + "second".length);
  });

  it("of one key twice in a transaction are the last one", async () => {
    await store.snapshots.put([await pack("page", "first"), await pack("page", "second")]);
    expect(await store.snapshots.find(teamId, "page")).toMatchObject({ text: "second" });
  });

  it("go when they are 90 days old, or when there are too many, the oldest first", async () => {
    await store.snapshots.put([
      await pack("old", "x", noon - 91 * dayMs),
      await pack("older", "x", noon - dayMs),
      await pack("newer", "x"),
      await pack("older", "theirs", noon + 1, newId()),
    ]);
    expect((await store.retention.purge({ now: noon, limit: 10 })).snapshots).toBe(1);
    await store.snapshots.forgetOldest(1);
    expect(await store.snapshots.find(teamId, "older")).toBeNull();
    expect(await store.snapshots.find(teamId, "newer")).not.toBeNull();
    expect(await store.snapshots.sumBytes()).toBe("x".length + "theirs".length);
  });
});
