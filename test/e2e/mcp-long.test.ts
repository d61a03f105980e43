// MCP over HTTP where answers are very long.
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
  beforeAll(async () => {
    app = await useApp(anyEngine);
    site = await startSite((path) => {
      if (path === "/huge") return `<title>Huge</title><main><h1>Huge</h1>${paragraphs.join("\n")}</main>`;
      if (path === "/sitemap.xml")
        return (_request, response) => {
          const entries = links.map((link) => `<url><loc>${site.url}${link}</loc></url>`).join("");
          response.writeHead(200, { "content-type": "application/xml" }).end(`<urlset>${entries}</urlset>`);
        };
      return "<title>Home</title><main><h1>Home</h1></main>";
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
});
