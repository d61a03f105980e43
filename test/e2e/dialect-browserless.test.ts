// Browserless's API through every room, on a real Chromium.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../support/app.ts";
import { lacksChromium } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { pictureOf } from "../support/rendered-site.ts";
import { useApp, withChromium, withoutBrowser } from "../support/shared-app.ts";

const page = `<!doctype html><title>Pier</title><main><h1>Pier</h1><p id="cookie"></p></main><script>
  document.querySelector("h1").textContent = "Written by a script";
  document.querySelector("#cookie").textContent = document.cookie;
  setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<b id='late'>late</b>"), 300);</script>`;

describe.skipIf(lacksChromium)("Browserless", () => {
  let app: TestApp;
  let site: FixtureSite;
  beforeAll(async () => {
    site = await startSite({
      "/": page,
      "/missing": (_request, response) => void response.writeHead(404).end("<h1>No</h1>"),
    });
    app = await useApp(anyEngine, withChromium);
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
  });
  const post = async (path: string, body: object, init: { key?: string | null; query?: string } = {}) => {
    const { key = app.key, query = "" } = init;
    const response = await fetch(`${app.url}${path}${query}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(key === null ? {} : { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ url: `${site.url}/`, ...body }),
    });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  it("gives the rendered document, by POST and GET, with the key in the query too", async () => {
    const waited = {
      waitForSelector: { selector: "#late" },
      cookies: [{ name: "c", value: "biscuit" }],
      addScriptTag: [],
    };
    const { status, headers, bytes } = await post("/browserless/content", waited);
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(String(bytes)).toContain("Written by a script");
    expect(String(bytes)).toContain('id="late"');
    expect(String(bytes)).toContain("c=biscuit");
    expect(headers.get("x-response-code")).toBe("200");
    expect(headers.get("x-response-url")).toBe(`${site.url}/`);
    expect(headers.get("x-trawl-ignored")).toBe("addScriptTag");
    const got = await fetch(`${app.url}/content?url=${encodeURIComponent(`${site.url}/missing`)}&token=${app.key}`);
    expect([got.status, got.headers.get("x-response-code")]).toEqual([200, "404"]);
  });

  it("gives pictures and PDFs", async () => {
    const viewport = { width: 500, height: 400, deviceScaleFactor: 2 };
    const png = await post("/screenshot", { viewport }, { key: null, query: `?token=${app.key}` });
    expect(pictureOf(png.bytes)).toEqual({ kind: "png", width: 500, height: 400 });
    expect(png.headers.get("x-trawl-ignored")).toBe("viewport.deviceScaleFactor");
    const jpeg = await post("/chromium/screenshot", { options: { type: "jpeg", quality: 40 } });
    expect([jpeg.headers.get("content-type"), pictureOf(jpeg.bytes).kind]).toEqual(["image/jpeg", "jpg"]);
    const base64 = await post("/screenshot", { options: { encoding: "base64" } });
    expect(pictureOf(Buffer.from(String(base64.bytes), "base64")).kind).toBe("png");
    const pdf = await post("/pdf", { options: { format: "a4", landscape: true, printBackground: true } });
    expect([pdf.headers.get("content-type"), pdf.bytes.toString("latin1", 0, 5)]).toEqual(["application/pdf", "%PDF-"]);
    expect(pdf.headers.get("x-trawl-ignored")).toBe("options.printBackground");
  });

  it.each([
    ["/content", { url: undefined }, 400],
    ["/content", { html: "<h1>x</h1>" }, 400],
    ["/content", { url: "http://169.254.169.254/" }, 403],
    ["/function", {}, 501],
    ["/browserless/performance", {}, 501],
  ])("refuses %s with %o in one sentence: %d", async (path, body, status) => {
    const answer = await post(path, body);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "text/plain; charset=utf-8"]);
    expect(String(answer.bytes)).toMatch(/^[^{<]+$/);
  });

  it("needs a key, and writes none to the log or the activity list", async () => {
    expect((await post("/content", {}, { key: null })).status).toBe(401);
    expect((await post("/content", {}, { key: null, query: "?token=wrong" })).status).toBe(401);
    expect(app.logLines.join("\n")).not.toContain(app.key);
    const activity = (await app.get("/v2/team/activity?limit=50")).body;
    expect(JSON.stringify(activity)).not.toContain(app.key);
    expect(activity.data.map((row: { api_version: string }) => row.api_version)).toContain("browserless");
  });
});

it("Browserless needs a browser: 501", async () => {
  const app = await useApp(anyEngine, withoutBrowser);
  const { status } = await app.call("POST", "/content", { body: { url: "http://127.0.0.1:1/" } });
  expect(status).toBe(501);
  await app.stop();
});
