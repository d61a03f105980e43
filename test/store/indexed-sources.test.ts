import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type IndexEntry, type IndexedSource, packEntry, type Store } from "../../src/store/index.ts";
import { engines, type FreshStore } from "../support/engines.ts";
import { noon } from "./rows.ts";

const source = (id: string, fields: Partial<IndexedSource> = {}): IndexedSource => ({
  ...{ id, teamId: "one", keyId: null, type: "pages", name: id, status: "queued", isEnabled: 1, settings: "{}" },
  ...{ refresh: null, dueAt: noon, jobId: null, baseUrl: "http://trawl.test", error: null, lastIndexedAt: null },
  ...{ createdAt: noon, updatedAt: noon },
  ...fields,
});

const entry = (url: string, sourceId: string | undefined): IndexEntry => {
  const words = { title: "", anchors: "", url: "", headings: "", body: "red" };
  const facts = { published: null, modified: null, description: null, language: null, title: "", seenAt: noon };
  return { teamId: "one", url, urlText: url, text: Buffer.from(url), words, sourceId, ...facts };
};

describe.each(engines)("indexed sources on $name", ({ fresh }) => {
  let opened: FreshStore;
  let store: Store;
  beforeEach(async () => {
    opened = await fresh();
    store = opened.store;
  });
  afterEach(() => opened.cleanup());

  const put = (sourceId: string | undefined, urls: readonly string[], readAt = noon) =>
    store.transaction(async ({ searchIndex, indexedSources }) => {
      await searchIndex.put(await Promise.all(urls.map((url) => packEntry(entry(url, sourceId)))));
      if (sourceId === undefined) return;
      await indexedSources.notePages(urls.map((url) => ({ sourceId, teamId: "one", url, readAt })));
    });
  const find = async () => {
    const nothing = {
      allOf: [],
      noneOf: [],
      hostGroups: [],
      excludedHosts: [],
      urlParts: [],
      fromMs: null,
      toMs: null,
    };
    const plan = { teamId: "one", anyOf: [["red"]], ...nothing, isNewestFirst: false, limit: 10 };
    const ids = await store.searchIndex.find(plan, { runs: [1], pages: 4 });
    return (await store.searchIndex.read(ids)).map(({ url }) => url).toSorted();
  };
  const drop = (id: string, more: object = {}) =>
    store.transaction(({ indexedSources }) => indexedSources.dropPages(source(id), { limit: 10, ...more }));
  const [a, b, c, d] = ["https://a.example/", "https://b.example/", "https://c.example/", "https://d.example/"];

  it("hide and take out only the pages that nothing else has brought", async () => {
    for (const id of ["x", "y"]) await store.indexedSources.insert(source(id));
    await put(undefined, [c]);
    await put("x", [a, b, c, d]);
    await put("y", [b]);
    await put(undefined, [d]);
    expect(await store.indexedSources.countPages(["x", "y"])).toEqual(
      new Map([
        ["x", 4],
        ["y", 1],
      ]),
    );
    await store.indexedSources.change("x", { isEnabled: 0 });
    expect(await find()).toEqual([b, c, d]);
    await store.indexedSources.change("x", { isEnabled: 1 });
    expect(await find()).toEqual([a, b, c, d]);
    await put("x", [b], noon + 1);
    expect(await drop("x", { before: noon + 1, keptUrls: [c] })).toBe(2);
    expect(await find()).toEqual([b, c, d]);
    expect(await store.indexedSources.countPages(["x"], noon + 1)).toEqual(new Map([["x", 1]]));
    expect([await drop("x"), await drop("x")]).toEqual([2, 0]);
    await drop("y");
    expect(await find()).toEqual([c, d]);
  });

  it("are due once, in the order of their times", async () => {
    await store.indexedSources.insert(source("late", { dueAt: noon + 2 }));
    await store.indexedSources.insert(source("next", { dueAt: noon + 1 }));
    await store.indexedSources.insert(source("read", { jobId: "job" }));
    await store.indexedSources.insert(source("never", { dueAt: null }));
    const due = async (now: number) => (await store.indexedSources.listDue(now, 10)).map(({ id }) => id);
    expect([await due(noon), await due(noon + 1), await due(noon + 2)]).toEqual([[], ["next"], ["next", "late"]]);
    expect((await store.indexedSources.listRead()).map(({ id }) => id)).toEqual(["read"]);
    expect(await store.indexedSources.find("two", "read")).toBeNull();
    const listed = await store.indexedSources.list("one", 2);
    expect(listed.map(({ id }) => id)).toEqual(["read", "next"]);
  });
});
