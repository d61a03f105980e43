// The format network: what a page asked servers for, on a real Chromium.
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../support/app.ts";
import { lacksChromium } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { useApp, withChromium, withoutBrowser } from "../support/shared-app.ts";

const hush = "never-to-be-shown-9f3c";
const long = JSON.stringify({ text: "x".repeat(1_100_000) });
const page = `<!doctype html><title>Shop</title><main><h1>Shop</h1><p id="price"></p></main><script>
  const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ q: "lamp", password: "${hush}" }) };
  (async () => {
    const item = await (await fetch("/api/item?id=1&access_token=${hush}")).json();
    document.querySelector("#price").textContent = item.price;
    await fetch("/api/old"); await fetch("/api/search", post); await fetch("/text"); await fetch("/plain"); await fetch("/long");
  })();</script><img src="/dot.png">`;
const dot = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const many = `<!doctype html><title>Many</title><main><h1>Many</h1></main><script>
  Promise.all(Array.from({ length: 510 }, (_, n) => fetch("/api/item?id=" + n).then((answer) => answer.text())))
    .then(() => { document.body.id = "done"; });</script>`;
const send =
  (type: string, body: string | Buffer) =>
  (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(200, { "content-type": type }).end(body);
  };
const json = "application/json";

interface Entry {
  method: string;
  url: string;
  status: number;
  body?: string;
  requestBody?: string;
  size: number;
  truncated?: boolean;
  encoding: string;
}

describe.skipIf(lacksChromium)("the format network", () => {
  let site: FixtureSite;
  let app: TestApp;
  beforeAll(async () => {
    site = await startSite({
      "/": page,
      "/many": many,
      "/api/item": send(json, `{"price": 12, "session": {"id": "${hush}"}, "exact":  1.50}`),
      "/api/old": (_request, response) => void response.writeHead(302, { location: "/api/new" }).end(),
      "/api/new": send(json, "[]"),
      "/api/search": send(json, '{"hits":1}'),
      "/text": send("text/plain", ' {"as": "text"}'),
      "/plain": send("text/plain", "words"),
      "/long": send(json, long),
      "/dot.png": send("image/png", dot),
    });
    app = await useApp(anyEngine, withChromium);
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
  });
  const scrape = async (network: object, path = "/", options: object = {}) =>
    (
      await app.call("POST", "/v2/scrape", {
        body: { url: site.url + path, formats: [{ type: "network", ...network }], ...options },
      })
    ).body;
  const paths = (entries: Entry[]) => entries.map(({ url }) => url.slice(site.url.length));

  it("holds the data that the page asked for, in order, exact and masked", async () => {
    const { data } = await scrape({});
    const entries: Entry[] = data.network;
    expect(paths(entries)).toEqual([
      "/api/item?id=1&access_token=[masked]",
      "/api/old",
      "/api/new",
      "/api/search",
      "/text",
      "/long",
    ]);
    const [item, old, , search, text, tooLong] = entries;
    expect(item).toMatchObject({ method: "GET", status: 200, encoding: "utf8", resourceType: "fetch" });
    expect(item?.body).toBe('{"price": 12, "session": "[masked]", "exact":  1.50}');
    expect(old).toMatchObject({ status: 302 });
    expect(old).not.toHaveProperty("body");
    expect(search?.requestBody).toBe('{"q":"lamp","password":"[masked]"}');
    expect(text?.body).toBe(' {"as": "text"}');
    expect(tooLong).toMatchObject({ truncated: true, size: long.length });
    expect(tooLong).not.toHaveProperty("body");
    expect(JSON.stringify(data)).not.toContain(hush);
    expect(data.metadata).toMatchObject({ creditsUsed: 1, cacheState: "miss" });
  });

  it("holds the kinds and URLs that are asked for; the page itself is html", async () => {
    const html = await scrape({ types: ["html", "image"] });
    expect(paths(html.data.network)).toEqual(["/", "/dot.png"]);
    expect(html.data.network[1]).toMatchObject({ encoding: "base64", body: dot.toString("base64"), size: dot.length });
    const globbed = await scrape({ types: ["all"], urls: [`${site.url}/api/*`] });
    expect(paths(globbed.data.network)).toEqual([
      "/api/item?id=1&access_token=[masked]",
      "/api/old",
      "/api/new",
      "/api/search",
    ]);
    const none = await scrape({ urls: ["https://elsewhere.example/**"] });
    expect(none.data).toMatchObject({ network: [], warning: expect.stringContaining("No response") });
  });

  it("ends at 500 entries and says so", async () => {
    // On a busy machine the page asks for longer than a scrape waits by default.
    const { data } = await scrape({}, "/many", { actions: [{ type: "wait", selector: "#done" }], timeout: 120_000 });
    expect(data.network).toHaveLength(500);
    expect(data.warning).toContain("10 are not in network");
  });

  it.each([
    [{ types: "json" }, "types"],
    [{ types: ["letters"] }, "types"],
    [{ urls: "https://a.example/*" }, "urls"],
    [{ urls: Array.from({ length: 51 }, () => "*") }, "urls"],
  ])("refuses %o and names the field", async (network, field) => {
    const { success, details } = await scrape(network);
    expect(success).toBe(false);
    expect(JSON.stringify(details)).toContain(field);
  });
});

it("the format network needs a browser", async () => {
  const app = await useApp(anyEngine, withoutBrowser);
  const { status, body } = await app.call("POST", "/v2/scrape", {
    body: { url: "http://127.0.0.1:1/", formats: ["network"] },
  });
  expect([status, body.code]).toEqual([501, "BROWSER_NOT_AVAILABLE"]);
  await app.stop();
});
