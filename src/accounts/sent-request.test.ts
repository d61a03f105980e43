import { describe, expect, it } from "vitest";
import { packRequest } from "./sent-request.ts";

const pack = (body: unknown, path = "/v2/scrape") => packRequest({ method: "POST", path, body });
const kept = (body: unknown, path?: string) => JSON.parse(pack(body, path) ?? "null");

describe("a request that is kept", () => {
  it("has no secrets: headers, passwords, keys, what is typed", () => {
    const request = {
      url: "https://me:hush@site.test/a",
      headers: { cookie: "hush" },
      webhook: { url: "https://hook.test/", headers: { authorization: "hush" } },
      actions: [
        { type: "write", text: "hush" },
        { type: "wait", milliseconds: 5 },
      ],
      proxyUrl: "http://hush.test/",
      api_key: "hush",
    };
    expect(pack(request, "/search?q=a&api_key=hush")).not.toContain("hush");
    expect(kept(request)).toMatchObject({
      path: "/v2/scrape",
      body: { url: "https://site.test/a", headers: { cookie: "***" }, actions: [{ text: "***" }, { milliseconds: 5 }] },
    });
  });

  it.each([
    [{ password: "hush" }],
    [{ Access_Token: "hush" }],
    [{ apiKey: "hush" }],
    [{ headers: { a: "hush" } }],
    [{ urls: ["https://me:hush@site.test/"] }],
  ])("has none in a short one: %j", (body) => {
    expect(pack({ url: "https://site.test/", ...body })).not.toContain("hush");
    expect(pack({ url: "https://site.test/" }, "/v2/map?key=hush")).not.toContain("hush");
  });

  it("is small", () => {
    expect(pack({ urls: Array.from({ length: 10_000 }, (_, at) => `https://site.test/${at}`) })).toBeNull();
    expect(pack({ prompt: "x".repeat(300_000) })).toBeNull();
    expect(pack({ scrapeOptions: { prompt: "://a".repeat(100_000) } })).toBeNull();
  });
});
