// Which dialects are spoken, and to whom: DIALECTS, KEYLESS_DIALECTS and open mode.
import { describe, expect, it, onTestFinished } from "vitest";
import { loadConfig } from "../../src/config.ts";
import { startApp, type TestApp } from "../support/app.ts";
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
