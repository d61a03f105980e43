// fixtures/robots-expectations.json holds what google/robotstxt was seen to answer and what RFC 9309 says. Where the two
// differ the row says so (`rfcAllowed`, `googleAllowed`), and the RFC's side is held.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import { maxLineBytes, maxRobotsBytes, maxSteps, normalizePath, parseRobots, pathOf, readLines } from "./robots.ts";

interface Case {
  group: string;
  name: string;
  robots: string;
  agent: string;
  url: string;
  allowed: boolean;
  /** In `cases`: the RFC's verdict where Google's is another. */
  rfcAllowed?: boolean;
  /** In `rfcCases`: Google's verdict where the RFC's is another. */
  googleAllowed?: boolean;
}

interface Report {
  line: number;
  tag: string;
  typo: boolean;
  empty: boolean;
  hasComment: boolean;
  wholeLineComment: boolean;
  hasDirective: boolean;
  tooLong: boolean;
  missingColon: boolean;
}

type Parsing = { name: string; input: string; inputEncoding?: "latin1" } & (
  | { kind: "url-to-path" | "escape-pattern"; expected: string }
  | { kind: "valid-agent-token"; expected: boolean }
  | { kind: "sitemap"; expected: { sitemap: string } }
  | { kind: "line-ends"; expected: { validDirectives: number; lastDirectiveLine: number } }
  | { kind: "bom"; expected: { validDirectives: number; unknownDirectives: number } }
  | { kind: "key-type" | "unsupported-tag"; expected: { tag: string; typo: boolean } }
  | { kind: "line-report"; expected: { validDirectives: number; lastLine: number; lines?: Report[] } }
);

interface Expectations {
  cases: Case[];
  rfcCases: Case[];
  parsing: Parsing[];
  rfcFacts: { section: string; fact: string }[];
}

const data: Expectations = JSON.parse(
  readFileSync(new URL("fixtures/robots-expectations.json", import.meta.url), "utf8"),
);
const rulesFor = (robots: string | Uint8Array, agent = "FooBot") => parseRobots(robots).rulesFor(agent);
const allows = (robots: string, path: string, agent = "FooBot") =>
  rulesFor(robots, agent).allows(`http://a.test${path}`);
const group = (...lines: string[]) => ["User-agent: FooBot", ...lines].join("\n");

describe("the table of expectations", () => {
  it("is whole", () => {
    expect([data.cases.length, data.parsing.length, data.rfcCases.length, data.rfcFacts.length]).toEqual([
      145, 78, 42, 15,
    ]);
    expect(data.cases.filter(({ rfcAllowed }) => rfcAllowed !== undefined)).toHaveLength(3);
    expect(data.rfcCases.filter(({ googleAllowed }) => googleAllowed !== undefined)).toHaveLength(6);
  });

  it.each(data.cases)("$group: $name", ({ robots, agent, url, allowed, rfcAllowed }) => {
    expect(rulesFor(robots, agent).allows(url)).toBe(rfcAllowed ?? allowed);
  });

  it.each(data.rfcCases)("$group: $name", ({ robots, agent, url, allowed }) => {
    expect(rulesFor(robots, agent).allows(url)).toBe(allowed);
  });

  it.each(data.parsing)("$kind: $name", (row) => {
    const bytes = Buffer.from(row.input, row.inputEncoding ?? "utf8");
    const lines = readLines(bytes);
    const valid = lines.filter(({ tag }) => tag !== "none" && tag !== "other").length;
    switch (row.kind) {
      case "url-to-path":
        expect(pathOf(row.input)).toBe(row.expected);
        break;
      case "escape-pattern":
        expect(normalizePath(bytes.toString("latin1"))).toBe(row.expected);
        break;
      case "valid-agent-token": {
        // Only a token can find its own group; anything else is left to the group of all.
        const robots = `User-agent: *\nDisallow: /\n\nUser-agent: ${row.input}\nAllow: /\n`;
        expect(rulesFor(robots, row.input).allows("http://a.test/")).toBe(row.expected);
        break;
      }
      case "sitemap":
        expect(parseRobots(bytes).sitemaps).toEqual([row.expected.sitemap]);
        break;
      case "line-ends":
        expect(valid).toBe(row.expected.validDirectives);
        expect(lines.findLastIndex(({ tag }) => tag !== "none") + 1).toBe(row.expected.lastDirectiveLine);
        break;
      case "bom":
        expect(valid).toBe(row.expected.validDirectives);
        expect(lines.filter(({ tag }) => tag === "other")).toHaveLength(row.expected.unknownDirectives);
        break;
      case "key-type":
      case "unsupported-tag":
        expect(googleTag(lines[0]?.tag, row.input)).toBe(row.expected.tag);
        expect(isTypo(lines[0]?.tag, row.input)).toBe(row.expected.typo);
        break;
      case "line-report":
        expect(lines).toHaveLength(row.expected.lastLine);
        expectReports(row.input, row.expected.lines ?? []);
        expect(valid).toBe(row.expected.validDirectives);
        break;
    }
  });

  /** Keys that Google knows and does not use; we use one of them. */
  const unused =
    /^(?:clean-param|content-signal|content-usage|crawl-delay|domain|host|noarchive|nofollow|noindex|request-rate|revisit-after|visit-time):/i;

  function googleTag(tag: string | undefined, line: string): string {
    expect(tag === "crawl-delay").toBe(line.startsWith("crawl-delay"));
    if (tag === "crawl-delay" || tag === "other") return unused.test(line) ? "unused" : "unknown";
    return tag === "none" || tag === undefined ? "unknown" : tag;
  }

  function isTypo(tag: string | undefined, line: string): boolean {
    const isKnown = tag === "user-agent" || tag === "allow" || tag === "disallow" || tag === "sitemap";
    return isKnown && !line.toLowerCase().startsWith(tag);
  }

  function expectReports(input: string, reports: Report[]): void {
    const raw = input.split("\n");
    const lines = readLines(input);
    for (const report of reports) {
      const [line, text = ""] = [lines[report.line - 1], raw[report.line - 1]];
      expect(googleTag(line?.tag, text)).toBe(report.tag);
      expect(isTypo(line?.tag, text)).toBe(report.typo);
      expect(line?.tag !== "none").toBe(report.hasDirective);
      if (report.empty || report.wholeLineComment) expect(line).toEqual({ tag: "none", value: "" });
      if (report.hasComment) expect(line?.value).not.toContain("#");
      if (report.missingColon) expect([text.includes(":"), line?.value]).toEqual([false, "bar"]);
      expect(text.length > maxLineBytes).toBe(report.tooLong);
      if (report.tooLong) expect(line?.value).toHaveLength(maxLineBytes - "disallow: ".length);
    }
  }
});

describe("the facts of RFC 9309", () => {
  const both = "User-agent: *\nDisallow: /\n\nUser-agent: foobot\nDisallow: /a\n\nUser-agent: FOOBOT\nDisallow: /b";
  /** In the order of the table. */
  const checks: [section: string, holds: () => boolean[]][] = [
    [
      "2.1",
      () => [allows("User-agent: *\nDisallow: /\nUser-agent: FooBot", "/x"), !allows(`A: b\n${both}`, "/x", "X")],
    ],
    ["2.2.1", () => [!allows(both, "/a", "fOObOt"), allows("User-agent: Foo_Bar-x9\nDisallow: /", "/", "Foo_Bar-x9")]],
    ["2.2.1", () => [!allows(both, "/a"), !allows(both, "/b"), allows(both, "/c"), !allows(both, "/c", "Other")]],
    ["2.2.2", () => [allows(group("Disallow: /A"), "/a"), allows(group("Disallow: /ab", "Allow: /ab"), "/ab")]],
    ["2.2.2", () => [allows(group("Disallow: /"), "/robots.txt"), allows(`Disallow: /\n${group()}`, "/x")]],
    ["2.2.2", () => [!allows(group("Disallow: /ä~"), "/%c3%A4%7e"), allows(group("Disallow: /a%2Fb"), "/a/b")]],
    ["2.2.3", () => [!allows(group("Disallow: /*.b$ # c"), "/a.b"), allows(group("Disallow: /*.b$"), "/a.bc")]],
    ["2.2.4", () => [!allows("User-agent: FooBot\nSitemap: x\nHost: y\nUser-agent: z\nDisallow: /", "/a")]],
    ["2.3.1.5", () => [!allows(group("\u0000\u0001", ": /x", "garbage here now", "Disallow: /a"), "/a")]],
    ["2.5", () => [maxRobotsBytes >= 500 * 1024]],
  ];
  /** Of the file's address, its answers and its age: robots-reader.test.ts. */
  const ofTheReader = ["2.3", "2.3.1.2", "2.3.1.3", "2.3.1.4", "2.4"];

  it("are all held", () => {
    const sections = data.rfcFacts.map(({ section }) => section).filter((section) => !ofTheReader.includes(section));
    expect(checks.map(([section]) => section)).toEqual(sections);
    expect(sections.length + ofTheReader.length).toBe(data.rfcFacts.length);
  });

  it.each(checks)("%s", (_section, holds) => {
    expect(holds()).not.toContain(false);
  });
});

describe("spellings of one address", () => {
  it.each([
    ["/a b", "/a%20b"],
    ["/a%20b", "/a b"],
    ["/{id}", "/%7Bid%7D"],
    ["/a|b", "/a%7cb"],
    ["/100%", "/100%"],
    ["/caf\u00e9", "/caf%C3%A9"],
    ["/voil\u00e0", "/voil\u00e0"],
    ["/?q='x'", "/?q='x'"],
    ["/b/c", "/a/../b/c"],
    ["/b/c", "/a/%2e%2e/b/c"],
  ])("rule %s refuses %s", (rule, path) => {
    expect(allows(group(`Disallow: ${rule}`), path)).toBe(false);
    expect(rulesFor(group(`Disallow: ${rule}`)).allows(new URL(path, "http://a.test"))).toBe(false);
  });

  it("have one length, so the longer rule does not depend on them", () => {
    expect(allows(group("Disallow: /%61%62%63", "Allow: /abcd"), "/abcde")).toBe(true);
    expect(allows(group("Disallow: /ツ", "Allow: /%E3%83%84"), "/%e3%83%84")).toBe(true);
  });
});

describe("Crawl-delay", () => {
  const delay = (...lines: string[]) => rulesFor(lines.join("\n")).crawlDelaySeconds;

  it.each([
    ["10", 10],
    ["0.5", 0.5],
    [".5", 0.5],
    ["0", 0],
    ["2 # please", 2],
    ["", null],
    ["-1", null],
    ["soon", null],
    ["1e9", null],
    ["9".repeat(400), null],
  ])("%s", (value, seconds) => {
    expect(delay("User-agent: FooBot", `Crawl-delay: ${value}`)).toBe(seconds);
  });

  it("is that of the group which applies", () => {
    expect(delay("User-agent: *", "Crawl-delay: 5", "Disallow:", "User-agent: FooBot", "Disallow: /a")).toBe(null);
    expect(delay("User-agent: *", "Crawl-delay: 5", "User-agent: Other", "Crawl-delay: 9")).toBe(5);
    expect(delay("User-agent: Other", "Crawl-delay: 9", "User-agent: *", "Crawl-delay: 5")).toBe(5);
    expect(delay("User-agent: Other", "User-agent: FooBot", "Crawl-delay: 5", "Crawl-delay: x")).toBe(5);
    expect(delay("User-agent: FooBot", "Disallow: /a", "Crawl-delay: 5")).toBe(5);
    expect(delay("Crawl-delay: 5", "User-agent: *", "Disallow: /")).toBe(null);
  });

  it("does not reach agents named below it, though it leaves their group open", () => {
    const robots = "User-agent: Slow\nCrawl-delay: 3600\n\nUser-agent: *\nDisallow: /a";
    expect(rulesFor(robots, "Slow")).toMatchObject({ crawlDelaySeconds: 3600, ruleCount: 1 });
    expect(rulesFor(robots)).toMatchObject({ crawlDelaySeconds: null, ruleCount: 1 });
  });

  it("is the longest of several", () => {
    expect(delay("User-agent: foobot", "Crawl-delay: 2", "Disallow: /", "User-agent: foobot", "Crawl-delay: 7")).toBe(
      7,
    );
  });
});

describe("Sitemap", () => {
  const sitemaps = (text: string, base?: string) => parseRobots(text, base).sitemaps;

  it("is read anywhere, once each, in order", () => {
    expect(
      sitemaps(
        "Sitemap: https://b.test/2\nUser-agent: x\nSITEMAP:https://a.test/1 # c\nDisallow: /\nsite-map: https://b.test/2",
      ),
    ).toEqual(["https://b.test/2", "https://a.test/1"]);
  });

  it("is an absolute web address, or a path where a base is known", () => {
    const text =
      "Sitemap: /s.xml\nSitemap: ftp://a.test/\nSitemap:\nSitemap: javascript:x\nSitemap: https://a.test/\u00fc";
    expect(sitemaps(text)).toEqual(["https://a.test/%C3%BC"]);
    expect(sitemaps(text, "https://b.test/robots.txt")).toEqual(["https://b.test/s.xml", "https://a.test/%C3%BC"]);
  });
});

describe("a file beyond the limit", () => {
  const start = "User-agent: FooBot\nDisallow: /a\n";

  it("is read up to it", () => {
    const filler = `${"#".repeat(1023)}\n`.repeat(600);
    expect(allows(`${start}${filler}Disallow: /b\n`, "/b")).toBe(true);
    expect(allows(`${start}${filler}Disallow: /b\n`, "/a")).toBe(false);
  });

  it("loses the line that the limit cuts, which would be another rule", () => {
    const fillerFor = (kept: number) => `${start}${"#".repeat(maxRobotsBytes - start.length - kept - 1)}\n`;
    expect(allows(`${fillerFor("Disallow: /".length)}Disallow: /private\n`, "/public")).toBe(true);
    expect(allows(`${fillerFor("Disallow: /b".length)}Disallow: /b\nDisallow: /c\n`, "/b")).toBe(false);
  });
});

describe("the cost of a decision", () => {
  const steps = (robots: string, path: string) => rulesFor(robots).judge(`http://a.test${path}`).steps;

  it("grows with the address, not with its product with the stars", () => {
    const robots = group(`Disallow: /${"*a".repeat(50)}*b`);
    expect(steps(robots, `/${"a".repeat(8000)}`)).toBeLessThan(3 * 8000);
    expect(steps(group("Disallow: /*a*a*a*a*a*b$"), `/${"ab".repeat(4000)}c`)).toBeLessThan(3 * 8000);
  });

  it("does not grow with rules that begin otherwise", () => {
    const rules = Array.from({ length: 25_000 }, (_, index) => `Disallow: /${index.toString(36)}/*x`);
    const robots = group(...rules);
    expect(rulesFor(robots).ruleCount).toBe(25_000);
    expect(steps(robots, `/zz/${"y".repeat(5000)}`)).toBeLessThan(20);
    expect(allows(robots, "/a1/y/x")).toBe(false);
    expect(allows(robots, "/a1/y/z")).toBe(true);
  });

  it("is a few steps a rule for tens of thousands that all begin with a star", () => {
    const rules = Array.from({ length: 36_000 }, (_, index) => `Allow:/*${index.toString(36)}~`);
    const robots = group(...rules);
    expect(rulesFor(robots).ruleCount).toBe(36_000);
    expect(steps(robots, `/${"-".repeat(8000)}`)).toBeLessThan(5 * 36_000);
  });

  it("has an end, where the address is refused", () => {
    const robots = group(...Array.from({ length: 30 }, (_, index) => `Allow: /*${"a".repeat(4000 + index)}b`));
    const verdict = rulesFor(robots).judge(`http://a.test/${"a".repeat(8000)}`);
    expect(verdict.isAllowed).toBe(false);
    expect(verdict.steps).toBeLessThan(maxSteps + 100);
  });

  it("of reading stays small for groups of many agents and many rules", () => {
    const agents = Array.from({ length: 15_000 }, () => "User-agent: x");
    const rules = Array.from({ length: 15_000 }, (_, index) => `Allow:/${index}`);
    expect(rulesFor([...agents, ...rules].join("\n"), "x").ruleCount).toBe(15_000);
  });
});

describe("any file", () => {
  const piece = fc.constantFrom("/", "a", "b", "*", "$", "%61", "%2A", "%2F", "ä", ".", "?");
  const path = fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join("")}`);

  /** The plainest statement of the rules of matching, for short patterns only. */
  function matchesPlainly(pattern: string, text: string): boolean {
    if (pattern === "") return true;
    if (pattern === "$") return text === "";
    if (pattern[0] === "*")
      return matchesPlainly(pattern.slice(1), text) || (text !== "" && matchesPlainly(pattern, text.slice(1)));
    return text !== "" && pattern[0] === text[0] && matchesPlainly(pattern.slice(1), text.slice(1));
  }

  it("is matched as the plain definition says", () => {
    const rule = fc.tuple(fc.boolean(), fc.stringMatching(/^\/[ab*]{0,8}\$?$/));
    const address = fc.stringMatching(/^\/[ab]{0,12}$/);
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), address, (rules, text) => {
        const lines = rules.map(([isAllow, pattern]) => `${isAllow ? "Allow" : "Disallow"}: ${pattern}`);
        const longest = (wanted: boolean) =>
          Math.max(
            0,
            ...rules.flatMap(([isAllow, pattern]) =>
              isAllow === wanted && matchesPlainly(pattern, text) ? pattern.length : [],
            ),
          );
        expect(allows(group(...lines), text)).toBe(longest(true) >= longest(false));
      }),
      { numRuns: propertyRuns(2000) },
    );
  });

  it("reads an address as itself, however often it is normalised", () => {
    fc.assert(
      fc.property(path, (text) => {
        const once = normalizePath(pathOf(`http://a.test${text}`));
        expect(normalizePath(once)).toBe(once);
      }),
    );
  });

  it("never fails", () => {
    const line = fc.oneof(
      fc.string(),
      path.map((text) => `Disallow: ${text}`),
      fc.constant("User-agent: *"),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          fc.array(line).map((lines) => lines.join("\n")),
        ),
        path,
        (robots, text) => {
          const rules = rulesFor(robots);
          expect(rules.judge(text).steps).toBeLessThan(maxSteps);
        },
      ),
    );
  });
});
