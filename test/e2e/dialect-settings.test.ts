// Which dialects are spoken, and to whom: DIALECTS, KEYLESS_DIALECTS and open mode.
import { describe, expect, it, onTestFinished } from "vitest";
import { loadConfig } from "../../src/config.ts";
import { type Answer, startApp, type TestApp } from "../support/app.ts";
import { startPoorApp } from "../support/dialects.ts";
import { anyEngine } from "../support/engines.ts";

async function open(env: Record<string, string>): Promise<TestApp> {
  const app = await startApp(anyEngine, env);
  onTestFinished(() => app.stop());
  return app;
}

describe("settings of dialects", () => {
  it("DIALECTS=0 speaks none, a list those of the list, in routes and documentation", async () => {
    const none = await open({ DIALECTS: "0" });
    const answer = await none.get("/searxng/search?q=a");
    expect([answer.status, answer.body.success]).toEqual([404, false]);
    expect(Object.keys((await none.get("/openapi.json")).body.paths).join(" ")).not.toMatch(/searxng|tavily/);
    const one = await open({ DIALECTS: "tavily" });
    expect((await one.get("/searxng/search?q=a")).body.success).toBe(false);
    expect((await one.call("POST", "/tavily/search", { body: {} })).status).toBe(400);
  });

  it.each([
    ["DIALECTS", "tavily,bing", /^DIALECTS must be 0 for none, or a comma-separated list of/],
    ["KEYLESS_DIALECTS", "bing=acme", /^KEYLESS_DIALECTS must be a comma-separated list of dialect=team/],
    ["KEYLESS_DIALECTS", "searxng", /^KEYLESS_DIALECTS must be/],
    ["KEYLESS_DIALECTS", "searxng=a,searxng=b", /^KEYLESS_DIALECTS must be/],
  ])("%s=%s stops the start", (name, value, message) => {
    expect(() => loadConfig({ [name]: value })).toThrow(message);
  });

  it("a team of KEYLESS_DIALECTS that does not exist stops the start", async () => {
    await expect(startApp(anyEngine, { KEYLESS_DIALECTS: "searxng=nobody" })).rejects.toThrow(
      "KEYLESS_DIALECTS names the team nobody, which does not exist.",
    );
  });

  it("without the setting a request without a key is refused, in the dialect's shape", async () => {
    const app = await open({});
    const answer = await app.get("/searxng/search?q=a", { key: null });
    expect([answer.status, answer.body]).toEqual([401, { error: "Unauthorized" }]);
  });

  it("limits of credits and rates are told in each dialect's shape", async () => {
    const app = await startPoorApp(anyEngine, 6);
    onTestFinished(() => app.stop());
    const words = "Plain words of a file";
    const form = () => {
      const data = new FormData();
      data.append("files", new Blob([words]), "notes.txt");
      return data;
    };
    const asks: [ask: () => Promise<Answer>, shape: (text: unknown) => unknown][] = [
      [() => app.call("POST", "/docling/v1/convert/file", { body: form() }), (text) => ({ detail: text })],
      [() => app.call("PUT", "/openwebui/process", { body: Buffer.from(words) }), (text) => ({ detail: text })],
      [() => app.call("POST", "/openwebui/search", { body: { query: "a" } }), (text) => ({ detail: text })],
      [() => app.get("/searxng/search?q=a"), (text) => ({ error: text })],
      [() => app.call("PUT", "/tika", { body: Buffer.from(words) }), () => null],
    ];
    expect((await asks[0]?.[0]())?.status).toBe(200);
    for (const [limit, status] of [
      ["Insufficient credits", 402],
      ["Rate limit", 429],
    ] as const) {
      for (const [ask, shape] of asks) {
        const answer = await ask();
        expect([answer.status, answer.body]).toEqual([status, shape(expect.stringContaining(limit))]);
        expect(answer.text).toContain(limit);
        expect(answer.headers.get("retry-after") === null).toBe(status === 402);
      }
    }
  });

  it("open mode needs no key and takes any, but no page of another origin", async () => {
    const app = await open({ TRAWL_AUTH: "none" });
    const ask = (headers: Record<string, string>) => app.get("/searxng/search?q=a", { key: null, headers });
    for (const headers of [
      {},
      { authorization: "Bearer undefined" },
      { authorization: "Bearer " },
      { "x-api-key": "x" },
    ]) {
      expect((await ask(headers as Record<string, string>)).status).toBe(200);
    }
    const foreign = await ask({ origin: "https://evil.example" });
    expect([foreign.status, Object.keys(foreign.body)]).toEqual([403, ["error"]]);
  });
});
