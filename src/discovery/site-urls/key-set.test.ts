import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createKeySet } from "./key-set.ts";
import { UrlBytes } from "./url-bytes.ts";

const urlBytes = new UrlBytes();

function addUrl(keys: ReturnType<typeof createKeySet>, url: string, host = "example.com"): boolean {
  const pathFrom = url.indexOf("/", url.indexOf("//") + 2);
  const query = url.indexOf("?");
  const page = { url, host, pathFrom, pathTo: query === -1 ? url.length : query };
  urlBytes.write(page);
  return keys.add(page, urlBytes);
}

describe("a set of keys", () => {
  it("answers as a set of texts does, wherever the path begins", () => {
    const host = fc.constantFrom("a", "b.test", "cd.test:81");
    const origin = fc.constantFrom("http://a", "https://a", "http://www.a", "https://www.a", "https://ab");
    const start = fc.oneof(fc.string({ maxLength: 3 }), fc.constantFrom("a", "ab", "abc", "abcd"));
    const rest = fc.tuple(start, fc.constantFrom("", "/", "/?", "?/", "page", "/page?a=1"));
    fc.assert(
      fc.property(fc.array(fc.tuple(host, origin, rest), { maxLength: 1000 }), (urls) => {
        const [keys, set] = [createKeySet(), new Set<string>()];
        for (const [host, origin, [start, end]] of urls) {
          const url = `${origin}/${start.replaceAll("?", "/")}${end}`;
          const { pathname, search } = readPath(url.slice(origin.length));
          const key = host + (pathname.endsWith("/") ? pathname.slice(0, -1) : pathname) + search;
          expect(addUrl(keys, url, host)).toBe(!set.has(key));
          set.add(key);
        }
      }),
    );
  });

  it("tells 200,000 URLs apart that differ in a digit or two", () => {
    const keys = createKeySet();
    const pages = Array.from({ length: 100_000 }, (_, page) => page);
    const addAll = (origin: string, host: string) =>
      pages.filter((page) => addUrl(keys, `${origin}/product/${page}`, host)).length;
    expect(addAll("https://example.com", "example.com")).toBe(100_000);
    expect(addAll("https://example.org", "example.org")).toBe(100_000);
    expect(addAll("http://example.com", "example.com")).toBe(0);
    expect(addAll("https://www.example.org", "example.org")).toBe(0);
  });

  it.each(["http://a.test", "https://a.test", "http://www.a.test", "https://www.a.test"])(
    "leaves out a slash at the end of paths of any length of %s",
    (origin) => {
      const keys = createKeySet();
      for (const path of Array.from({ length: 9 }, (_, length) => `/${"x".repeat(length + 1)}`)) {
        expect(addUrl(keys, `${origin}${path}`)).toBe(true);
        for (const end of ["/", "", "/"]) expect(addUrl(keys, `https://a.test${path}${end}`)).toBe(false);
        expect(addUrl(keys, `${origin}${path}//`)).toBe(true);
      }
    },
  );

  it("leaves out the slash that makes no difference, and leaves the bytes as they are", () => {
    const keys = createKeySet();
    expect(addUrl(keys, "https://example.com/a/?b=/")).toBe(true);
    expect(addUrl(keys, "https://example.com/a?b=/")).toBe(false);
    expect(addUrl(keys, "https://example.com/a/?b=")).toBe(true);
    expect(addUrl(keys, "https://example.com/folder/")).toBe(true);
    expect(urlBytes.bytes.toString("latin1", urlBytes.from, urlBytes.to)).toBe("https://example.com/folder/");
    expect(addUrl(keys, "https://example.com/folder")).toBe(false);
  });
});

function readPath(rest: string): { pathname: string; search: string } {
  const query = rest.indexOf("?");
  return query === -1 ? { pathname: rest, search: "" } : { pathname: rest.slice(0, query), search: rest.slice(query) };
}
