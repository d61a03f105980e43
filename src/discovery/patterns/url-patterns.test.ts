import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { longestTurn } from "../../../test/support/cpu-timer.ts";
import { inTime } from "../../../test/support/in-time.ts";
import { anyText, propertyRuns } from "../../../test/support/property-runs.ts";
import { createPatternThread } from "./pattern-thread.ts";
import { compilePatterns } from "./url-patterns.ts";

const thread = createPatternThread(10_000);
const compile = (...texts: string[]) => compilePatterns(texts, thread);
afterAll(() => thread.close());

/** Understood by re2js as by JavaScript, so answered at once. */
const ordinary = [
  ...[
    "",
    "^/blog/.*",
    "^/docs/",
    "/old/.*",
    "^/$",
    "^$",
    "/page/\\d+$",
    "\\.(pdf|zip|jpe?g)$",
    "a.c",
    "^/(en|de|fr)(/|$)",
  ],
  ...[
    "\\d\\d",
    "\\D",
    "\\w+-\\w+",
    "\\W\\W",
    "\\s",
    "\\S{3}",
    "\\bab\\b",
    "a\\Bb",
    "[a-c]+[0-9]",
    "[^a-z/]",
    "[^/]+/[^/]+$",
  ],
  ...[
    "\\/a\\/b",
    "\\-",
    "\\.",
    "a\\+b",
    "[\\]\\-\\\\]",
    "[.+*?]",
    "[\\d_]",
    "[\\w-]+\\.",
    "[^\\s/]",
    "[^]",
    "[^^]",
    "[-a]",
    "[\\w-z]",
    "[a-]",
  ],
  ...[
    "\\u0061",
    "\\x61b",
    "[\\u0061-\\x63]",
    "é|a",
    "[а-я]|b",
    "\\t|\\n|\\r|\\f|\\v|c",
    "(?<year>\\d{4})-",
    "(?:ab)+",
    "(ab|a)(c|bcd)?$",
  ],
  ...[
    "a*?b",
    "a+?",
    "a??b",
    "a{2}",
    "a{2,}b",
    "a{0,3}$",
    "a{2,3}?c",
    "(a|b|c){3}",
    "(a*)*b",
    "(?:a?){3}a{3}",
    "(^a|b*)+/",
    "(\\b)+a",
  ],
  ...[
    "a|",
    "()",
    "(|a)+b",
    "^a|b$",
    "^(?:\\/[^/]+){2}$",
    "%20|%[0-9A-F]{2}",
    "\\?(.*&)?a=1",
    "x{0}a",
    "&|~|#|=|:|;|,|@|!|\"|'|<|>|_|`",
  ],
];

/** Valid in JavaScript only, or read differently by the two engines. */
const foreign = [
  ...[
    "a(?=b)",
    "a(?!b)",
    "(?<=/)a",
    "(?<!/)a",
    "(a|b)\\1",
    "(?<x>a|b)\\k<x>",
    "\\k",
    "a{1001}",
    "(a{40}){40}",
    "(a{9}b{9}){99}",
  ],
  ...[
    "\\p{L}",
    "p{2}\\pL",
    "\\Qa+\\E",
    "\\Aa",
    "a\\z",
    "\\C",
    "\\a",
    "\\x{2}",
    "\\u{2}",
    "\\u00",
    "\\x6",
    "\\0",
    "\\1a|b",
    "\\cA|a",
    "\\c",
  ],
  ...[
    "[a-\\d]",
    "(?<a>a)|(?<b>b)|[!-\\w]",
    "[[:alpha:]]",
    "[[a]]",
    "[]|a",
    "a]",
    "a{",
    "a{,2}",
    "{a}",
    "}",
    "[\\b]|a",
    "a😀?",
    "[😀]|b",
    "\\ud83d?a",
    "(?<ä>a)",
    "\\e|\\_|\\é",
  ],
];

const letter = fc.constantFrom(..."aaabbbccdez/////--..__~!$&'()*+,;=:@%?#[]{}|^\\\"`<> 012349ABZpQxuEC");
const path = fc.string({ unit: letter, maxLength: 40 }).map((text) => `/${text}`);
const anyPattern = fc.oneof(
  path,
  anyText({ maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(..."aé😀\ud83d\n\r\v\u2028 ſK") }),
);

describe("matching like JavaScript", () => {
  it.each(ordinary)("%j at once", async (pattern) => {
    const expected = new RegExp(pattern);
    const patterns = await compile(pattern);
    fc.assert(
      fc.property(path, (text) => patterns.matchesNow(text) === expected.test(text)),
      { numRuns: propertyRuns(300) },
    );
  });

  it.each(foreign)("%j in the thread", async (pattern) => {
    const expected = new RegExp(pattern);
    const patterns = await compile(pattern);
    expect(patterns.matchesNow("/a")).toBeNull();
    const texts = fc.sample(path, 300);
    expect(await patterns.matches(texts)).toEqual(texts.map((text) => expected.test(text)));
  });

  it("on texts that no address is", async () => {
    const texts = fc.sample(anyPattern, 300);
    for (const pattern of [...ordinary, ...foreign]) {
      const expected = new RegExp(pattern);
      expect(await (await compile(pattern)).matches(texts), pattern).toEqual(texts.map((text) => expected.test(text)));
    }
  });

  it("with patterns made at random", async () => {
    const part = fc.constantFrom(
      "a",
      "b",
      "/",
      ".",
      "\\d",
      "\\w",
      "[ab]",
      "[^a/]",
      "\\b",
      "^",
      "$",
      "(?:ab|)",
      "(a|b/)",
      "|",
    );
    const times = fc.constantFrom("", "", "", "*", "+", "?", "*?", "{2}", "{0,2}");
    const piece = fc.tuple(part, times).map(([what, often]) => (/^(\\b|\^|\$|\|)$/.test(what) ? what : what + often));
    const level = (inner: fc.Arbitrary<string>) =>
      fc.array(inner, { minLength: 1, maxLength: 5 }).map((all) => all.join(""));
    const nested = fc.tuple(level(piece), times).map(([inner, often]) => `(?:${inner})${often}`);
    const pattern = level(fc.oneof(piece, nested));
    await fc.assert(
      fc.asyncProperty(pattern, fc.array(path, { minLength: 20, maxLength: 20 }), async (text, paths) => {
        const patterns = await compile(text);
        expect(paths.map(patterns.matchesNow)).toEqual(paths.map((each) => new RegExp(text).test(each)));
      }),
      { numRuns: propertyRuns(300) },
    );
  });
});

describe("a set", () => {
  it("matches when any of its patterns does, wherever that runs", async () => {
    const patterns = await compile("^/blog/", "^/docs/(?!old)", "\\.pdf$");
    const texts = ["/blog/a", "/docs/a", "/docs/old", "/a.pdf", "/a"];
    expect(await patterns.matches(texts)).toEqual([true, true, false, true, false]);
    expect(texts.map(patterns.matchesNow)).toEqual([true, null, null, true, null]);
  });

  it("without patterns matches nothing", async () => {
    const patterns = await compile();
    expect(await patterns.matches(["", "/a"])).toEqual([false, false]);
    expect(patterns.matchesNow("/a")).toBe(false);
  });

  it("takes a thousand patterns", async () => {
    const patterns = await compile(...Array.from({ length: 1000 }, (_, index) => `^/shop/item-${index}/[a-z]+$`));
    const texts = Array.from({ length: 2000 }, (_, index) => `/shop/item-${index}/red`);
    expect(await patterns.matches(texts)).toEqual(texts.map((_, index) => index < 1000));
  });

  it("refuses what is no regular expression", async () => {
    await expect(compile("^/a", "(")).rejects.toThrow(SyntaxError);
  });

  it("stops when its caller does", async () => {
    const patterns = await compile("(?=(a+)+$)b|(a+)+\\1$");
    const caller = new AbortController();
    const answer = patterns.matches([`/${"a".repeat(5000)}!`], caller.signal);
    caller.abort(new Error("gone"));
    await expect(answer).rejects.toThrow("gone");
  });
});

describe("patterns made to hurt", () => {
  const linear = [
    ...[
      "(a+)+$",
      "(a|aa)+$",
      "(.*)*x",
      "([a-zA-Z]+)*/$",
      "(a|a?)+b$",
      "(.*a){11}x",
      "(.*?,){11}P",
      "(x+x+)+y",
      ".*.*.*.*=.*x",
    ],
    ...["^(([a-z])+.)+[A-Z]([a-z])+$", "^/(a+)*b$", "(a*)*c", "((a+)(a+))+c", "^/(\\w+\\s?)*\\?$"],
  ];
  const limited = [
    ...[
      "(a+)+\\1$",
      "(?=(a+)+$)b",
      "(?!(a|aa)+$)(a+)+c",
      "(?<=(a+)+b)c",
      "^/(a|aa)+\\1b$",
      "(a{1000}){1000}b",
      "((a{30}){30}){30}b",
    ],
    ...[
      "[^/]{0,1000}[^/]{0,1000}b",
      "(.{0,900})*b",
      "(?:a?){900}a{900}b",
      "(a{1000}){900}".repeat(60),
      "a{1000}".repeat(140),
    ],
  ];
  const text = `/${"a".repeat(5000)}!`;

  it.each(linear)("%j is decided at once", async (pattern) => {
    const patterns = await compile(pattern);
    const { result: value, turnMs } = await longestTurn(async () => patterns.matchesNow(text));
    expect(value).toBe(false);
    expect(turnMs).toBeLessThan(1000);
  });

  it.each(limited)("%j does not block other work", async (pattern) => {
    const texts = Array.from({ length: 10_000 }, (_, index) => `${text}${index}`);
    // Five times what the patterns of one set may take in the thread.
    const { result: value, turnMs } = await longestTurn(() =>
      inTime(5 * 5000, async () => (await compile(pattern)).matches(texts)),
    );
    expect(value.every((answer) => answer === false || answer === "undecided")).toBe(true);
    expect(turnMs).toBeLessThan(1000);
  });

  it("are given up for their set alone", async () => {
    const [bad, good] = [await compile("(a+)+\\1$"), await compile("^/a(?!b)")];
    const answers = bad.matches(Array.from({ length: 10_000 }, () => text));
    expect(await good.matches(["/ab", "/ac"])).toEqual([false, true]);
    expect(new Set(await answers)).toEqual(new Set(["undecided"]));
    expect(await bad.matches(["/b"])).toEqual(["undecided"]);
  });

  it("cost only the texts they are slow on", async () => {
    const patterns = await compile("^/(a+)+\\1$", "x(?=y)");
    expect(await patterns.matches(["/b", text, "/xy", "/aa", text])).toEqual([
      false,
      "undecided",
      true,
      true,
      "undecided",
    ]);
  });

  it("move to the thread when they wear out linear time", async () => {
    const letters = (seed: number) =>
      Array.from({ length: 190 }, (_, at) => "ab"[(Math.imul(seed + at, 2654435761) >>> 13) & 1]);
    const patterns = await compile("(a|b)*a(a|b){100}c");
    const texts = Array.from({ length: 1000 }, (_, index) => `/${letters(index * 7919).join("")}`);
    expect(texts.findIndex((each) => patterns.matchesNow(each) === null)).toBeGreaterThan(0);
    const { result: value, turnMs } = await longestTurn(() => patterns.matches(texts.slice(0, 50)));
    expect(value).not.toContain(true);
    expect(turnMs).toBeLessThan(1000);
  });
});

describe("the thread", () => {
  it("leaves undecided what it breaks down on", async () => {
    const patterns = await compilePatterns(["^/a(?!b)", "^/c"], { ask: async () => null, close: async () => {} });
    expect(await patterns.matches(["/a", "/c"])).toEqual(["undecided", true]);
  });

  it("ends when idle and starts again", async () => {
    const short = createPatternThread(1);
    // More time than a pattern usually gets: a thread that has just started on a busy machine needs it.
    const request = { patterns: ["^/a(?!b)"], texts: ["/ac"], matchMs: 10_000, turnMs: 10_000 };
    for (let round = 0; round < 5; round++) {
      expect((await short.ask(request))?.answers).toEqual([true]);
      await new Promise((resolve) => setTimeout(resolve, round * 5));
    }
    await short.close();
  });

  it("answers everyone who waits when it is closed", async () => {
    const closing = createPatternThread(10_000);
    const patterns = await compilePatterns(["(a+)+\\1$"], closing);
    const answers = Array.from({ length: 10 }, () => patterns.matches(["/aaa!"]));
    await closing.close();
    for (const answer of await Promise.all(answers)) expect(answer).toEqual(["undecided"]);
  });
});
