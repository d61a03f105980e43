import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../test/support/property-runs.ts";
import { expressQuery, type Operator } from "./express-query.ts";
import { parseQuery, printClause } from "./parse-query.ts";

const all: Operator[] = ["phrase", "negation", "site", "inurl", "intitle", "related"];
const express = (query: string, ...supports: Operator[]) => {
  const { text, unexpressed } = expressQuery(parseQuery(query), new Set(supports));
  return [text, ...unexpressed.map(printClause)];
};
const everything =
  'big "open data" -old -"x y" site:a.com/b -site:c.com inurl:d -inurl:e intitle:"f g" -intitle:h related:i.com';

describe("a query for a provider", () => {
  it("that understands everything is whole", () => {
    expect(express(everything, ...all)).toEqual([everything]);
  });

  it("that understands nothing is its words", () => {
    const [text, ...unexpressed] = express(everything);
    expect(text).toBe("big open data a.com d f g");
    expect(unexpressed.join(" ")).toBe(everything.replace("big ", ""));
  });

  it.each<[string, Operator[], string, string[]]>([
    ["a -b", ["negation"], "a -b", []],
    ["a -b", [], "a", ["-b"]],
    ['-"a b" c', ["negation"], "c", ['-"a b"']],
    ['-"a b" c', ["phrase"], "c", ['-"a b"']],
    ["-site:a.com c", ["site"], "c", ["-site:a.com"]],
    ["-site:a.com c", ["site", "negation"], "-site:a.com c", []],
    ["allintitle:a b", all, "intitle:a intitle:b", []],
    ["-allintitle:a b", all, "", ["-allintitle:a b"]],
    ["x -allinurl:a b -c y", all, "x -c y", ["-allinurl:a b"]],
    ["site:a.com:8080/x y", all, "site:a.com y", ["site:a.com:8080/x"]],
    ["-site:a.com:8080 y", all, "y", ["-site:a.com:8080"]],
    ["related:a.com", [], "", ["related:a.com"]],
    ["--help site: x", all, "help site x", []],
    ['"-a site:b.com"', [], "a site b.com", ['"-a site:b.com"']],
    ["foo:bar site:a@b -site:c@d", all, "foo:bar site a@b", ["-site:c@d"]],
    ["", all, "", []],
  ])("%s with %j", (query, supports, text, unexpressed) => {
    expect(express(query, ...supports)).toEqual([text, ...unexpressed]);
  });

  it("holds no operator that the provider lacks", () => {
    const part = fc.constantFrom(
      "-",
      '"',
      " ",
      "a",
      "b:",
      "site:x.y",
      "inurl:",
      "intitle:",
      "related:z.w",
      "allinurl:",
      "é",
    );
    const queries = fc.array(part, { maxLength: 20 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(queries, fc.subarray(all), (query, supports) => {
        const again = parseQuery(express(query, ...supports)[0] ?? "");
        for (const clause of again.clauses) {
          if (clause.isNegated) expect(supports).toContain("negation");
          if (clause.kind !== "word") expect(supports).toContain(clause.kind);
        }
      }),
      { numRuns: propertyRuns(1000) },
    );
  });
});
