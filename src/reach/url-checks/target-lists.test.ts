import { describe, expect, test } from "vitest";
import { canonicalHost, judgeTarget } from "./target-lists.ts";

const none = { whitelist: [], blacklist: [], blockedTlds: [], allowRequestOverrides: true };
const lists = (given: Partial<Parameters<typeof judgeTarget>[0]>) =>
  ({ ...none, mode: "manual-only", defaultAction: "allow", ...given }) as const;

describe("target lists", () => {
  test("hold a host with its subdomains, and with *. these alone", () => {
    const host = lists({ blacklist: ["example.com"] });
    expect(judgeTarget(host, "https://example.com/a")).toBe("blacklist");
    expect(judgeTarget(host, "https://www.example.com/")).toBe("blacklist");
    expect(judgeTarget(host, "https://badexample.com/")).toBeNull();
    const below = lists({ blacklist: ["*.example.com"] });
    expect(judgeTarget(below, "https://example.com/")).toBeNull();
    expect(judgeTarget(below, "https://a.b.example.com/")).toBe("blacklist");
  });

  test("let the whitelist win, and be the only way out where the default is to block", () => {
    const closed = lists({ whitelist: ["ok.example.com"], blacklist: ["example.com"], defaultAction: "block" });
    expect(judgeTarget(closed, "https://ok.example.com/")).toBeNull();
    expect(judgeTarget(closed, "https://example.com/")).toBe("blacklist");
    expect(judgeTarget(closed, "https://example.org/")).toBe("default");
    expect(judgeTarget({ ...closed, mode: "off" }, "https://example.org/")).toBeNull();
  });

  test("block top-level domains, and take no IP address for one", () => {
    const tlds = lists({ blockedTlds: ["zip", ".co.uk"] });
    expect(judgeTarget(tlds, "https://a.zip/")).toBe("blocked-tld");
    expect(judgeTarget(tlds, "https://a.co.uk/")).toBe("blocked-tld");
    expect(judgeTarget(tlds, "https://zip.example/")).toBeNull();
    expect(judgeTarget(lists({ blockedTlds: ["1"] }), "http://127.0.0.1/")).toBeNull();
  });

  test.each([
    ["EXAMPLE.com", "https://example.COM./"],
    ["bücher.example", "https://xn--bcher-kva.example/"],
    ["xn--bcher-kva.example.", "https://BÜCHER.example/"],
    ["127.0.0.1", "http://0x7f.1/"],
    ["127.0.0.1", "http://2130706433/"],
    ["127.0.0.1", "http://[::ffff:127.0.0.1]/"],
    ["::1", "http://[0:0:0:0:0:0:0:1]/"],
    ["[::1]", "http://[::1]:8080/"],
  ])("compare hosts after their spelling: %s and %s", (entry, url) => {
    expect(judgeTarget(lists({ blacklist: [entry] }), url)).toBe("blacklist");
  });

  test("take no entry that is no host", () => {
    for (const text of [
      "",
      "https://example.com",
      "example.com/path",
      "a b",
      "user@example.com",
      "example.com:80",
      ".",
    ])
      expect(canonicalHost(text), text).toBeNull();
  });
});
