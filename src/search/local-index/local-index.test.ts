import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addTeam, noon } from "../../../test/store/rows.ts";
import { engines, type FreshStore, onOneDatabase } from "../../../test/support/engines.ts";
import { silentLog } from "../../../test/support/job-store.ts";
import { dayMs } from "../../base/index.ts";
import type { Store } from "../../store/index.ts";
import { parseQuery } from "../query/parse-query.ts";
import { readTimeRange } from "../query/time-range.ts";
import { createIndexWriter, type PageToIndex } from "./index-writer.ts";
import { createLocalIndex, type IndexQuery } from "./local-index.ts";

const { signal } = new AbortController();
const clock = { now: () => noon };

/** What tests do with one team's index. */
function createTools(store: Store, teamId: string) {
  const add = async (...pages: (Partial<PageToIndex> & { url: string })[]) => {
    const writer = createIndexWriter({ store: store, clock, log: silentLog });
    const nothing = {
      ...{ title: "", description: "", headings: [], text: "", links: [] },
      ...{ language: null, published: null, modified: null },
    };
    for (const page of pages) writer.add({ teamId, ...nothing, ...page });
    await writer.stop();
    expect(writer.counts()).toEqual({ written: pages.length, dropped: 0, waiting: 0 });
  };
  const ask = (text: string, fields: Partial<IndexQuery> = {}) =>
    createLocalIndex({ store: store }).search(
      { teamId, query: parseQuery(text), limit: 10, wantsPassages: true, ...fields },
      signal,
    );
  const urls = async (text: string, fields: Partial<IndexQuery> = {}) =>
    (await ask(text, fields)).results.map(({ url }) => url);
  /** Names of pages, whatever their order. */
  const names = async (text: string, fields: Partial<IndexQuery> = {}) =>
    (await urls(text, fields)).map((url) => new URL(url).pathname.split("/").at(-1)).sort();
  return { teamId, add, ask, urls, names };
}

type Tools = ReturnType<typeof createTools>;

describe.each(engines)("the local index with pages about animals on $name", ({ fresh }) => {
  let opened: FreshStore;
  let tools: Tools;
  beforeAll(async () => {
    opened = await fresh();
    tools = createTools(opened.store, (await addTeam(opened.store)).id);
    await tools.add(
      {
        url: "https://zoo.example/big/lion",
        title: "The lion",
        text: "A lion runs fast. Lions were seen running here.",
      },
      {
        url: "https://www.zoo.example/big/tiger",
        title: "The Tiger",
        text: "A tiger can run fast but not with a lion.",
      },
      {
        url: "https://farm.example:8080/small/hen",
        title: "Hens and a running dog",
        text: "The hen lays eggs. Fast food.",
      },
      {
        url: "https://farm.example/caf%C3%A9/cow",
        title: "Zoë’s cow café",
        text: "The cow runs to the café; crème brûlée.",
      },
    );
  });
  afterAll(() => opened.cleanup());
  const names: Tools["names"] = (...asked) => tools.names(...asked);

  const cases: [query: string, expected: string[]][] = [
    ["lion", ["lion", "tiger"]],
    ["lions tigers", ["lion", "tiger"]],
    ['"lions"', ["lion"]],
    ['"run fast"', ["tiger"]],
    ['"fast run"', []],
    ['-"run fast" fast', ["hen", "lion"]],
    ["fast -lion", ["hen"]],
    ["fast -running", ["tiger"]],
    ["fast -run", ["hen", "lion"]],
    ["-lion", ["cow", "hen"]],
    ["site:zoo.example", ["lion", "tiger"]],
    ["site:www.zoo.example", ["tiger"]],
    ["site:example -site:zoo.example", ["cow", "hen"]],
    ["site:farm.example:8080", ["hen"]],
    ["site:zoo.example/big", ["lion", "tiger"]],
    ["site:zoo.example/bi", []],
    ["fast -site:zoo.example", ["hen"]],
    ["-site:zoo.example/big fast", ["hen"]],
    ["inurl:small", ["hen"]],
    ["inurl:SMA", ["hen"]],
    ["inurl:café", ["cow"]],
    ["-inurl:big", ["cow", "hen"]],
    ["allinurl:zoo lion", ["lion"]],
    ["-allinurl:zoo lion", ["cow", "hen", "tiger"]],
    ["intitle:tiger", ["tiger"]],
    ["intitle:hen", []],
    ["intitle:cafe", ["cow"]],
    ["-intitle:the", ["cow", "hen"]],
    ['intitle:"running dog"', ["hen"]],
    ["allintitle:dog hens", ["hen"]],
    ["-allintitle:the lion", ["cow", "hen", "tiger"]],
    ["intitle:the -intitle:lion site:zoo.example inurl:big fast", ["tiger"]],
    ["creme BRULEE", ["cow"]],
    ['"crème brûlée" -site:zoo.example', ["cow"]],
    ["the", ["cow", "hen", "lion", "tiger"]],
    ["field:lion", ["lion", "tiger"]],
    ['lion" OR (', ["lion", "tiger"]],
    ["absentword", []],
    ["", []],
    ["!!! ...", []],
  ];
  it.each(cases)("answers %s", async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it("keeps to the domains asked for", async () => {
    expect(await names("fast", { includeDomains: ["farm.example"] })).toEqual(["hen"]);
    expect(await names("fast", { includeDomains: ["farm.example", "www.zoo.example"] })).toEqual(["hen", "tiger"]);
    expect(await names("fast", { excludeDomains: ["zoo.example"] })).toEqual(["hen"]);
    expect(await names("fast", { includeDomains: ["no host"] })).toEqual([]);
  });

  it("takes a query of any length", async () => {
    expect(await names(`lion ${"word ".repeat(400)}`)).toEqual(["lion", "tiger"]);
    expect(await names(`"${"lion ".repeat(400)}"`)).toEqual([]);
    expect(await names("é".repeat(2000))).toEqual([]);
  });
});

describe.each(engines)("the local index on $name", (engine) => {
  const stores = onOneDatabase(engine);
  afterAll(() => stores.end());
  let opened: FreshStore;
  let tools: Tools;
  beforeEach(async () => {
    opened = await stores.fresh();
    tools = createTools(opened.store, (await addTeam(opened.store)).id);
  });
  afterEach(() => opened.cleanup());
  const add: Tools["add"] = (...pages) => tools.add(...pages);
  const ask: Tools["ask"] = (...asked) => tools.ask(...asked);
  const urls: Tools["urls"] = (...asked) => tools.urls(...asked);
  const names: Tools["names"] = (...asked) => tools.names(...asked);

  it("knows pages without spaces between words, and those written from right to left", async () => {
    await add(
      { url: "https://ja.example/kyoto", title: "京都の天気", text: "今日の京都は晴れです。東京では雨が降ります。" },
      { url: "https://ja.example/to", title: "都", text: "京の都" },
      { url: "https://ar.example/kitab", title: "كتاب", text: "هَذَا كِتَابٌ جَدِيدٌ عن القاهرة" },
      { url: "https://he.example/shalom", title: "שלום", text: "שָׁלוֹם עולם" },
    );
    expect(await names("京都")).toEqual(["kyoto"]);
    expect(await names('"東京では"')).toEqual(["kyoto"]);
    expect(await names("-京都 intitle:都")).toEqual(["to"]);
    expect(await names("كتاب جديد")).toEqual(["kitab"]);
    expect(await names('"שלום עולם"')).toEqual(["shalom"]);
    const [first] = (await ask("東京")).results;
    expect(first?.description).toContain("東京では雨");
  });

  it("finds whole words of Chinese, Japanese and Thai, alone and in a question", async () => {
    await add(
      { url: "https://zh.example/zh", text: "今年中国经济增长放缓，专家表示关注。" },
      { url: "https://zh.example/other-zh", text: "经过的人都同济大学毕业。他说的是真的。" },
      { url: "https://ja.example/ja", text: "来月の選挙に向けて準備が進む。" },
      { url: "https://ja.example/other-ja", text: "代表を選んで荷物を挙げた。" },
      { url: "https://th.example/th", text: "ราคาผักในตลาดวันนี้สูงขึ้น" },
      { url: "https://th.example/other-th", text: "เขาเดินทางไปต่างประเทศ" },
    );
    const asked = ["经济", "中国的经济", "選挙", "ตลาด"];
    expect(await Promise.all(asked.map((query) => names(query)))).toEqual([["zh"], ["zh"], ["ja"], ["th"]]);
  });

  it("ranks titles before texts, all words before some, and shows the passage that fits", async () => {
    const filler = "Nothing of interest stands in this sentence, which is here for its length. ".repeat(20);
    await add(
      { url: "https://a.example/text", title: "Other", text: `${filler} Copper pipes are bent by hand. ${filler}` },
      { url: "https://b.example/title", title: "Copper pipes", text: "All about bending." },
      { url: "https://c.example/some", title: "Other things", text: "Copper and more." },
    );
    expect(await urls("copper pipes")).toEqual([
      "https://b.example/title",
      "https://a.example/text",
      "https://c.example/some",
    ]);
    const { description = "" } = (await ask("copper pipes")).results[1] ?? {};
    expect(description).toMatch(/^… .*Copper pipes are bent by hand\..* …$/);
    expect(description.length).toBeLessThan(310);
  });

  it("counts a word as often as the query has it", async () => {
    await add(
      { url: "https://a.example/granite", title: "First stone", text: "Granite is cut and polished." },
      { url: "https://b.example/marble", title: "Other stone", text: "Marble is cut and polished." },
    );
    const first = async (query: string) => (await urls(query))[0];
    expect(await first("granite or marble, but granite")).toBe("https://a.example/granite");
    expect(await first("granite or marble, but marble")).toBe("https://b.example/marble");
    const { results } = await ask("granite or marble, but marble", { wantsReasons: true });
    const words = results[0]?.reason?.words.map(({ word, score }) => [word, score > 0]);
    expect(words).toEqual([
      ["granit", false],
      ["marbl", true],
    ]);
  });

  it("prefers titles that the query covers", async () => {
    const text = "Slate is split by hand and laid on roofs.";
    await add(
      { url: "https://a.example/one", title: "Slate granite marble", text: `${text} It lasts.` },
      { url: "https://b.example/other", title: "Slate roofs", text: `${text} It lasts long.` },
    );
    const { results } = await ask("slate roofs", { wantsReasons: true });
    expect(results.map(({ url, reason }) => [url, reason?.title.toFixed(2)])).toEqual([
      ["https://b.example/other", "1.15"],
      ["https://a.example/one", "1.05"],
    ]);
  });

  it("ranks by all words of a long query", async () => {
    const words = Array.from({ length: 60 }, (_, number) => `term${number}`);
    await add(
      { url: "https://a.example/start", title: "Start", text: `It has ${words[0]} and nothing else.` },
      { url: "https://b.example/end", title: "End", text: `It has ${words.slice(50).join(" ")}.` },
    );
    expect(await urls(words.join(" "))).toEqual(["https://b.example/end", "https://a.example/start"]);
  });

  it("compares the lengths of pages with all of the index where a query is long", async () => {
    const words = Array.from({ length: 30 }, (_, number) => `term${number}`);
    const filler = "Nothing of interest stands in this sentence, which is here for its length alone. ";
    const some = words.filter((_, place) => place % 3 === 0 && place < 24);
    await add(
      {
        url: "https://a.example/long",
        title: "Long",
        text: words.map((word) => `${word} ${filler.repeat(2)}`).join(""),
      },
      { url: "https://b.example/short", title: "Short", text: `${some.join(" ")} ${filler.repeat(4)}` },
      ...words.map((_, place) => ({
        url: `https://c.example/${place}`,
        title: "Other",
        text: filler.repeat(4) + place,
      })),
    );
    const [long, short] = ["https://a.example/long", "https://b.example/short"];
    expect(await urls(words.join(" "))).toEqual([short, long]);
    expect(await urls(words.slice(0, 20).join(" "))).toEqual([long, short]);
  });

  it("shows the same text once, and two pages of a host before those of others", async () => {
    const text = "Granite is a hard stone of many colours, found in mountains.";
    const page = (url: string, more = "") => ({ url, title: "Granite", text: text + more });
    await add(page("https://a.example/1"), page("https://copy.example/1"));
    expect(await urls("granite stone")).toHaveLength(1);
    await add(...[1, 2, 3, 4].map((number) => page(`https://b.example/${number}`, ` Granite stone ${number}.`)));
    await add({ url: "https://c.example/last", title: "Hills", text: "One stone." });
    const found = (await urls("granite stone")).map((url) => new URL(url).host);
    expect(found).toHaveLength(6);
    expect(found.slice(0, 4).filter((host) => host === "b.example")).toHaveLength(2);
    expect(found.slice(4)).toEqual(["b.example", "b.example"]);
    expect(await urls("granite stone site:b.example")).toHaveLength(4);
  });

  it("filters pages by when they were published, else modified, else first seen", async () => {
    await add(
      { url: "https://a.example/published", text: "news one", published: noon - 3 * dayMs, modified: noon },
      { url: "https://a.example/modified", text: "news two", modified: noon - 40 * dayMs },
      { url: "https://a.example/seen", text: "news three" },
    );
    const within = (tbs: string) => names("news", { time: readTimeRange(tbs, noon) });
    expect(await within("qdr:d")).toEqual(["seen"]);
    expect(await within("qdr:w")).toEqual(["published", "seen"]);
    expect(await within("qdr:y")).toEqual(["modified", "published", "seen"]);
    expect(await within("cdr:1,cd_min:11/12/2026,cd_max:11/12/2026")).toEqual(["published"]);
    const newest = await urls("news", { time: readTimeRange("sbd:1", noon) });
    expect(newest.map((url) => new URL(url).pathname)).toEqual(["/seen", "/published", "/modified"]);
  });

  it("finds pages like those of a site, and says when it knows none of them", async () => {
    await add(
      { url: "https://bread.example/", title: "Sourdough bread", text: "Flour, yeast and an oven make bread." },
      { url: "https://bake.example/", title: "Baking", text: "How yeast and flour rise in the oven to become bread." },
      { url: "https://cars.example/", title: "Cars", text: "Engines and wheels." },
    );
    expect(await urls("related:bread.example")).toEqual(["https://bake.example/"]);
    expect(await ask("related:absent.example")).toEqual({ results: [], unknownSites: ["absent.example"] });
  });

  it("finds a page by the words of links to it, be they noted before it was read or after", async () => {
    const pointing = (host: string, to: string, text: string) => ({
      url: `https://${host}/`,
      title: "Links",
      text: `Nothing but links stands on ${host}.`,
      links: [{ url: to, text }],
    });
    const page = { url: "https://a.example/x1", title: "Untitled", text: "Nothing to read here." };
    await add(pointing("early.example", `${page.url}#top`, "Copper kettles"));
    expect(await urls("kettle")).toEqual([]);
    await add(page);
    await add(
      pointing("late.example", page.url, "Tea and scones"),
      pointing("late.example", page.url, "Copper kettles"),
    );
    expect(await urls("kettle")).toEqual([page.url]);
    expect(await urls("scones")).toEqual([page.url]);
    expect(await urls('"copper kettles"')).toEqual([]);
    expect(await urls("scones site:a.example")).toEqual([page.url]);
    expect(await urls("scones site:b.example")).toEqual([]);
    await add({ ...page, text: "Something else to read." });
    expect(await urls("scones")).toEqual([page.url]);
    await opened.store.transaction(({ searchIndex }) => searchIndex.removeUrl(tools.teamId, page.url));
    expect(await urls("scones")).toEqual([]);
  });

  it("ranks a long page by words far down in it", async () => {
    const filler = "Reeds grow by the river. ".repeat(400);
    const others = Array.from({ length: 12 }, (_, place) => ({
      url: `https://other${place}.example/`,
      title: `Reeds ${place}`,
      text: `Reeds by the river, chapter ${place}, with one sluice.`,
    }));
    await tools.add(
      { url: "https://long.example/", title: "Waters", text: `${filler} A sluice keeper opens the lock.` },
      ...others,
    );
    expect((await tools.urls("sluice keeper lock"))[0]).toBe("https://long.example/");
  });

  it("ranks what is alike by how many other hosts link to it", async () => {
    const link = (to: string) => [{ url: to, text: "" }];
    const known = "https://known.example/stone";
    const page = (url: string) => ({ url, title: "Stone", text: `Stone of ${new URL(url).hostname}, hard and grey.` });
    await add(page(known), page("https://plain.example/stone"), page("https://own.example/stone"));
    const own = ["/a", "/b", "/c"].map((path) => ({
      url: `https://own.example${path}`,
      links: link("https://own.example/stone"),
    }));
    await add(
      ...own,
      ...["one", "two", "three"].map((name) => ({ url: `https://${name}.example/`, links: link(known) })),
    );
    expect((await urls("stone"))[0]).toBe(known);
  });

  it("finds sites that are linked to together with a site, and those that link to the same", async () => {
    const linking = (from: string, ...hosts: string[]) => ({
      url: `https://${from}/`,
      text: "",
      links: hosts.map((host) => ({ url: `https://${host}/`, text: host })),
    });
    await add(
      { url: "https://bread.example/", title: "Sourdough", text: "Flour, yeast and an oven." },
      { url: "https://mill.example/", title: "The mill", text: "Stones turn in the wind." },
      { url: "https://cars.example/", title: "Cars", text: "Engines and wheels." },
      linking("one.example", "bread.example", "mill.example"),
      linking("two.example", "www.bread.example", "mill.example"),
      linking("garage.example", "cars.example"),
    );
    expect((await urls("related:bread.example"))[0]).toBe("https://mill.example/");
    expect(await urls("related:bread.example")).not.toContain("https://cars.example/");
    // Never read, but linked to.
    await add(linking("three.example", "oven.example", "mill.example"));
    expect(await urls("related:oven.example")).toContain("https://mill.example/");
    // Both link to the same two.
    expect((await urls("related:one.example"))[0]).toBe("https://two.example/");
  });

  it("finds the pages about the same subject on hosts that link to a site, and no others of theirs", async () => {
    const links = [{ url: "https://bread.example/", text: "bread" }];
    const daily = { url: "https://daily.example/oven", title: "A visit to the baker", text: "An oven at dawn.", links };
    await add(
      { url: "https://bread.example/", title: "Sourdough bread", text: "Flour, yeast and an oven make bread." },
      daily,
      { url: "https://daily.example/cars", title: "Cars", text: "Engines and wheels." },
      { url: "https://stove.example/", title: "Stoves", text: "An oven for the garden." },
    );
    expect(await urls("related:bread.example")).toEqual([daily.url]);
    expect(await urls("-related:bread.example oven")).not.toContain("https://bread.example/");
  });

  it("describes a site of hundreds of pages by its home page and those that others link to", async () => {
    const rest = Array.from({ length: 300 }, (_, at) => ({
      url: `https://bread.example/notices/${at}`,
      title: `Notice ${at}`,
      text: `Parking and opening hours of car park ${at}, with barriers and tickets.`,
    }));
    const home = { url: "https://bread.example/", title: "Sourdough bread", text: "Flour and yeast make bread." };
    const linked = { url: "https://bread.example/oven", title: "Ovens", text: "An oven of brick bakes sourdough." };
    const links = [linked.url].map((url) => ({ url, text: "bread" }));
    const daily = {
      url: "https://daily.example/baker",
      title: "A baker",
      text: "An oven for sourdough at dawn.",
      links,
    };
    const cars = { url: "https://cars.example/", title: "Cars", text: "Parking with barriers and tickets for cars." };
    await add(...rest.slice(0, 150), home, linked, ...rest.slice(150), daily, cars);
    expect(await urls("related:bread.example")).toEqual([daily.url]);
  });

  it("knows the hosts that link to a site of which no page was read, and finds nothing else for it", async () => {
    await add(
      {
        url: "https://fan.example/",
        title: "Fans",
        text: "A page",
        links: [{ url: "https://band.example/", text: "" }],
      },
      { url: "https://cars.example/", title: "Cars", text: "Engines and wheels." },
    );
    expect(await ask("related:band.example")).toMatchObject({
      results: [{ url: "https://fan.example/" }],
      unknownSites: [],
    });
    await opened.store.transaction(({ searchIndex }) => searchIndex.removeUrl(tools.teamId, "https://fan.example/"));
    expect(await urls("related:band.example")).toEqual([]);
  });

  it("knows a page that was read again, and notes what changed", async () => {
    const page = { url: "https://a.example/", title: "Tides", text: "High water at noon." };
    await add(page, page);
    await add(page);
    expect(await opened.store.searchIndex.stats(tools.teamId)).toMatchObject({ pages: 1 });
    await add({ ...page, text: "Low water at noon." });
    expect(await urls("high")).toEqual([]);
    expect(await urls("low")).toEqual([page.url]);
  });

  it("never shows a team the pages of another", async () => {
    await add({ url: "https://a.example/", title: "Mine", text: "secret words" });
    const other = (await addTeam(opened.store)).id;
    for (const text of ["secret", '"secret words"', "site:a.example", "-absent", "related:a.example"]) {
      expect((await ask(text, { teamId: other })).results).toEqual([]);
    }
    expect(await urls("secret")).toHaveLength(1);
  });

  it("fills its answer with pages that certainly lack an unwanted word", async () => {
    const wanted = { url: "https://a.example/wanted", title: "Other", text: "A stone and a lake." };
    const many = Array.from({ length: 1100 }, (_, number) => ({
      url: `https://a.example/${number}`,
      title: "Stone",
      text: `Stone after stone in the river ${number}.`,
    }));
    await add(wanted, ...many);
    expect(await urls("stone -river")).toEqual([wanted.url]);
    expect(await urls("-river")).toEqual([wanted.url]);
  });
});

describe("the writer of the index", () => {
  it("drops what does not fit and what cannot be written, and never throws", async () => {
    const broken = { transaction: () => Promise.reject(new Error("no store")) } as never;
    const writer = createIndexWriter({ store: broken, clock, log: silentLog });
    const page = {
      teamId: "t",
      title: "",
      description: "",
      headings: [],
      text: "x".repeat(100_000),
      links: [],
      language: null,
      published: null,
      modified: null,
    };
    writer.add({ ...page, url: "no url" });
    for (let number = 0; number < 400; number += 1) writer.add({ ...page, url: `https://a.example/${number}` });
    const { dropped, waiting } = writer.counts();
    expect(waiting).toBeLessThan(400);
    expect(dropped + waiting).toBe(401);
    await writer.stop();
    writer.add({ ...page, url: "https://a.example/late" });
    expect(writer.counts()).toEqual({ written: 0, dropped: 402, waiting: 0 });
  });
});
