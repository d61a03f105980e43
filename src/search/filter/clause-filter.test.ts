import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../../test/support/property-runs.ts";
import { parseQuery } from "../query/parse-query.ts";
import { createClauseFilter, type SearchCandidate } from "./clause-filter.ts";

const page: SearchCandidate = {
  url: "https://docs.example.com:8443/Guide/open-data/caf%C3%A9?id=7",
  title: "Open Data Portal: Café",
  description: "All about open government data",
};
const read = { ...page, text: "Nothing but plain prose. 机器学习入门" };
const verdictOf = (query: string, candidate: SearchCandidate) =>
  createClauseFilter({ clauses: parseQuery(query).clauses })(candidate);

describe("a result", () => {
  it.each<[string, string]>([
    ["", "yes"],
    ["zebra", "yes"],
    ["site:example.com", "yes"],
    ["site:docs.example.com", "yes"],
    ["site:ample.com", "no"],
    ["site:www.example.com", "no"],
    ["site:com", "yes"],
    ["site:example.com:8443", "yes"],
    ["site:example.com:443", "no"],
    ["site:example.com/guide", "yes"],
    ["site:example.com/guide/", "yes"],
    ["site:example.com/gui", "no"],
    ["site:example.com/guide/open-data/café", "yes"],
    ["site:example.com/guide/open-data/café?id=7", "yes"],
    ["-site:example.com", "no"],
    ["-site:example.org", "yes"],
    ["site:example.com site:example.org", "no"],
    ["inurl:guide", "yes"],
    ["inurl:UID", "yes"],
    ["inurl:café", "yes"],
    ["inurl:caf%C3%A9", "yes"],
    ["inurl:cafe", "no"],
    ["inurl:8443/guide", "yes"],
    ["-inurl:guide", "no"],
    ["-inurl:archive", "yes"],
    ["allinurl:guide open", "yes"],
    ["allinurl:guide closed", "no"],
    ["-allinurl:guide closed", "yes"],
    ["-allinurl:guide open", "no"],
    ["intitle:portal", "yes"],
    ["intitle:CAFE", "yes"],
    ["intitle:port", "no"],
    ['intitle:"open data"', "yes"],
    ['intitle:"data open"', "no"],
    ["-intitle:portal", "no"],
    ["-intitle:port", "yes"],
    ["allintitle:open portal", "yes"],
    ["allintitle:open prose", "no"],
    ["-allintitle:open prose", "yes"],
    ["-allintitle:open portal", "no"],
    ["related:example.com", "no"],
    ["related:example.org", "unknown"],
    ["intitle:portal site:example.com -inurl:archive zebra", "yes"],
    ["intitle:portal site:example.com inurl:archive", "no"],
  ])("with and without its text: %s is %s", (query, verdict) => {
    expect(verdictOf(query, page)).toBe(verdict);
    expect(verdictOf(query, read)).toBe(verdict);
  });

  it.each<[string, string, string]>([
    ['"open data"', "yes", "yes"],
    ['"guide open"', "yes", "yes"],
    ['"data open"', "unknown", "no"],
    ['"plain prose"', "unknown", "yes"],
    ['"plain pros"', "unknown", "no"],
    ['"portal cafe all"', "unknown", "no"],
    ['"学习"', "unknown", "yes"],
    ['"学入"', "unknown", "no"],
    ['-"open data"', "no", "no"],
    ['-"plain prose"', "unknown", "no"],
    ['-"prose plain"', "unknown", "yes"],
    ["-government", "no", "no"],
    ["-guide", "no", "no"],
    ["-prose", "unknown", "no"],
    ["-pro", "unknown", "yes"],
    ["-机器", "unknown", "no"],
    ["-open-data", "no", "no"],
    ['"plain prose" -zebra site:example.com', "unknown", "yes"],
    ['"plain prose" site:example.org', "no", "no"],
  ])("%s is %s without its text, %s with it", (query, without, with_) => {
    expect(verdictOf(query, page)).toBe(without);
    expect(verdictOf(query, read)).toBe(with_);
  });

  it("whose title is unknown or cut is undecided until it is read", () => {
    for (const title of ["", "Open Data …", "Open Data ... "]) {
      const cut = { ...page, title };
      expect(verdictOf("intitle:portal", cut)).toBe("unknown");
      expect(verdictOf("-intitle:portal", cut)).toBe("unknown");
      expect(verdictOf("intitle:portal", { ...cut, text: "" })).toBe("no");
    }
    expect(verdictOf("intitle:open", { ...page, title: "Open Data …" })).toBe("yes");
  });

  it.each<[string, string, string, string]>([
    ["Arabic", "الأسعار والخطط", "intitle:الاسعار", "intitle:سعر"],
    ["Hebrew", "מחירים ותוכניות", 'intitle:"מחירים ותוכניות"', "intitle:מחיר"],
    ["Japanese", "料金プランのご案内", "intitle:プラン", "intitle:プール"],
    ["Korean", "요금제를 확인하세요", "intitle:요금제", "intitle:회사"],
    ["Thai", "ราคาและแพ็กเกจ", "intitle:แพ็กเกจ", "intitle:ติดต่อ"],
    ["German", "Über die Straße", "intitle:strasse", "intitle:ueber"],
  ])("with a title in %s", (_, title, yes, no) => {
    expect(verdictOf(yes, { ...page, title })).toBe("yes");
    expect(verdictOf(no, { ...page, title })).toBe("no");
  });

  it("at a host in another script answers to both spellings", () => {
    const munich = { ...page, url: "https://www.xn--mnchen-3ya.de/" };
    for (const query of ["site:münchen.de", "site:xn--mnchen-3ya.de", "inurl:münchen", "-site:munchen.de"]) {
      expect(verdictOf(query, munich)).toBe("yes");
    }
  });

  it("is kept by hosts, subdomains included", () => {
    const on = (includeDomains: string[], excludeDomains: string[] = []) =>
      createClauseFilter({ clauses: [], includeDomains, excludeDomains })(page);
    expect(on(["example.org", "Example.com"])).toBe("yes");
    expect(on(["example.org"])).toBe("no");
    expect(on(["not a host"])).toBe("no");
    expect(on([], ["example.com"])).toBe("no");
    expect(on([], ["ample.com", "www.example.com"])).toBe("yes");
  });

  it("with an invalid URL is on no site", () => {
    for (const url of ["", "nonsense", "http://", "data:,x"]) {
      expect(verdictOf("site:example.com", { ...page, url })).toBe("no");
      expect(verdictOf("-site:example.com", { ...page, url })).toBe("yes");
      expect(createClauseFilter({ clauses: [], includeDomains: ["x.y"] })({ ...page, url })).toBe("no");
    }
  });

  it("gets an answer whatever it holds, and one that more text never turns around", () => {
    const text = fc.oneof(anyText(), fc.constantFrom('-a "b c" -"d e"', "intitle:a inurl:%zz site:b.c", "a b c"));
    fc.assert(
      fc.property(text, text, text, fc.oneof(text, fc.webUrl()), (query, title, description, url) => {
        const verdict = verdictOf(query, { url, title, description });
        const final = verdictOf(query, { url, title, description, text: "" });
        if (verdict !== "unknown") expect(final).toBe(verdict);
        else if (!query.includes("related:")) expect(final).not.toBe("unknown");
      }),
    );
  });
});
