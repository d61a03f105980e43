// Flows: shown in a session, repeated with other values, and never done where it is not sure.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../support/app.ts";
import { chromiumPath, lacksChromium } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import { fixtureSite, type PageServer } from "../support/flow-site.ts";
import { drive, openSession } from "../support/sessions.ts";
import { useApp, withChromium } from "../support/shared-app.ts";

describe.skipIf(lacksChromium)("a flow", () => {
  let app: TestApp;
  let site: PageServer;
  let flow: { id: string; steps: Record<string, unknown>[]; parameters: object; version: number };
  beforeAll(async () => {
    app = await useApp(anyEngine, withChromium);
    site = await fixtureSite();
  });
  afterAll(async () => {
    await app?.stop();
    await site?.close();
  });

  const run = (id: string, body: object = {}) => app.call("POST", `/v2/flow/${id}/run`, { body });

  it("is made of what was done in a session, and repeats it", async () => {
    const session = await openSession(app);
    const browser: Browser = await drive(session);
    const page = browser.contexts()[0]?.pages()[0];
    await page?.goto(`${site.url}/`);
    await page?.getByRole("searchbox").fill("lamp");
    await page?.getByRole("button", { name: "Find" }).click();
    await page?.waitForURL("**/found**");
    const { status, body } = await app.call("POST", "/v2/flow", {
      body: { name: "Search the shop", from: { sessionId: session.id }, parameters: { query: "lamp" } },
    });
    expect([status, body.error]).toEqual([200, undefined]);
    flow = body.flow;
    expect(flow.parameters).toEqual({ query: { type: "string", required: false, default: "lamp" } });
    expect(flow.steps).toMatchObject([
      { id: "s1", type: "navigate", url: `${site.url}/` },
      { type: "fill", target: { role: "searchbox", name: "Search" }, value: "{{query}}" },
      { type: "click", target: { role: "button", name: "Find", within: { role: "search", name: "Products" } } },
    ]);
    await browser.close();
    await app.call("DELETE", `/v2/browser/${session.id}`);
    const again = await app.call("POST", "/v2/flow", { body: { name: "Later", from: { sessionId: session.id } } });
    expect(again.body.flow?.steps).toHaveLength(3);
    const ran = await run(flow.id);
    expect([ran.status, ran.body.error]).toEqual([200, undefined]);
    expect(ran.body).toMatchObject({ status: "completed", version: 1, flowId: flow.id, healed: [] });
    expect(ran.body.steps.map(({ status: how }: { status: string }) => how)).toEqual(["done", "done"]);
    expect(ran.body.data.markdown).toContain("You looked for lamp");
    expect(ran.body.data.metadata).toMatchObject({ engine: "flow", flow: { id: flow.id, version: 1, healed: 0 } });
  });

  it("is listed without its steps, and read with them", async () => {
    const list = (await app.get("/v2/flow?limit=100")).body;
    const listed = list.flows.find(({ id }: { id: string }) => id === flow.id);
    expect(listed).toMatchObject({ name: "Search the shop", version: 1, stepCount: 3, lastRunStatus: "completed" });
    expect((await app.get(`/v2/flow/${flow.id}`)).body.flow).toEqual(flow);
  });

  it("takes other values, and names what is missing or unknown", async () => {
    const ran = await run(flow.id, { parameters: { query: "{{query}} & more", other: 1 } });
    expect(ran.body.data.markdown).toContain("You looked for {{query}} & more");
    expect(ran.body.warning).toContain("other");
    const required = { query: { type: "string", required: true } };
    await app.call("PATCH", `/v2/flow/${flow.id}`, { body: { parameters: required } });
    const { status, body } = await run(flow.id);
    expect([status, body.code, body.details]).toEqual([400, "FLOW_PARAMETER_MISSING", { parameter: "query" }]);
    const old = await run(flow.id, { version: 1 });
    expect([old.status, old.body.version]).toEqual([200, 1]);
    const restored = await app.call("POST", `/v2/flow/${flow.id}/versions/1/restore`, { body: {} });
    expect(restored.body.flow.version).toBe(3);
  });

  it("survives other ids, classes, wrappers, order and decoys, heals other words by rules, and stops where nothing is sure", async () => {
    const mutated = await run(flow.id, { url: `${site.url}/mutated` });
    expect([mutated.status, mutated.body.error, mutated.body.healed]).toEqual([200, undefined, []]);
    const healed = await run(flow.id, { url: `${site.url}/reworded`, stepTimeout: 300 });
    expect([healed.status, healed.body.error]).toEqual([200, undefined]);
    expect(healed.body.healed).toMatchObject([{ by: "rules", to: { name: "Find now" } }]);
    const { body } = await app.get(`/v2/flow/${flow.id}/versions`);
    expect(body.versions.map(({ by }: { by: string }) => by)).toEqual(["healed", "restored", "edited", "created"]);
    await app.call("POST", `/v2/flow/${flow.id}/versions/1/restore`, { body: {} });
    const failed = await run(flow.id, { url: `${site.url}/dangerous`, stepTimeout: 300 });
    expect([failed.status, failed.body.code]).toEqual([500, "FLOW_STEP_NOT_FOUND"]);
    expect(failed.body.error).toContain("Step 3, click button “Find” in “Products”");
    expect(failed.body.details).toMatchObject({
      index: 2,
      type: "click",
      step: "s3",
      steps: [{ id: "s2", status: "done" }],
    });
    const twice = await run(flow.id, { url: `${site.url}/twice`, stepTimeout: 300 });
    expect([twice.status, twice.body.code]).toEqual([500, "FLOW_STEP_AMBIGUOUS"]);
    expect(site.clicks()).toEqual([]);
  });

  it("is exported as JSON and as a module that Playwright runs", async () => {
    const json = await app.get(`/v2/flow/${flow.id}/export?format=json`);
    expect(json.body).toMatchObject({ format: "trawl-flow", formatVersion: 1 });
    const copy = await app.call("POST", "/v2/flow", { body: { name: "Copy", from: { flow: json.body } } });
    expect(copy.body.flow.steps).toEqual(json.body.flow.steps);
    const { text } = await app.get(`/v2/flow/${flow.id}/export?format=playwright`);
    const folder = mkdtempSync(join(import.meta.dirname, "flow-"));
    const browser = await chromium.launch({ executablePath: chromiumPath ?? "" });
    try {
      writeFileSync(join(folder, "flow.mjs"), text);
      const { run: exported } = await import(/* @vite-ignore */ pathToFileURL(join(folder, "flow.mjs")).href);
      const page = await browser.newPage();
      await exported(page, { query: "desk" });
      await page.getByText("You looked for desk").waitFor();
    } finally {
      await browser.close();
      rmSync(folder, { recursive: true });
    }
  });

  it("is run on the page of a scrape, or before it", async () => {
    const use = { id: flow.id, parameters: { query: "sofa" } };
    const on = await app.call("POST", "/v2/scrape", { body: { url: `${site.url}/`, flow: use } });
    expect(on.body.data.markdown).toContain("You looked for sofa");
    const before = await app.call("POST", "/v2/scrape", {
      body: { url: `${site.url}/last`, flow: { ...use, mode: "before" } },
    });
    expect([before.status, before.body.error]).toEqual([200, undefined]);
    expect(before.body.data.markdown).toContain("Last search: sofa");
    const both = await app.call("POST", "/v2/scrape", {
      body: { url: `${site.url}/`, flow: use, actions: [{ type: "wait", milliseconds: 1 }] },
    });
    expect([both.status, both.body.details?.[0]?.path]).toEqual([400, ["flow"]]);
  });

  it("is its team's alone, and is gone when it is deleted; its runs stay", async () => {
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["GET", "/versions"],
      ["POST", "/run"],
      ["GET", "/runs"],
      ["GET", "/export"],
    ] as const) {
      const call = { key: app.otherKey, ...(method === "GET" ? {} : { body: {} }) };
      const { status, body } = await app.call(method, `/v2/flow/${flow.id}${path}`, call);
      expect([path, status, body.code]).toEqual([path, 404, "FLOW_NOT_FOUND"]);
    }
    await app.call("DELETE", `/v2/flow/${flow.id}`);
    const { status, body } = await app.get(`/v2/flow/${flow.id}/runs`);
    expect([status, body.runs.length > 3]).toEqual([200, true]);
    expect(body.runs.map((each: { status: string }) => each.status)).toContain("failed");
  });
});
