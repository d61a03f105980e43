import fc from "fast-check";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { dayMs } from "../../src/base/index.ts";
import { type IndexEntry, packEntry, packLinks, type SearchPlan, type Store } from "../../src/store/index.ts";
import { engines, type FreshStore, onOneDatabase } from "../support/engines.ts";
import { anyText } from "../support/property-runs.ts";
import { noon } from "./rows.ts";

function makeEntry(url: string, body: string, fields: Partial<IndexEntry> = {}): IndexEntry {
  const title = fields.title ?? "";
  const words = { title, anchors: "", url: "", headings: "", body };
  const dates = { published: null, modified: null, seenAt: noon };
  return {
    teamId: "one",
    url,
    urlText: url,
    title,
    description: null,
    text: Buffer.from(body),
    language: null,
    ...dates,
    words,
    ...fields,
  };
}

function makePlan(fields: Partial<SearchPlan> = {}): SearchPlan {
  return {
    ...{ teamId: "one", anyOf: [], allOf: [], noneOf: [], hostGroups: [], excludedHosts: [], urlParts: [] },
    ...{ fromMs: null, toMs: null, isNewestFirst: false, limit: 10 },
    ...fields,
  };
}

describe.each(engines)("the search index on $name", (engine) => {
  const stores = onOneDatabase(engine);
  afterAll(() => stores.end());
  let opened: FreshStore;
  let store: Store;
  beforeEach(async () => {
    opened = await stores.fresh();
    store = opened.store;
  });
  afterEach(() => opened.cleanup());

  const put = async (...entries: IndexEntry[]) => {
    const packed = await Promise.all(entries.map(packEntry));
    await store.transaction((statements) => statements.searchIndex.put(packed));
  };
  const find = async (fields: Partial<SearchPlan>) => {
    const ids = await store.searchIndex.find(makePlan(fields), { runs: [], pages: 0 });
    return (await store.searchIndex.read(ids)).map(({ url }) => url);
  };
  const a = "https://a.example/";
  const b = "https://b.example/";

  it("finds pages by any, all and none of the words given, side by side and in the title", async () => {
    await put(makeEntry(a, "red green blue", { title: "colour" }), makeEntry(b, "green red", { title: "blue" }));
    expect(await find({ anyOf: [["blue"], ["absent"]] })).toEqual(expect.arrayContaining([a, b]));
    expect(await find({ anyOf: [["absent"]] })).toEqual([]);
    expect(await find({ allOf: [{ run: ["red", "green"], field: "any" }] })).toEqual([a]);
    expect(await find({ allOf: [{ run: ["blue"], field: "title" }], anyOf: [["absent"]] })).toEqual([b]);
    expect(await find({ anyOf: [["red"]], noneOf: [{ run: ["blue"], field: "title" }] })).toEqual([a]);
    expect(await find({ noneOf: [{ run: ["colour"], field: "any" }] })).toEqual([b]);
  });

  it("finds pages by host, address and date, the newest first where asked", async () => {
    const day = Date.UTC(2026, 0, 5);
    await put(
      makeEntry("https://www.a.example/x/y", "word", { published: day }),
      makeEntry("https://a.example.org/x", "word", { modified: day + 1 }),
      makeEntry(b, "word", { seenAt: day + dayMs }),
    );
    expect(await find({ anyOf: [["word"]], hostGroups: [["a.example"]] })).toEqual(["https://www.a.example/x/y"]);
    expect(await find({ hostGroups: [[]] })).toEqual([]);
    expect(await find({ excludedHosts: ["a.example"], isNewestFirst: true })).toEqual([b, "https://a.example.org/x"]);
    expect(
      await find({ anyOf: [["word"]], urlParts: [{ parts: ["/x", "y"], isNegated: true }], toMs: day + 1 }),
    ).toEqual(["https://a.example.org/x"]);
    // A midnight stands for its whole day.
    expect(await find({ anyOf: [["word"]], isNewestFirst: true, fromMs: day + 2, toMs: day + dayMs })).toEqual([
      b,
      "https://www.a.example/x/y",
    ]);
  });

  it("replaces a page, keeps when it was first seen, and sees the same page again without writing it", async () => {
    await put(makeEntry(a, "old words"));
    await put(makeEntry(a, "first"), makeEntry(a, "new words", { seenAt: noon + 5 }));
    await put(makeEntry(a, "new words", { seenAt: noon + 9 }));
    expect(await find({ anyOf: [["old"], ["first"]] })).toEqual([]);
    const [id = 0] = await store.searchIndex.find(makePlan({ anyOf: [["new"]] }), { runs: [], pages: 0 });
    expect(await store.searchIndex.read([id])).toMatchObject([{ url: a, text: "new words", firstSeen: noon }]);
    expect(await store.searchIndex.stats("one")).toMatchObject({ pages: 1, textBytes: 9, latestSeenAt: noon + 9 });
  });

  it("keeps teams apart", async () => {
    await put(
      makeEntry(a, "word"),
      makeEntry(a, "word other", { teamId: "two" }),
      makeEntry(b, "word", { teamId: "two" }),
    );
    expect(await find({ anyOf: [["word"]] })).toEqual([a]);
    expect(await find({})).toEqual([a]);
    expect(await find({ teamId: "two", anyOf: [["word"]] })).toHaveLength(2);
    expect(await find({ teamId: "three", anyOf: [["word"]] })).toEqual([]);
    await store.transaction(({ searchIndex }) => searchIndex.remove({ teamId: "two", host: null, limit: 10 }));
    expect(await find({ anyOf: [["word"]] })).toEqual([a]);
    expect(await store.searchIndex.stats("two")).toMatchObject({ pages: 0, textBytes: 0 });
  });

  it("removes pages by URL, site, age and batch", async () => {
    const urls = ["https://a.example/", "https://x.a.example/", "https://a.example/2", b, "https://c.example/"];
    await put(...urls.map((url, index) => makeEntry(url, `word ${index}`, { seenAt: noon + index })));
    await store.transaction(async ({ searchIndex }) => {
      expect(await searchIndex.removeUrl("one", "https://absent.example/")).toBe(0);
      expect(await searchIndex.removeUrl("one", "https://c.example/")).toBe(1);
      expect(await searchIndex.remove({ teamId: "one", host: "a.example", limit: 2 })).toBe(2);
      expect(await searchIndex.remove({ teamId: "one", host: "a.example", limit: 2 })).toBe(1);
    });
    const files = ["file:///shelf/one.md", "file:///shelf/deep/two.md", "file:///shelfless.md"];
    await put(...files.map((url) => makeEntry(url, "paper")));
    await store.transaction(async ({ searchIndex }) => {
      expect(await searchIndex.remove({ teamId: "two", start: "file:///shelf/", limit: 9 })).toBe(0);
      expect(await searchIndex.remove({ teamId: "one", start: "file:///shelf/", limit: 9 })).toBe(2);
      expect(await searchIndex.removeUrl("one", "file:///shelfless.md")).toBe(1);
    });
    expect(await find({ anyOf: [["word"]] })).toEqual([b]);
    expect(await store.retention.purge({ now: noon + 90 * dayMs, limit: 10 })).toMatchObject({ searchPages: 0 });
    expect(await store.retention.purge({ now: noon + 91 * dayMs, limit: 10 })).toMatchObject({ searchPages: 1 });
    expect(await find({ anyOf: [["word"]] })).toEqual([]);
    await put(makeEntry(a, "x".repeat(600), { seenAt: noon + 2 }), makeEntry(b, "y".repeat(500), { seenAt: noon + 1 }));
    const makeRoom = (bytes: number, limit = 10) =>
      store.transaction(({ searchIndex }) => searchIndex.makeRoom(bytes, limit));
    expect([await makeRoom(1100), await makeRoom(1099), await makeRoom(0, 10)]).toEqual([0, 1, 1]);
    expect(await store.searchIndex.stats("one")).toMatchObject({ pages: 0 });
  });

  it("keeps the different words of links to a page and counts their hosts, until they are no longer noted", async () => {
    await put(makeEntry(a, "word", { seenAt: noon + dayMs }), makeEntry(b, "word"));
    const link = (fromHost: string, words: string, url = a, notedAt = noon) => ({
      teamId: "one",
      url,
      fromHost,
      words,
      notedAt,
    });
    const note = async (...links: ReturnType<typeof link>[]) =>
      (await store.transaction(({ searchLinks }) => searchLinks.note(packLinks(links)))).map(({ url }) => url);
    const linked = (url = a) =>
      store.transaction(({ searchLinks }) => searchLinks.readLinked([{ teamId: "one", url }]));
    expect(await note(link("www.b.example", "red shoes"), link("b.example", "blue shoes"))).toEqual([a]);
    expect(await note(link("a.example", "shoes own"), link("c.example", ""))).toEqual([a]);
    expect(await note(link("d.example", "own red"))).toEqual([]);
    expect(await linked()).toMatchObject([{ url: a, anchors: "red shoes blue own", linkHosts: 3 }]);
    expect(await linked(b)).toEqual([]);
    const many = Array.from({ length: 100 }, (_, number) => `word${number}`).join(" ");
    await note(link("a.example", many), link("c.example", "", "https://absent.example/"));
    expect((await linked())[0]?.anchors.length).toBeLessThanOrEqual(200);
    expect(await store.searchLinks.findRelatedHosts("one", "a.example", 5)).toEqual([
      { host: "absent.example", count: 1 },
    ]);
    expect(await store.searchLinks.findRelatedHosts("two", "a.example", 5)).toEqual([]);
    const linking = (teamId: string, limit = 5) => store.searchLinks.findLinkingHosts(teamId, "www.a.example", limit);
    expect(await linking("one")).toEqual(["b.example", "c.example", "d.example"]);
    expect(await linking("one", 2)).toEqual(["b.example", "c.example"]);
    expect(await linking("two")).toEqual([]);

    await note(link("d.example", "own", a, noon + dayMs));
    const purge = { now: noon + 6 * dayMs, limit: 100, searchDays: 5 };
    // The absent page; b and c of the hosts, and the host of that page.
    expect(await store.retention.purge(purge)).toMatchObject({ searchLinks: 3 });
    expect(await linked()).toMatchObject([{ linkHosts: 3 }]);
    expect(await store.searchLinks.findRelatedHosts("one", "a.example", 5)).toEqual([]);
    expect(await store.retention.purge({ ...purge, now: purge.now + dayMs })).toMatchObject({ searchLinks: 2 });
    expect(await linked()).toEqual([]);
  });

  it("knows how long the pages of a team are", async () => {
    await put(makeEntry(a, "red green blue"), makeEntry(b, "red"), makeEntry(a, "of another", { teamId: "two" }));
    expect((await store.searchIndex.count("one", [])).meanBytes).toBe((14 + 3) / 2);
  });

  it("counts pages by their words", async () => {
    await put(makeEntry(a, "red green"), makeEntry(b, "red"));
    expect(await store.searchIndex.count("one", [["red"], ["green"], ["absent"]])).toEqual({
      runs: [2, 1, 0],
      pages: 2,
      meanBytes: 6,
    });
    expect(await store.searchIndex.count("absent", [["red"]])).toEqual({ runs: [0], pages: 0, meanBytes: null });
  });

  it("takes every text as text", async () => {
    await put(makeEntry(a, "word"));
    const text = fc.oneof(
      anyText({ minLength: 1 }),
      fc.constantFrom(
        '"',
        "'",
        "\\",
        '" OR "',
        "' | '",
        "title : word",
        "NEAR(",
        "a*",
        "^a",
        ":A",
        "<->",
        "%",
        "--",
        "\0",
      ),
    );
    await fc.assert(
      fc.asyncProperty(text, async (hostile) => {
        const run = { run: [hostile], field: "any" } as const;
        const counted = await store.searchIndex.count("one", [[hostile]]);
        await find({ anyOf: [[hostile]], noneOf: [{ ...run, field: "title" }] });
        await find({ allOf: [run], urlParts: [{ parts: [hostile], isNegated: false }] });
        await find({ hostGroups: [[hostile]], excludedHosts: [hostile] });
        expect(counted.pages).toBe(1);
        expect(await find({ anyOf: [["word"]] })).toEqual([a]);
      }),
      { numRuns: 100 },
    );
  });
});
