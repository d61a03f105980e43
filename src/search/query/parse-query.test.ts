import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText, propertyRuns } from "../../../test/support/property-runs.ts";
import { type Clause, parseQuery, printQuery } from "./parse-query.ts";

/** A clause in one line: `!` for negated, its kind, and what it looks for. */
function show(clause: Clause): string {
  const sign = clause.isNegated ? "!" : "";
  switch (clause.kind) {
    case "word":
    case "phrase":
      return `${sign}${clause.kind} ${clause.words.join("+")}`;
    case "intitle":
      return `${sign}intitle ${clause.terms.map(({ words }) => words.join("+")).join(" & ")}`;
    case "inurl":
      return `${sign}inurl ${clause.terms.map(({ part }) => part).join(" & ")}`;
    case "site":
      return `${sign}site ${clause.host}|${clause.port ?? ""}|${clause.path}`;
    case "related":
      return `${sign}related ${clause.host}`;
  }
}
const parse = (text: string) => parseQuery(text).clauses.map(show);

describe("a query's clauses", () => {
  it.each<[string, string, string[]]>([
    ["words", "Open  Data", ["word open", "word data"]],
    ["a negated word", "jaguar -car", ["word jaguar", "!word car"]],
    ["only negated words", "-a -b", ["!word a", "!word b"]],
    ["a hyphen inside a word", "state-of-art", ["word state+of+art"]],
    [
      "a minus that negates nothing",
      "a - b -- c --help -& -",
      "word a|word |word b|word |word c|word help|word |word ".split("|"),
    ],
    ["a phrase", '"Open  Data"', ["phrase open+data"]],
    ["a negated phrase", '-"open data"', ["!phrase open+data"]],
    ["spaces inside quotes", '-" open data "', ["!phrase open+data"]],
    ["phrases side by side", '"a b""c d"', ["phrase a+b", "phrase c+d"]],
    ["a phrase that touches a word", 'x"a b"y', ["word x", "phrase a+b", "word y"]],
    ["typographic quotes", "“open data” „a b‟", ["phrase open+data", "phrase a+b"]],
    ["operators inside quotes", '"site:a.com -b"', ["phrase site+a+com+b"]],
    ["an unbalanced quote", '"open data', ["word open", "word data"]],
    ["an unbalanced quote after a phrase", '"a b" "c d', ["phrase a+b", "word c", "word d"]],
    ["an unbalanced negated quote", '-"open data', ["!word open", "word data"]],
    ["inches", '12" monitor 10" tablet', ["word 12", "word monitor", "word 10", "word tablet"]],
    ["quotes without words", '"" "&" -""', ["word ", "word "]],
    ["site", "site:Example.COM", ["site example.com||"]],
    ["site, negated", "-site:example.com", ["!site example.com||"]],
    ["site with port and path", "site:localhost:8080/Docs/", ["site localhost|8080|/docs"]],
    ["site with escapes", "site:example.com/caf%C3%A9/../a%20b", ["site example.com||/a b"]],
    ["site with scheme", "site:https://example.com/", ["site example.com||"]],
    ["site with wildcard or dot", "site:*.example.com site:.gov", ["site example.com||", "site gov||"]],
    ["site in another script", "site:münchen.de", ["site xn--mnchen-3ya.de||"]],
    ["site by address", "site:[::1]:80 site:10.0.0.1", ["site [::1]|80|", "site 10.0.0.1||"]],
    ["site without value", "site: example.com", ["word site", "word example+com"]],
    ["site with spaces", 'site:"a b"', ["word site", "phrase a+b"]],
    ["site that is none", "site:a:b site:a@b site:x:99999", ["word site+a+b", "word site+a+b", "word site+x+99999"]],
    ["inurl", "inurl:Docs%20A", ["inurl docs a"]],
    ["inurl, negated", "-inurl:docs", ["!inurl docs"]],
    ["inurl with quotes", 'inurl:"a b"', ["inurl a b"]],
    ["inurl with signs", "inurl:?id=", ["inurl ?id="]],
    ["inurl without value", "inurl: a", ["word inurl", "word a"]],
    ["allinurl", "allinurl:docs API site:a.com x", ["inurl docs", "inurl api", "site a.com||", "word x"]],
    ["allinurl, negated", "-allinurl:a b -c d", ["!word c", "word d", "!inurl a & b"]],
    ["intitle", "intitle:Café", ["intitle cafe"]],
    ["intitle, negated", "-intitle:a", ["!intitle a"]],
    ["intitle with a phrase", 'intitle:"Open Data"', ["intitle open+data"]],
    ["intitle without words", "intitle:& intitle:", ["word intitle", "word intitle"]],
    ["allintitle after a space", "allintitle: open & data", ["intitle open", "intitle data"]],
    ["allintitle up to a phrase", 'allintitle:a b "c d" e', ["intitle a", "intitle b", "phrase c+d", "word e"]],
    ["allintitle with a phrase", 'allintitle:"a b" c', ["intitle a+b", "intitle c"]],
    ["allintitle, negated", "-allintitle:a b", ["!intitle a & b"]],
    ["allintitle, negated, of one word", "-allintitle:a", ["!intitle a"]],
    ["allintitle twice", "allintitle:a allinurl:b c", ["intitle a", "inurl b", "inurl c"]],
    ["allintitle without words", "allintitle: -a b", ["word allintitle", "!word a", "word b"]],
    ["related", "related:https://Example.com/x", ["related example.com"]],
    ["related, negated", "-related:example.com", ["!related example.com"]],
    ["related without a domain", "related: related:a/@:", ["word related", "related a"]],
    ["operators in any case", "SITE:a.com -InTitle:b ALLINURL:c", ["site a.com||", "!intitle b", "inurl c"]],
    ["unknown fields", "foo:bar -filetype:pdf", ["word foo+bar", "!word filetype+pdf"]],
    ["an operator inside a word", "xsite:a.com (site:b.com)", ["word xsite+a+com", "word site+b+com"]],
    ["OR and |", "a OR b | c", ["word a", "word or", "word b", "word ", "word c"]],
    ["Chinese", '学习 -"机器 学习" intitle:课', ["word 学+习", "!phrase 机+器+学+习", "intitle 课"]],
    ["Arabic, with a mark that hides the minus", "سعر \u200f-خطة", ["word سعر", "!word خطة"]],
    ["Hebrew", '"שלום עולם" -site:example.co.il', ["phrase שלום+עולם", "!site example.co.il||"]],
    ["ideographic spaces", "a\u3000-b", ["word a", "!word b"]],
    ["control characters and halves of characters", "a\u0000-b\ud800c", ["word a", "!word b", "word c"]],
    ["nothing", " \t\n", []],
    [
      "all at once",
      'open "big data" -old site:example.org/x -inurl:archive intitle:portal -"no thanks"',
      [
        "word open",
        "phrase big+data",
        "!word old",
        "site example.org||/x",
        "!inurl archive",
        "intitle portal",
        "!phrase no+thanks",
      ],
    ],
  ])("%s", (_, text, clauses) => {
    expect(parse(text)).toEqual(clauses);
  });

  it.each([
    [
      'Café "Open Data" -old -"x y" site:a.com intitle:"Big Thing" inurl:z & allintitle:p q',
      "Café Open Data Big Thing p q",
    ],
    ["-a site:b.com", ""],
    ["", ""],
  ])("leave to ranking: %s", (text, ranked) => {
    expect(parseQuery(text).text).toBe(ranked);
  });
});

const piece = fc.oneof(
  fc.constantFrom(
    ...["-", '"', " ", ":", "“", "site:", "inurl:", "allinurl:", "intitle:", "allintitle:", "related:", "foo:", "OR"],
    ...[
      "example.com",
      "/p%41th",
      ":8080",
      "*.",
      "https://",
      "%2541",
      "é",
      "习",
      "שלום",
      "&",
      "\u0000",
      "NEAR(",
      "*",
      "\u200f",
    ],
  ),
  anyText({ maxLength: 4 }),
  fc.string({ maxLength: 4 }),
);
const queryText = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""));

describe("any text", () => {
  it("is read, printed, and read back as the same query", () => {
    fc.assert(
      fc.property(queryText, (text) => {
        const query = parseQuery(text);
        expect(parseQuery(printQuery(query))).toEqual(query);
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  it("leaves nothing in a clause that ends a quoted text or that a store refuses", () => {
    fc.assert(
      fc.property(queryText, (text) => {
        for (const clause of parseQuery(text).clauses) {
          const { words, texts, parts } = contentOf(clause);
          for (const word of words) expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
          for (const one of texts) expect(one).not.toMatch(/["\p{Cc}\p{Cs}]/u);
          for (const one of parts) expect(one).not.toMatch(/[\p{Cc}\p{Cs}]/u);
        }
      }),
      { numRuns: propertyRuns(1000) },
    );
  });

  function contentOf(clause: Clause): { words: readonly string[]; texts: string[]; parts: string[] } {
    switch (clause.kind) {
      case "word":
      case "phrase":
        return { words: clause.words, texts: [clause.text], parts: [] };
      case "intitle":
        return {
          words: clause.terms.flatMap((one) => one.words),
          texts: clause.terms.map((one) => one.text),
          parts: [],
        };
      case "inurl":
        return { words: [], texts: clause.terms.map((one) => one.text), parts: clause.terms.map((one) => one.part) };
      case "site":
        return { words: [], texts: [clause.text, clause.host], parts: [clause.path] };
      case "related":
        return { words: [], texts: [clause.host], parts: [] };
    }
  }

  // At this length anything but linear time runs into the time limit of a test.
  it.each([
    '"',
    '" ',
    '"&',
    '"& ',
    '-"',
    '-" "',
    "-",
    "--",
    "- ",
    "site:",
    'site:"',
    "site:a.",
    "-allintitle:",
    "allinurl: a ",
    "allinurl:%",
    "a ",
    '"a b" ',
    "*.",
    "é",
    "intitle:“",
    "\ud800",
    ":",
  ])("of 200,000 characters is read in linear time: %s", (unit) => {
    expect(parseQuery(`${unit.repeat(200_000 / unit.length)}"`).clauses.length).toBeLessThanOrEqual(200_000);
  });

  it.each([
    ["site:a.com/", "/", "x"],
    ["site:a.com/", "../", "x"],
    ["site:", "*.", "a"],
    ["site:[", ":", "]"],
    ["site:", "ü", ".de"],
    ["inurl:", "%c3", "%"],
    ["allintitle: ", "a ", ""],
    ["-allinurl: ", "a ", "b"],
  ])("with one long clause is read in linear time: %s%s…%s", (before, unit, after) => {
    const query = parseQuery(before + unit.repeat(200_000) + after);
    expect(query.clauses.length).toBeLessThanOrEqual(200_001);
    expect(printQuery(parseQuery(printQuery(query)))).toBe(printQuery(query));
  });

  it("of 2,000 characters keeps every clause", () => {
    const text = Array.from({ length: 250 }, (_, index) => `-w${1000 + index}`).join(" ");
    expect(parseQuery(text).clauses).toHaveLength(250);
  });
});
