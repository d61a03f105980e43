// MCP of 28 July 2026 beside that of 2025: by the official client of each, and by hand where a client makes no mistakes.
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toolNames, toolPresets } from "../../src/contract/index.ts";
import { describeTool } from "../../src/mcp/describe-tool.ts";
import { mcpTools } from "../../src/mcp/tool-table.ts";
import type { TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { askModern, connectModern, modern } from "../support/mcp-clients.ts";
import { useApp } from "../support/shared-app.ts";

let app: TestApp;
let site: FixtureSite;
beforeAll(async () => {
  app = await useApp(anyEngine);
  site = await startSite((path) => {
    if (path === "/stuck") return () => undefined;
    return `<title>${path}</title><main><h1>Page ${path}</h1><p>Some words.</p><a href="/a">a</a></main>`;
  });
});
afterAll(async () => {
  await app.stop();
  await site.close();
});

describe("the revision of 2026", () => {
  it("serves the official client without a session: tools, results, progress, cancellation", async () => {
    const seen: (string | null)[] = [];
    const watched: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      seen.push(response.headers.get("mcp-session-id"));
      return response;
    };
    const client = await connectModern(`${app.url}/mcp`, app.key, watched);
    expect(client.getServerVersion()?.name).toBe("trawl");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(toolNames);
    const page = await client.callTool({ name: "scrape", arguments: { url: `${site.url}/a` } });
    expect(page.structuredContent).toMatchObject({ markdown: expect.stringContaining("Page /a"), cursor: null });
    const steps: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void steps.push(progress);
    await client.callTool({ name: "crawl", arguments: { url: site.url, limit: 2 } }, { onprogress });
    expect(steps.at(-1)).toBe(2);
    const aborted = new AbortController();
    const { signal } = aborted;
    const crawl = client.callTool({ name: "crawl", arguments: { url: `${site.url}/stuck` } }, { signal });
    await expect.poll(() => site.asked.includes("/stuck")).toBe(true);
    aborted.abort();
    await expect(crawl).rejects.toThrow();
    await expect.poll(async () => (await app.get("/v2/crawl/active")).body.crawls).toEqual([]);
    expect(new Set(seen)).toEqual(new Set([null]));
  });

  it("says who it is in every result, and how long lists may be kept", async () => {
    const server = { "io.modelcontextprotocol/serverInfo": { name: "trawl", version: expect.any(String) } };
    const { result } = (await askModern(app, "server/discover", {}, { headers: { "mcp-session-id": "x" } })).body;
    expect(result).toMatchObject({
      resultType: "complete",
      supportedVersions: [modern],
      capabilities: { tools: {} },
      instructions: expect.any(String),
      ttlMs: 300_000,
      cacheScope: "public",
      _meta: server,
    });
    expect((await askModern(app, "tools/list")).body.result).toMatchObject({
      resultType: "complete",
      ttlMs: 300_000,
      cacheScope: "public",
      _meta: server,
    });
    const failed = await askModern(app, "tools/call", { name: "scrape", arguments: {} });
    expect(failed.body.result).toMatchObject({ resultType: "complete", isError: true, _meta: server });
    const coded = `=?base64?${Buffer.from("scrape").toString("base64")}?=`;
    const named = await askModern(
      app,
      "tools/call",
      { name: "scrape", arguments: {} },
      { headers: { "mcp-name": coded } },
    );
    expect(named.status).toBe(200);
  });

  it.each<[string, string, object, number, number]>([
    ["a version header that is missing", "tools/list", { headers: { "mcp-protocol-version": "" } }, 400, -32020],
    ["a method header that is missing", "tools/list", { headers: { "mcp-method": "" } }, 400, -32020],
    ["another method in the header", "tools/list", { headers: { "mcp-method": "tools/call" } }, 400, -32020],
    ["a name header that is missing", "tools/call", { headers: { "mcp-name": "" } }, 400, -32020],
    ["another name in the header", "tools/call", { headers: { "mcp-name": "map" } }, 400, -32020],
    ["another version in the header", "tools/list", { headers: { "mcp-protocol-version": "2025-06-18" } }, 400, -32020],
    [
      "fields that lack capabilities",
      "tools/list",
      { meta: { "io.modelcontextprotocol/clientCapabilities": undefined } },
      400,
      -32602,
    ],
    [
      "a version that nobody serves",
      "tools/list",
      {
        headers: { "mcp-protocol-version": "2030-01-01" },
        meta: { "io.modelcontextprotocol/protocolVersion": "2030-01-01" },
      },
      400,
      -32022,
    ],
    ["initialize", "initialize", {}, 404, -32601],
    ["ping", "ping", {}, 404, -32601],
    ["an unknown method", "tools/fly", {}, 404, -32601],
  ])("refuses %s", async (_what, method, different, status, code) => {
    const params = method === "tools/call" ? { name: "scrape", arguments: {} } : {};
    const { status: found, body } = await askModern(app, method, params, different);
    expect([found, body.error.code]).toEqual([status, code]);
    if (code === -32022) expect(body.error.data).toEqual({ supported: [modern], requested: "2030-01-01" });
  });

  it("refuses a header of 2026 before a body of 2025, batches, what is no JSON-RPC, and foreign origins", async () => {
    const accept = { accept: "application/json, text/event-stream" };
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const post = async (body: unknown, headers: Record<string, string> = {}) => {
      const answer = await app.call("POST", "/mcp", { body, headers: { ...accept, ...headers } });
      return [answer.status, answer.body?.error?.code ?? answer.body?.code];
    };
    expect(await post(list, { "mcp-protocol-version": modern, "mcp-method": "tools/list" })).toEqual([400, -32602]);
    const own = { "io.modelcontextprotocol/protocolVersion": modern, "io.modelcontextprotocol/clientCapabilities": {} };
    expect(await post([list, { ...list, params: { _meta: own } }])).toEqual([400, -32600]);
    expect(await post({ hello: "world" })).toEqual([400, -32600]);
    expect(await post(list, { origin: "https://evil.example" })).toEqual([403, "FORBIDDEN"]);
    expect((await post(list, { origin: app.url }))[0]).toBe(200);
  });

  it("a tool that does not exist is an error of its parameters", async () => {
    const { status, body } = await askModern(app, "tools/call", { name: "fly", arguments: {} });
    expect([status, body.error.code]).toEqual([200, -32602]);
  });
});

describe("lists of tools", () => {
  it.each([
    ["minimal", ["scrape", "search"]],
    ["research,-map", ["scrape", "search", "extract"]],
    ["site", ["scrape", "batch_scrape", "map", "crawl", "crawl_status"]],
    ["-all,scrape", []],
    [
      toolNames
        .map((name) => `-${name}`)
        .slice(1)
        .join(","),
      ["scrape"],
    ],
    ["", toolNames],
  ])("?tools=%s chooses", async (list, names) => {
    const { tools } = (await askModern(app, "tools/list", {}, { path: `/mcp?tools=${list}` })).body.result;
    expect(tools.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  it("an unknown name is refused before the body is read, and a tool that was left out is unknown", async () => {
    const refused = await app.call("POST", "/mcp?tools=scrape,fly", { body: "{" });
    expect([refused.status, refused.body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(refused.body.details).toEqual([expect.objectContaining({ path: ["tools"] })]);
    expect(refused.body.details[0].message).toContain("fly");
    const called = await askModern(app, "tools/call", { name: "map", arguments: {} }, { path: "/mcp?tools=minimal" });
    expect(called.body.error).toMatchObject({ code: -32602 });
  });

  it.each([
    ["minimal", 3000],
    ["research", 4000],
    ["all", 16_000],
  ])("the definitions of %s take fewer than %i tokens", (preset, most) => {
    const listed = mcpTools.filter(({ name }) => toolPresets[preset]?.includes(name));
    const tokens = listed.map((tool) => countTokens(JSON.stringify(describeTool(tool, ""))));
    expect(tokens.reduce((sum, count) => sum + count, 0)).toBeLessThan(most);
    expect(mcpTools.map(({ name }) => name)).toEqual(toolNames);
  });
});
