import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/base/index.ts";
import type { Store } from "../../src/store/index.ts";
import { engines, type FreshStore } from "../support/engines.ts";
import { makeScrape, noon } from "./rows.ts";

describe.each(engines)("scrapes on $name", ({ fresh }) => {
  let opened: FreshStore;
  let store: Store;
  const teamId = newId();
  beforeAll(async () => {
    opened = await fresh();
    store = opened.store;
  });
  afterAll(() => opened.cleanup());

  it("gives back a scrape that succeeded and one that failed", async () => {
    const succeeded = makeScrape(teamId, { details: '{"warnings":["é😀"]}' });
    const failed = makeScrape(teamId, { blobId: null, details: '{"failure":{}}' });
    await store.scrapes.insert([succeeded]);
    await store.scrapes.insert([failed]);
    const find = (id: string) => store.scrapes.find(teamId, id, noon);
    expect(await find(succeeded.id)).toEqual({ blobId: succeeded.blobId, details: succeeded.details });
    expect(await find(failed.id)).toEqual({ blobId: null, details: failed.details });
    expect(await find(newId())).toBeNull();
  });

  it("inserts none, a few, or many at once", async () => {
    for (const count of [0, 3, 1500]) {
      const scrapes = Array.from({ length: count }, (_, index) => makeScrape(teamId, { details: `{"n":${index}}` }));
      await store.scrapes.insert(scrapes);
      for (const scrape of [...scrapes.slice(0, 3), ...scrapes.slice(-1)]) {
        expect((await store.scrapes.find(teamId, scrape.id, noon))?.details).toBe(scrape.details);
      }
    }
  });

  it("shows a team its own scrapes only", async () => {
    const scrape = makeScrape(teamId);
    await store.scrapes.insert([scrape]);
    expect(await store.scrapes.find(newId(), scrape.id, noon)).toBeNull();
  });

  it("hides a scrape from its expiry on, purged or not", async () => {
    const scrape = makeScrape(teamId, { expiresAt: noon + 10 });
    await store.scrapes.insert([scrape]);
    expect(await store.scrapes.find(teamId, scrape.id, noon + 9)).not.toBeNull();
    expect(await store.scrapes.find(teamId, scrape.id, noon + 10)).toBeNull();
  });
});
