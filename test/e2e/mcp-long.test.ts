// MCP over HTTP where answers are very long, and where connections break.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { useApp } from "../support/shared-app.ts";

const usual = 20_000;
const links = Array.from({ length: 10_000 }, (_, place) => `/catalogue/part-${place}`);
const paragraphs = Array.from(
  { length: 3000 },
  (_, place) => `<p>${place}: ${"Nets of many kinds are made. ".repeat(24)}</p>`,
);

// Tokens of megabytes are counted, which takes minutes on a busy machine.
describe("MCP", { timeout: 400_000 }, () => {
  let app: TestApp;
  let site: FixtureSite;
  let release: () => void = () => undefined;
  beforeAll(async () => {
    app = await useApp(anyEngine);
    site = await startSite((path) => {
      if (path === "/huge") return `<title>Huge</title><main><h1>Huge</h1>${paragraphs.join("\n")}</main>`;
      if (path === "/sitemap.xml")
        return (_request, response) => {
          const entries = links.map((link) => `<url><loc>${site.url}${link}</loc></url>`).join("");
          response.writeHead(200, { "content-type": "application/xml" }).end(`<urlset>${entries}</urlset>`);
        };
      if (path === "/late")
        return (_request, response) => {
          release = () => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Late</h1>");
        };
      return '<title>Home</title><main><h1>Home</h1><a href="/late">late</a></main>';
    });
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
  });

  /** All parts of an answer, each within the bound: the usual one for two parts, then a larger one, which takes fewer calls. */
  async function readOn(name: string, args: object) {
    const headers = { authorization: `Bearer ${app.key}` };
    const client = new Client({ name: "test", version: "1" });
    const transport = new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit: { headers } });
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    const parts: Record<string, unknown>[] = [];
    for (let cursor: unknown = undefined; cursor !== null; ) {
      const bound = parts.length < 2 ? usual : 5 * usual;
      const { structuredContent, content } = await client.callTool(
        { name, arguments: { ...args, ...(cursor ? { cursor } : {}), ...(bound > usual ? { maxTokens: bound } : {}) } },
        undefined,
        { timeout: 110_000 },
      );
      const part = structuredContent as Record<string, unknown>;
      const [{ text }] = content as [{ text: string }];
      // Counting all of them takes long: the first, and the first of the larger ones.
      if (parts.length % 2 === 0 && parts.length < 4) {
        expect(countTokens(JSON.stringify(part))).toBeLessThanOrEqual(bound);
        expect(countTokens(text)).toBeLessThanOrEqual(bound);
      }
      parts.push(part);
      cursor = part["cursor"];
    }
    await client.close();
    return parts;
  }

  it("a page of 2 MB comes in parts that are the whole", async () => {
    const url = `${site.url}/huge`;
    const whole = (await app.call("POST", "/v2/scrape", { body: { url } })).body.data.markdown;
    expect(whole.length).toBeGreaterThan(1_900_000);
    const parts = await readOn("scrape", { url });
    expect(parts.length).toBeGreaterThan(5);
    expect(parts.map((part) => part["markdown"]).join("") === whole).toBe(true);
  });

  it("a map of 10,000 links comes in parts that are the whole", async () => {
    const parts = await readOn("map", { url: site.url, sitemap: "only", limit: 10_000 });
    const found = parts.flatMap((part) => part["links"] as { url: string }[]).map(({ url }) => new URL(url).pathname);
    expect(parts.length).toBeGreaterThan(2);
    expect(found.toSorted()).toEqual(links.toSorted());
  });

  it("a stream that broke is resumed after its last event", async () => {
    const accept = { accept: "application/json, text/event-stream", "content-type": "application/json" };
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const body = { jsonrpc: "2.0", id: 1, method: "initialize", params };
    const opened = await app.call("POST", "/mcp", { body, headers: accept });
    const headers = {
      ...accept,
      authorization: `Bearer ${app.key}`,
      "mcp-session-id": opened.headers.get("mcp-session-id") ?? "",
    };
    const broken = new AbortController();
    const crawl = {
      name: "crawl",
      arguments: { url: site.url, limit: 2, sitemap: "skip" },
      _meta: { progressToken: 7 },
    };
    const first = await fetch(`${app.url}/mcp`, {
      method: "POST",
      headers,
      body: JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: crawl }),
      signal: broken.signal,
    });
    const last = await readUntil(first, /^id: (.+)$/m);
    broken.abort();
    await expect.poll(() => site.asked.includes("/late")).toBe(true);
    release();
    const again = await fetch(`${app.url}/mcp`, {
      headers: { ...headers, accept: "text/event-stream", "last-event-id": last },
      signal: AbortSignal.timeout(60_000),
    });
    expect(again.status).toBe(200);
    const result = JSON.parse(await readUntil(again, /^data: (\{.*"id":2.*\})$/m));
    expect(result.result.structuredContent).toMatchObject({ status: "completed" });
    expect(result.result.structuredContent.data).toHaveLength(2);
  });
});

/** Reads a stream until a line fits; what its group holds. */
async function readUntil(response: Response, line: RegExp): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    const found = line.exec(text)?.[1];
    // Leaving the loop would end the stream itself.
    if (found !== undefined) return found;
  }
  throw new Error(`the stream ended: ${text}`);
}
