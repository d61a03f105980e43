// The frontier of a job: which of its pages are taken into work, and in which order.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/base/index.ts";
import type { Store } from "../../src/store/index.ts";
import { engines, type FreshStore } from "../support/engines.ts";
import { addJob } from "../support/job-store.ts";

describe.each(engines)("pages of jobs on $name", ({ fresh }) => {
  let opened: FreshStore;
  let store: Store;
  beforeEach(async () => {
    opened = await fresh();
    store = opened.store;
  });
  afterEach(() => opened.cleanup());

  it("claims pages in their order", async () => {
    const jobId = await addJob(store, { pages: [] });
    // Neither their keys nor the order of writing says which comes first.
    const places = Array.from({ length: 40 }, (_, index) => (index * 17) % 40);
    await store.jobPages.add(
      places.map((place, index) => ({
        ...{ jobId, key: `key ${(index * 7) % 40}`, place, id: newId(), url: `http://site.test/${place}` },
        ...{ depth: 0, kind: "page", step: null, state: "waiting" },
      })),
    );
    const claim = async (limit: number) =>
      (await store.jobPages.claim({ jobId, owner: "one", leaseUntil: 10, now: 1, limit })).map(({ url }) =>
        Number(url.split("/").at(-1)),
      );
    const expected = Array.from({ length: 40 }, (_, index) => index);
    expect(await claim(8)).toEqual(expected.slice(0, 8));
    expect(await claim(30)).toEqual(expected.slice(8, 38));
    expect(await claim(30)).toEqual(expected.slice(38));
    expect(await claim(1)).toEqual([]);
  });
});
