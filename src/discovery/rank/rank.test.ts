import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../../test/support/property-runs.ts";
import { type RankedLink, rank } from "./rank.ts";

const site = "https://www.example.com";
const at = (...paths: string[]): RankedLink[] => paths.map((path) => ({ url: site + path }));
const urls = async (links: readonly RankedLink[], query: string) =>
  (await rank(links, query)).map(({ url }) => url.replace(site, ""));
const first = async (links: readonly RankedLink[], query: string) => (await urls(links, query))[0];

const shop = at(
  "/",
  "/blog/2024/our-new-pricing-explained",
  "/docs/billing/pricing-model",
  "/pricing",
  "/about-us",
  "/login",
);

describe("the best link", () => {
  it.each<[string, readonly RankedLink[], string, string]>([
    ["a page whose path is the word", shop, "pricing", "/pricing"],
    ["another form of the word", shop, "prices", "/pricing"],
    ["upper case", shop, "PRICING", "/pricing"],
    ["stop words do not decide", at("/the-and-for", "/a/refunds"), "the policy for the refund", "/a/refunds"],
    ["a query of stop words alone", at("/x", "/what-is-this"), "what is this", "/what-is-this"],
    ["all words before some", at("/api", "/reference", "/docs/api-reference"), "api reference", "/docs/api-reference"],
    ["a rare word before a common one", at("/blog/a", "/blog/b", "/blog/c", "/zebra"), "blog zebra", "/zebra"],
    ["words in the order asked for", at("/house-white-cat", "/white-house-cat"), "white house", "/white-house-cat"],
    ["the beginning of a word", at("/blog", "/documentation"), "doc", "/documentation"],
    ["a word that begins like it", at("/blog", "/config"), "configuration", "/config"],
    ["plural in -ies", at("/x", "/companies"), "company", "/companies"],
    ["doubled consonant", at("/x", "/running-shoes"), "run", "/running-shoes"],
    ["accents in the query", at("/x", "/cafe-creme"), "Café Crème", "/cafe-creme"],
    ["accents in the address", at("/x", "/caf%C3%A9"), "cafe", "/caf%C3%A9"],
    ["umlauts spelt out", at("/x", "/ueber-muenchen"), "über München", "/ueber-muenchen"],
    ["umlauts dropped", at("/x", "/munchen"), "München", "/munchen"],
    ["sharp s", at("/x", "/strasse"), "Straße", "/strasse"],
    ["camel case", at("/x", "/api/getUserInfo"), "user info", "/api/getUserInfo"],
    ["camel case in the query", at("/user", "/get-user-info"), "getUserInfo", "/get-user-info"],
    ["capitals before a word", at("/x", "/HTMLParser"), "parser", "/HTMLParser"],
    ["letters and digits", at("/iphone", "/iphone15"), "iphone 15", "/iphone15"],
    ["a number", at("/p/12345", "/p/67890"), "67890", "/p/67890"],
    ["an id", at("/item/b0d1xd1zv3", "/item/b0d1xd1zv4"), "B0D1XD1ZV4", "/item/b0d1xd1zv4"],
    ["words run together in the address", at("/plans", "/pricingplans"), "pricing plans", "/pricingplans"],
    ["words run together in the query", at("/x", "/java-script", "/javascript"), "JavaScript", "/javascript"],
    ["the end of a compound", at("/bad", "/kinderzimmer"), "Zimmer", "/kinderzimmer"],
    ["Chinese, encoded", at("/x", `/${encodeURIComponent("机器学习")}`), "学习", `/${encodeURIComponent("机器学习")}`],
    ["Cyrillic in Latin letters", at("/x", "/dostavka-i-oplata"), "Доставка и оплата", "/dostavka-i-oplata"],
    ["an ending is no word", at("/html/x", "/html-guide.html", "/other.html"), "html guide", "/html-guide.html"],
    ["a parameter", at("/list?sort=asc", "/list?category=shoes"), "shoes", "/list?category=shoes"],
    ["an address as query", shop, "https://www.example.com/about-us", "/about-us"],
    ["the home page for the site's name", at("/a", "/"), "example", "/"],
    ["bytes that are not UTF-8", at("/%ff%fe", "/%E4rger-mail"), "mail", "/%E4rger-mail"],
  ])("%s", async (_, links, query, best) => {
    expect(await first(links, query)).toBe(best);
  });

  it("is found by its title, anchors and description, in that order of weight", async () => {
    const links = [
      { url: `${site}/1` },
      { url: `${site}/2`, description: "All about refunds" },
      { url: `${site}/3`, anchors: ["Read on", "Refunds"] },
      { url: `${site}/4`, title: "Refunds" },
    ];
    expect(await urls(links, "refund")).toEqual(["/4", "/3", "/2", "/1"]);
  });

  it.each([
    ["Japanese", "料金プラン", "料金", "会社概要"],
    ["Korean", "요금제를 확인하세요", "요금제", "회사 소개"],
    ["Thai", "ราคาและแพ็กเกจ", "ราคา", "ติดต่อเรา"],
    ["Arabic", "الأسعار والخطط", "الاسعار", "من نحن"],
    ["Hebrew", "מחירים ותוכניות", "מחירים", "אודות"],
    ["full-width letters", "ＰＲＩＣＩＮＧ", "pricing", "ＡＢＯＵＴ"],
  ])("is found by a title in %s", async (_, title, query, other) => {
    const links = [
      { url: `${site}/1`, title: other },
      { url: `${site}/2`, title },
    ];
    expect(await first(links, query)).toBe("/2");
  });

  it("is found by a host's name: words run together, initials, other scripts", async () => {
    const links = ["https://www.bhf.org.uk/x", "https://bestsharpeningstones.com/y", "https://xn--mnchen-3ya.de/z"].map(
      (url) => ({ url }),
    );
    expect((await rank(links, "British Heart Foundation"))[0]).toBe(links[0]);
    expect((await rank(links, "sharpening stones"))[0]).toBe(links[1]);
    expect((await rank(links, "München"))[0]).toBe(links[2]);
    expect(await rank(links, "com www org uk")).toEqual(links);
  });
});

describe("the order", () => {
  it("keeps equal and unmatched links as they were given", async () => {
    const links = at("/c", "/x/shoes", "/a", "/y/shoes", "/b");
    expect(await urls(links, "shoes")).toEqual(["/x/shoes", "/y/shoes", "/c", "/a", "/b"]);
    expect(await urls(links, "nothing")).toEqual(links.map(({ url }) => url.replace(site, "")));
  });

  it.each(["", " ", "!?", "\u0000"])("is the given one for a query without words: %j", async (query) => {
    expect(await rank(shop, query)).toEqual(shop);
  });

  it("leaves its input alone and returns the very same links", async () => {
    const links = Object.freeze(shop.map((link) => Object.freeze(link)));
    const ranked = await rank(links, "login");
    expect(new Set(ranked)).toEqual(new Set(links));
    expect(ranked[0]).toBe(links[5]);
  });

  it("holds across batches", async () => {
    const links = at(
      ...Array.from({ length: 5000 }, (_, index) => `/page/${index % 1000 === 999 ? "target" : "other"}/${index}`),
    );
    expect((await urls(links, "target")).slice(0, 6)).toEqual([
      ...[999, 1999, 2999, 3999, 4999].map((index) => `/page/target/${index}`),
      "/page/other/0",
    ]);
  });
});

describe("limits", () => {
  it("reads a query of 10,000 characters", async () => {
    const words = Array.from({ length: 1500 }, (_, index) => `word${index}`).join(" ");
    expect(await first(shop, `pricing ${words}`)).toBe("/pricing");
    expect(await first(shop, "pricing".repeat(1400))).toBeDefined();
  });

  it("stops when aborted and lets other work run between batches", async () => {
    const links = at(...Array.from({ length: 10_000 }, (_, index) => `/page-${index}`));
    const stop = new AbortController();
    setImmediate(() => stop.abort(new Error("enough")));
    await expect(rank(links, "page", { signal: stop.signal })).rejects.toThrow("enough");
    const signal = AbortSignal.abort(new Error("before"));
    await expect(rank([], "page", { signal })).rejects.toThrow("before");
  });

  it("gives as many of the best as are wanted", async () => {
    const links = at("/a", "/b-pricing", "/c", "/pricing");
    const all = await rank(links, "pricing");
    for (const limit of [1, 2, 4, 9]) expect(await rank(links, "pricing", { limit })).toEqual(all.slice(0, limit));
    expect(await rank(links, "", { limit: 2 })).toEqual(links.slice(0, 2));
  });

  const text = fc.oneof(anyText(), fc.string(), fc.constantFrom("constructor", "__proto__", "a%zz%41", "İSTANBUL"));
  const link = fc.record(
    {
      url: fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), text),
      title: text,
      description: text,
    },
    { requiredKeys: ["url"] },
  );

  it("never throws and returns every link once, whatever it is given", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(link), text, async (links, query) => {
        const ranked = await rank(links, query);
        expect(ranked).toHaveLength(links.length);
        expect(new Set(ranked)).toEqual(new Set(links));
      }),
    );
  });

  it("puts a link named by the query before links without its words, whatever its place in the list", async () => {
    const word = fc.stringMatching(/^[b-df-hj-np-tv-z]{5,9}$/);
    await fc.assert(
      fc.asyncProperty(word, fc.nat(20), async (name, place) => {
        const links = at(...Array.from({ length: 21 }, (_, index) => (index === place ? `/a/${name}` : `/a/${index}`)));
        expect(await first(links, name.toUpperCase())).toBe(`/a/${name}`);
      }),
    );
  });
});
