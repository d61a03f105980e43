import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import { type CrawlScopeOptions, createCrawlScope, maxLinksPerPage } from "./crawl-scope.ts";

const defaults: CrawlScopeOptions = {
  includePaths: [],
  excludePaths: [],
  regexOnFullURL: false,
  crawlEntireDomain: false,
  allowSubdomains: false,
  allowExternalLinks: false,
  ignoreQueryParameters: false,
  deduplicateSimilarURLs: true,
};

const page = { isExternal: false };
const createScope = (start: string, options: Partial<CrawlScopeOptions> = {}) =>
  createCrawlScope(new URL(start), { ...defaults, ...options });

async function sift(start: string, options: Partial<CrawlScopeOptions>, urls: readonly string[]) {
  return (await createScope(start, options)).sift(urls, page);
}

async function accepted(start: string, options: Partial<CrawlScopeOptions>, urls: readonly string[]) {
  return (await sift(start, options, urls)).accepted.map(({ url }) => url);
}

describe("which sites and paths", () => {
  const wide = { crawlEntireDomain: true };
  const rows: [start: string, options: Partial<CrawlScopeOptions>, url: string, isFollowed: boolean][] = [
    ["https://a.test/", {}, "https://a.test/x", true],
    ["https://a.test/", {}, "http://www.a.test/x", true],
    ["https://www.a.test/", {}, "https://a.test/x", true],
    ["https://a.test/", {}, "https://a.test:8443/x", false],
    ["https://a.test:8443/", {}, "https://a.test:8443/x", true],
    ["https://a.test:8443/", {}, "https://a.test/x", false],
    ["https://a.test/docs", {}, "https://a.test/docs", true],
    ["https://a.test/docs", {}, "https://a.test/docs/", true],
    ["https://a.test/docs", {}, "https://a.test/docs/x", true],
    ["https://a.test/docs", {}, "https://a.test/docs?x=/blog", true],
    ["https://a.test/docs", {}, "https://a.test/docsify", false],
    ["https://a.test/docs", {}, "https://a.test/blog", false],
    ["https://a.test/docs", {}, "https://a.test/", false],
    ["https://a.test/docs", {}, "https://a.test/x/../docs/y", true],
    ["https://a.test/docs", {}, "https://a.test/docs/../x", false],
    ["https://a.test/docs", {}, "https://a.test/%64ocs/x", true],
    ["https://a.test/%64ocs", {}, "https://a.test/docs/x", true],
    ["https://a.test/caf%c3%a9", {}, "https://a.test/café/x", true],
    ["https://a.test/docs/index.html", {}, "https://a.test/docs/x", true],
    ["https://a.test/docs/index.html", {}, "https://a.test/x", false],
    ["https://a.test/docs", wide, "https://a.test/blog", true],
    ["https://a.test/docs", wide, "https://www.a.test/", true],
    ["https://a.test/docs", wide, "https://b.a.test/docs", false],
    ["https://example.com/docs", { allowSubdomains: true }, "https://blog.example.com/x", true],
    ["https://example.com/docs", { allowSubdomains: true }, "https://a.b.c.example.com/", true],
    ["https://example.com/docs", { allowSubdomains: true }, "https://example.com/x", false],
    ["https://example.com/docs", { allowSubdomains: true }, "https://example.com/docs/x", true],
    ["https://example.com/", { allowSubdomains: true }, "https://notexample.com/x", false],
    ["https://example.com/", { allowSubdomains: true }, "https://example.com.evil.net/x", false],
    ["https://blog.example.com/", {}, "https://example.com/x", false],
    ["https://blog.example.com/", { allowSubdomains: true }, "https://example.com/x", true],
    ["https://blog.example.com/", { allowSubdomains: true }, "https://shop.example.com/x", true],
    ["https://a.co.uk/", { allowSubdomains: true }, "https://b.co.uk/x", false],
    ["https://me.github.io/", { allowSubdomains: true }, "https://you.github.io/x", false],
    ["http://127.0.0.1:3000/", { allowSubdomains: true }, "http://127.0.0.1:3000/x", true],
    ["http://127.0.0.1:3000/", { allowSubdomains: true }, "http://127.0.0.2:3000/x", false],
    ["http://127.0.0.1:3000/", { allowSubdomains: true }, "http://127.0.0.1:3001/x", false],
    ["http://[::1]/", {}, "http://[::1]/x", true],
    ["https://a.test/", {}, "https://b.test/x", false],
    ["https://a.test/docs", { allowExternalLinks: true }, "https://a.test/blog", false],
  ];
  it.each(rows)("from %s with %j: %s %s", async (start, options, url, isFollowed) => {
    const scope = await createScope(start, options);
    const { accepted, denied } = await scope.sift([url], page);
    expect({ accepted: accepted.map(({ isExternal }) => isExternal), denied }).toEqual({
      accepted: isFollowed ? [false] : [],
      denied: [],
    });
    expect(scope.isWithin(url)).toBe(isFollowed);
  });

  it("holds every start within its own crawl", async () => {
    for (const start of [
      "https://a.test/docs/index.html",
      "https://a.test/a.b/c",
      "https://a.test//x//",
      "http://a.test",
    ]) {
      expect((await createScope(start)).isWithin(start), start).toBe(true);
    }
  });

  it("finds nothing within that is no address", async () => {
    const scope = await createScope("https://a.test/");
    for (const text of ["", "x", "/x", "mailto:a@a.test", "https://", `https://a.test/${"x".repeat(9000)}`]) {
      expect(scope.isWithin(text)).toBe(false);
    }
  });
});

describe("a start page that is found elsewhere", () => {
  const rows: [start: string, end: string, movedTo: string | null][] = [
    ["https://a.test/docs", "https://a.test/docs", null],
    ["https://a.test/docs", "https://a.test/docs/intro?x=1", null],
    ["https://a.test/", "https://a.test/en/home", null],
    ["https://a.test/old", "https://a.test/new/", "https://a.test/new/"],
    ["http://a.test/docs", "https://a.test/docs/intro", "https://a.test/docs"],
    ["https://a.test/", "https://www.a.test/en/home?x=1#y", "https://www.a.test/"],
    ["https://a.test/docs", "https://docs.a.test/", "https://docs.a.test/"],
    ["https://a.test/docs/start.html", "https://b.test/docs/intro", "https://b.test/docs/start.html"],
    ["https://a.test/x", "https://u:secret@b.test/y", "https://b.test/y"],
  ];
  it.each(rows)("%s at %s moves the scope to %s", async (start, end, moved) => {
    expect((await createScope(start)).movedTo(end)).toBe(moved);
  });
});

describe("external links", () => {
  const options = { allowExternalLinks: true };

  it("go one step out", async () => {
    const scope = await createScope("https://a.test/", options);
    const { accepted } = await scope.sift(["https://b.test/x", "https://a.test/y", "https://blog.a.test/z"], page);
    expect(accepted).toEqual([
      { url: "https://b.test/x", key: "b.test/x", isExternal: true },
      { url: "https://a.test/y", key: "a.test/y", isExternal: false },
      { url: "https://blog.a.test/z", key: "blog.a.test/z", isExternal: true },
    ]);
    expect(scope.isWithin("https://b.test/x")).toBe(false);
    expect(await scope.sift(["https://b.test/x", "https://a.test/y", "https://c.test/"], { isExternal: true })).toEqual(
      {
        accepted: [],
        denied: [],
        forbidden: [],
      },
    );
  });

  it("never lead to home pages, which are listed once", async () => {
    const homes = ["https://b.test", "http://www.b.test/", "https://b.test/index.html", "https://c.test/?x=1"];
    const { accepted, denied } = await sift("https://a.test/", options, [...homes, "https://a.test/"]);
    expect(accepted.map(({ url }) => url)).toEqual(["https://a.test/"]);
    expect(denied).toEqual(
      ["https://b.test/", "https://c.test/?x=1"].map((url) => ({
        url,
        code: "EXTERNAL_LINK",
        reason: expect.stringContaining("home pages"),
      })),
    );
  });

  it("are passed over in silence when not allowed, or excluded", async () => {
    const urls = ["https://b.test/", "https://b.test/x"];
    expect(await sift("https://a.test/", {}, urls)).toEqual({ accepted: [], denied: [], forbidden: [] });
    const excluded = { ...options, excludePaths: ["^/$"] };
    expect(await sift("https://a.test/", excluded, urls)).toMatchObject({
      accepted: [{ isExternal: true }],
      denied: [],
      forbidden: [],
    });
  });

  it("are those of subdomains only when these are not allowed", async () => {
    const both = { allowExternalLinks: true, allowSubdomains: true };
    const { accepted, denied } = await sift("https://example.com/", both, ["https://blog.example.com/"]);
    expect(accepted).toMatchObject([{ isExternal: false }]);
    expect(denied).toEqual([]);
    const { denied: homes } = await sift("https://example.com/", options, ["https://blog.example.com/"]);
    expect(homes).toMatchObject([{ code: "EXTERNAL_LINK" }]);
  });
});

describe("what is never followed", () => {
  const wide = { allowExternalLinks: true };

  it.each([
    ...[
      "mailto:a@a.test",
      "tel:+491",
      "javascript:void(0)",
      "data:text/html,x",
      "ftp://a.test/x",
      "file:///etc/passwd",
    ],
    ...[
      "blob:https://a.test/x",
      "about:blank",
      "whatsapp://send?text=x",
      "",
      "/x",
      "x",
      "//a.test/x",
      "https://",
      "http://a b/",
    ],
  ])("no page of the web: %s", async (url) => {
    expect(await sift("https://a.test/", wide, [url])).toEqual({ accepted: [], denied: [], forbidden: [] });
  });

  it.each([
    "https://www.facebook.com/sharer/sharer.php?u=x",
    "https://facebook.com/sharer.php?u=x",
    "https://de-de.facebook.com/dialog/share?x",
    "https://twitter.com/intent/tweet?url=x",
    "https://x.com/intent/post?text=x",
    "https://twitter.com/share?url=x",
    "https://www.linkedin.com/shareArticle?mini=true&url=x",
    "https://www.linkedin.com/sharing/share-offsite/?url=x",
    "https://www.pinterest.com/pin/create/button/?url=x",
    "https://wa.me/?text=x",
    "https://api.whatsapp.com/send?text=x",
    "https://t.me/share/url?url=x",
    "https://www.reddit.com/submit?url=x",
    "https://news.ycombinator.com/submitlink?u=x",
    "https://bsky.app/intent/compose?text=x",
  ])("the button %s", async (url) => {
    expect(await sift("https://a.test/", wide, [url])).toEqual({ accepted: [], denied: [], forbidden: [] });
    expect(await accepted(new URL("/", url).href, {}, [url])).toEqual([]);
  });

  it("but the networks' own pages are", async () => {
    const pages = ["https://x.com/user", "https://x.com/intention", "https://t.me/channel", "https://a.test/share?x=1"];
    expect(await accepted("https://a.test/", wide, pages)).toEqual(pages);
  });

  const names = {
    followed: [
      ...[
        "x",
        "x.html",
        "x.php",
        "x.aspx",
        "x.pdf",
        "x.PDF",
        "x.docx",
        "x.doc",
        "x.xlsx",
        "x.odt",
        "x.rtf",
        "x.epub",
        "x.pptx",
      ],
      ...[
        "x.csv",
        "x.txt",
        "x.md",
        "x.xml",
        "x.json",
        "x.rss",
        "v1.2",
        "example.com",
        "x.png/",
        "x.png/y",
        "x?f=y.png",
        "png",
      ],
      ...[".", "x.", "a.b-c", "zip", "x.png.html", "x.", "x..", "x.constructor"],
    ],
    skipped: [
      ...[
        "x.png",
        "x.JPG",
        "x.jpeg",
        "x.svg",
        "x.webp",
        "x.mp3",
        "x.mp4",
        "x.webm",
        "x.zip",
        "x.tar.gz",
        "x.7z",
        "x.exe",
      ],
      ...[
        "x.dmg",
        "x.woff2",
        "x.css",
        "x.js",
        "x.map",
        "x.ico",
        "x.png?v=1",
        "a/b.c/x.png#y",
        "x.p%6Eg",
        ".png",
        "x.wasm",
      ],
    ],
  };
  it.each(names.followed)("by its ending, not %s", async (name) => {
    expect(await accepted("https://a.test/", {}, [`https://a.test/${name}`])).toHaveLength(1);
  });
  it.each(names.skipped)("by its ending, %s", async (name) => {
    expect(await accepted("https://a.test/", {}, [`https://a.test/${name}`])).toEqual([]);
  });

  const letters = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`).join("/");
  it.each([
    [letters(50), true],
    [`${letters(50)}/`, true],
    [letters(51), false],
    [letters(2000), false],
    ["a/a/a", true],
    ["a/a/a/b", true],
    ["a/a/a/a", false],
    ["a/b/a/b/a/b/c", true],
    ["a/b/a/b/a/b/a", false],
    ["a/%61/a/%61/", false],
    ["a/A/a/A/a", true],
    ["a//b//c//d", true],
    ["a//b//c//d//e", false],
    ["x".repeat(8192 - 15), true],
    ["x".repeat(8192 - 14), false],
    ["ü".repeat(8100), false],
    ["__proto__/constructor/toString", true],
  ])("endless spaces: %.40s %s", async (path, isFollowed) => {
    expect(await accepted("https://a.test/", {}, [`https://a.test/${path}`])).toHaveLength(isFollowed ? 1 : 0);
  });
});

describe("the regular expressions", () => {
  const urls = ["/docs/a", "/docs/old/b", "/blog/c?tag=docs", "/", "/DOCS/d"].map((path) => `https://a.test${path}`);
  const rows: [options: Partial<CrawlScopeOptions>, left: number[]][] = [
    [{}, [0, 1, 2, 3, 4]],
    [{ includePaths: ["^/docs/"] }, [0, 1]],
    [{ includePaths: ["docs"] }, [0, 1]],
    [{ includePaths: ["docs"], regexOnFullURL: true }, [0, 1, 2]],
    [{ includePaths: ["^/docs/"], regexOnFullURL: true }, []],
    [{ includePaths: ["^https://a\\.test/docs/"], regexOnFullURL: true }, [0, 1]],
    [{ includePaths: ["^/docs/", "^/blog/"] }, [0, 1, 2]],
    [{ excludePaths: ["/old/"] }, [0, 2, 3, 4]],
    [{ excludePaths: ["\\?tag="] }, [0, 1, 2, 3, 4]],
    [{ excludePaths: ["\\?tag="], regexOnFullURL: true }, [0, 1, 3, 4]],
    [{ includePaths: ["^/docs/"], excludePaths: ["/old/"] }, [0]],
    [{ includePaths: ["/old/"], excludePaths: ["/old/"] }, []],
    [{ includePaths: ["^/$"] }, [3]],
    [{ includePaths: ["^/(?!docs)"] }, [2, 3, 4]],
    [{ includePaths: ["^/docs/(?!old)"], excludePaths: ["(.)\\1"] }, [0]],
  ];
  it.each(rows)("%j", async (options, left) => {
    expect(await accepted("https://a.test/", options, urls)).toEqual(left.map((index) => urls[index]));
  });

  it("for hosts bind beside those for paths, each on its own part of the URL", async () => {
    const options = { allowSubdomains: true, allowExternalLinks: true };
    const all = ["https://docs.a.test/x", "https://www.b.test/docs/y", "https://c.test/docs/z"];
    const left = (hosts: { include?: string[]; exclude?: string[] }, more: Partial<CrawlScopeOptions> = {}) =>
      accepted("https://a.test/", { ...options, hostPatterns: { include: [], exclude: [], ...hosts }, ...more }, all);
    expect(await left({ include: ["docs"] })).toEqual(all.slice(0, 1));
    expect(await left({ include: ["^c\\.test$|^docs\\."] })).toEqual([all[0], all[2]]);
    expect(await left({ exclude: ["^www.*docs", "c.test$"] })).toEqual(all.slice(0, 2));
    expect(await left({ exclude: ["^c"] }, { includePaths: ["^/docs/"] })).toEqual([all[1]]);
    expect(await left({ include: ["b"] }, { excludePaths: ["^/x|y$"] })).toEqual([]);
  });

  it("can be asked about one address, such as the start's", async () => {
    const accepts = async (start: string, options: Partial<CrawlScopeOptions>) =>
      (await createScope(start, options)).accepts(start);
    expect(await accepts("https://a.test/", {})).toBe(true);
    expect(await accepts("https://a.test/", { includePaths: ["^/docs"] })).toBe(false);
    expect(await accepts("https://a.test/docs", { includePaths: ["^/docs"] })).toBe(true);
    expect(await accepts("https://a.test/docs", { excludePaths: ["^/docs"] })).toBe(false);
    expect(await accepts("https://u:secret@a.test/#x", { includePaths: ["secret|#x"], regexOnFullURL: true })).toBe(
      false,
    );
    expect(await accepts(`https://a.test/${"a".repeat(40)}!`, { includePaths: ["(?=/)/(a+)+$"] })).toBe("undecided");
  });

  it("that take too long leave their addresses out, and say so", async () => {
    const slow = `https://a.test/${"a".repeat(40)}!`;
    const options = { excludePaths: ["(?=/)/(a+)+$"] };
    const { accepted, denied } = await sift("https://a.test/", options, ["https://a.test/x", slow, `${slow}#b`]);
    expect(accepted.map(({ url }) => url)).toEqual(["https://a.test/x"]);
    expect(denied).toEqual([
      { url: slow, code: "CRAWL_DENIAL", reason: expect.stringContaining("regular expression") },
    ]);
    expect(await sift("https://a.test/", { ...options, includePaths: ["^/x"] }, [slow])).toEqual({
      accepted: [],
      denied: [],
      forbidden: [],
    });
  });

  it("may let one spelling of a page pass and not another", async () => {
    const options = { ignoreQueryParameters: true, regexOnFullURL: true, excludePaths: ["print"] };
    const urls = ["https://a.test/x?print", "https://a.test/x?read", "https://a.test/x"];
    expect(await accepted("https://a.test/", options, urls)).toEqual(["https://a.test/x?read"]);
  });

  it("see the path as it will be requested", async () => {
    expect(await accepted("https://a.test/", { includePaths: ["%7E"] }, ["https://a.test/%7Eme"])).toHaveLength(1);
  });

  it("reject what is not a pattern", async () => {
    await expect(createScope("https://a.test/", { includePaths: ["("] })).rejects.toThrow(SyntaxError);
  });
});

describe("when two addresses are one page", () => {
  const strict = { deduplicateSimilarURLs: false };
  const rows: [options: Partial<CrawlScopeOptions>, one: string, other: string, isSame: boolean][] = [
    [strict, "https://a.test/x#y", "https://a.test/x", true],
    [strict, "https://a.test/x#", "https://a.test/x", true],
    [strict, "https://a.test/x?", "https://a.test/x", true],
    [strict, "HTTPS://A.test:443/./x", "https://a.test/x", true],
    [strict, "https://u:p@a.test/x", "https://a.test/x", true],
    [strict, "https://a.test/%7Ex?%7e", "https://a.test/~x?~", true],
    [strict, "https://a.test/%c3%a9", "https://a.test/é", true],
    [strict, "https://a.test/a%2fb", "https://a.test/a/b", false],
    [strict, "https://a.test/100%", "https://a.test/100%25", true],
    [strict, "https://a.test/x?a=b%26c", "https://a.test/x?a=b&c", false],
    [strict, "https://a.test/x/", "https://a.test/x", false],
    [strict, "http://a.test/x", "https://a.test/x", false],
    [strict, "https://www.a.test/x", "https://a.test/x", false],
    [strict, "https://a.test/index.html", "https://a.test/", false],
    [strict, "https://a.test/X", "https://a.test/x", false],
    [strict, "https://a.test/x?a", "https://a.test/x", false],
    [{ ...strict, ignoreQueryParameters: true }, "https://a.test/x?a", "https://a.test/x?b=c#d", true],
    [{ ...strict, ignoreQueryParameters: true }, "https://a.test/x?a", "http://a.test/x?a", false],
    [{}, "http://www.a.test/x/", "https://a.test/x", true],
    [{}, "https://a.test/x/index.html", "https://a.test/x", true],
    [{}, "https://a.test/x/index.htm", "https://a.test/x/", true],
    [{}, "https://a.test/index.php?id=1", "http://www.a.test?id=1", true],
    [{}, "https://a.test/Default.aspx", "https://a.test/", true],
    [{}, "https://a.test/x//", "https://a.test/x", true],
    [{}, "https://a.test/index%2ehtml", "https://a.test/", true],
    [{}, "https://a.test/myindex.html", "https://a.test/my", false],
    [{}, "https://a.test/index.html/x", "https://a.test/x", false],
    [{}, "https://a.test/x?a=1", "https://a.test/x?a=2", false],
    [{}, "https://a.test/x?a=1/", "https://a.test/x?a=1", false],
    [{}, "https://a.test/X", "https://a.test/x", false],
    [{}, "https://a.test:8080/x", "https://a.test/x", false],
    [{ ignoreQueryParameters: true }, "http://www.a.test/x/index.html?a#b", "https://a.test/x?c", true],
  ];
  it.each(rows)("%j: %s and %s %s", async (options, one, other, isSame) => {
    const scope = await createScope("https://a.test/", options);
    expect(scope.keyOf(one) === scope.keyOf(other)).toBe(isSame);
  });

  it("spells every escape in one way", async () => {
    const scope = await createScope("https://a.test/");
    const digits = [..."0123456789abcdefABCDEF"];
    for (const pair of digits.flatMap((one) => digits.map((other) => one + other))) {
      const letter = String.fromCharCode(Number.parseInt(pair, 16));
      const spelled = /[A-Za-z0-9._~-]/.test(letter) ? letter : `%${pair.toUpperCase()}`;
      expect(scope.keyOf(`https://a.test/x%${pair}y?%${pair}`)).toBe(`a.test/x${spelled}y?${spelled}`);
    }
    expect(scope.keyOf("https://a.test/x%7%45%")).toBe("a.test/x%257E%25");
  });

  it("keeps the first as it was written, without fragment and credentials", async () => {
    const urls = ["http://u:p@www.a.test/x/index.html?a=%7e#b", "https://a.test/x?a=~", "https://a.test/y#"];
    expect((await sift("https://a.test/", {}, urls)).accepted).toEqual([
      { url: "http://www.a.test/x/index.html?a=%7e", key: "a.test/x?a=~", isExternal: false },
      { url: "https://a.test/y", key: "a.test/y", isExternal: false },
    ]);
    const options = { ignoreQueryParameters: true };
    expect(await accepted("https://a.test/", options, ["https://a.test/x?a", "https://a.test/x"])).toEqual([
      "https://a.test/x?a",
    ]);
  });

  it("never lets a spelling that may not be read stand for one that may", async () => {
    const scope = await createScope("https://a.test/");
    const urls = ["/b/", "/b", "/b/index.html", "/c", "/c/"].map((path) => `https://a.test${path}`);
    const mayRead = (url: string) => !/\/(?:b|c)\/$/.test(url);
    const { accepted, forbidden } = await scope.sift(urls, page, undefined, mayRead);
    expect(accepted.map(({ url }) => url)).toEqual(["https://a.test/b", "https://a.test/c"]);
    expect(forbidden).toEqual(["https://a.test/b/"]);
  });

  it("has a key for whatever it is asked", async () => {
    const scope = await createScope("https://a.test/");
    expect(["", "x#y", "mailto:a@b", "https://"].map(scope.keyOf)).toEqual(["", "x", "mailto:a@b", "https://"]);
  });
});

describe("many and hostile links", () => {
  it("keeps the first 3,000 of a page, of those that are followed", async () => {
    const urls = Array.from({ length: 20_000 }, (_, index) => `https://${index % 2 ? "a" : "b"}.test/${index}`);
    const found = await accepted("https://a.test/", {}, urls);
    expect(found).toHaveLength(maxLinksPerPage);
    expect(found.at(-1)).toBe("https://a.test/5999");
    expect(await accepted("https://a.test/", { includePaths: ["9$"] }, urls)).toHaveLength(2000);
  });

  it("lists no more denials either", async () => {
    const urls = Array.from({ length: 10_000 }, (_, index) => `https://h${index}.test/`);
    const { accepted, denied } = await sift("https://a.test/", { allowExternalLinks: true }, urls);
    expect([accepted.length, denied.length]).toEqual([0, maxLinksPerPage]);
  });

  it("lets others work meanwhile, and stops when told", async () => {
    const urls = Array.from({ length: 200_000 }, (_, index) => `https://b.test/${index}`);
    const scope = await createScope("https://a.test/");
    const stop = new AbortController();
    const sifting = scope.sift(urls, page, stop.signal);
    setImmediate(() => stop.abort(new Error("enough")));
    await expect(sifting).rejects.toThrow("enough");
  });

  it("takes odd ones without harm", async () => {
    const urls = [
      "https://a.test/%",
      "https://a.test/%00%ff%zz",
      "https://a.test/\ud800",
      "https://a.test/\n\tx",
      "https://a.test\\y",
      `https://a.test/?${"&".repeat(8000)}`,
      `https://a.test/${"%41".repeat(2000)}`,
      `https://a.test/${"/".repeat(8000)}`,
      `https://${"a.".repeat(100)}test/x`,
      "https://a.test:99999/",
      "https://a.test:0/",
      "https://0x7f.1/x",
    ];
    expect(await accepted("https://a.test/", {}, urls)).toEqual([
      "https://a.test/%",
      "https://a.test/%00%ff%zz",
      "https://a.test/%EF%BF%BD",
      "https://a.test/x",
      "https://a.test/y",
      urls[5],
      urls[6],
    ]);
  });
});

describe("properties", () => {
  const host = fc.constantFrom(
    "a.test",
    "www.a.test",
    "b.a.test",
    "c.test",
    "a.test:81",
    "u@a.test",
    "a.test.",
    "1.2.3.4",
  );
  const segment = fc.oneof(
    fc.constantFrom(
      "docs",
      "",
      "x",
      "index.html",
      "default.aspx",
      "%7e",
      "%7",
      "%45",
      "%",
      ".",
      "..",
      "%2e",
      "%2F",
      "x.png",
    ),
    fc.string({ maxLength: 6 }),
    fc.string({ unit: "grapheme", maxLength: 3 }),
  );
  const url = fc
    .tuple(fc.constantFrom("http", "https", "ftp"), host, fc.array(segment, { maxLength: 6 }), fc.option(fc.string()))
    .map(([scheme, name, path, rest]) => `${scheme}://${name}/${path.join("/")}${rest ?? ""}`);
  const flags = fc.record({
    regexOnFullURL: fc.boolean(),
    crawlEntireDomain: fc.boolean(),
    allowSubdomains: fc.boolean(),
    allowExternalLinks: fc.boolean(),
    ignoreQueryParameters: fc.boolean(),
    deduplicateSimilarURLs: fc.boolean(),
    includePaths: fc.constantFrom([], ["docs"]),
    excludePaths: fc.constantFrom([], ["x"]),
  });
  const start = fc.constantFrom("https://a.test/", "https://www.a.test/docs", "http://b.a.test/docs/index.html");

  it("a key of a key is that key", async () => {
    const check = fc.asyncProperty(url, flags, async (text, options) => {
      const scope = await createScope("https://a.test/", { ...options, includePaths: [], excludePaths: [] });
      fc.pre(/^http/.test(text) && URL.canParse(text));
      const key = scope.keyOf(text);
      const scheme = /^\w+:\/\//.test(key) ? "" : "https://";
      expect(scope.keyOf(scheme + key)).toBe(key);
      expect(scope.keyOf(Object.assign(new URL(text), { hash: "place", username: "me" }).href)).toBe(key);
    });
    await fc.assert(check, { numRuns: propertyRuns(2000) });
  });

  it("what is accepted is within or external, occurs once, and keeps its order and key", async () => {
    const check = fc.asyncProperty(start, flags, fc.array(url, { maxLength: 20 }), async (from, options, urls) => {
      const scope = await createScope(from, options);
      const { accepted, denied } = await scope.sift(urls, page);
      for (const candidate of accepted) {
        expect(scope.isWithin(candidate.url)).toBe(!candidate.isExternal);
        expect(candidate.isExternal && !options.allowExternalLinks).toBe(false);
        expect(scope.keyOf(candidate.url)).toBe(candidate.key);
        expect(candidate.url).not.toMatch(/#|^https?:\/\/[^/]*@/);
      }
      expect(new Set(accepted.map(({ key }) => key)).size).toBe(accepted.length);
      expect(denied.length > 0 && !options.allowExternalLinks).toBe(false);
      const again = await scope.sift([...accepted.map((one) => one.url), ...urls], page);
      expect(again.accepted).toEqual(accepted);
    });
    await fc.assert(check, { numRuns: propertyRuns(1000) });
  });
});
