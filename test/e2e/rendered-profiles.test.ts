// Browser storage that a team keeps from one visit to the next.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CallOptions, TestApp } from "../support/app.ts";
import { lacksChromium } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import type { FixtureSite } from "../support/fixture-site.ts";
import { runJob } from "../support/jobs.ts";
import { cookieSecret, startRenderedSite } from "../support/rendered-site.ts";
import { useApp, withQuickBrowser } from "../support/shared-app.ts";

describe.skipIf(lacksChromium).each([anyEngine])("profiles on $name", (engine) => {
  let site: FixtureSite;
  let app: TestApp;
  let name = "";
  let count = 0;
  beforeAll(async () => {
    site = await startRenderedSite();
    app = await useApp(engine, withQuickBrowser);
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
  });
  beforeEach(() => {
    count += 1;
    name = `shop ${count}`;
  });

  const visit = (profile: object | undefined, options: object = {}, call: CallOptions = {}) =>
    app.call("POST", "/v2/scrape", {
      body: { url: `${site.url}/profile`, ...(profile ? { profile } : {}), maxAge: 0, ...options },
      ...call,
    });
  const seen = async (...args: Parameters<typeof visit>): Promise<string[]> => {
    const { status, body } = await visit(...args);
    expect([status, body.error]).toEqual([200, undefined]);
    const text: string = body.data.markdown;
    return [/Cookie: (.*)/.exec(text)?.[1] ?? "", /Kept: (.*)/.exec(text)?.[1] ?? ""];
  };
  const fresh = ["none", "nothing"];
  const known = ["visited=yes", "something"];
  const browserOnly = { waitFor: 1, storeInCache: false };

  it("bring back cookies and local storage of the visit before; without one every visit is the first", async () => {
    expect(await seen({ name })).toEqual(fresh);
    expect(await seen({ name })).toEqual(known);
    expect(await seen(undefined, browserOnly)).toEqual(fresh);
    expect(await seen({ name: `${name} too` })).toEqual(fresh);
  });

  it("are only read without saveChanges, and with zero data retention", async () => {
    expect(await seen({ name, saveChanges: false })).toEqual(fresh);
    expect(await seen({ name }, { zeroDataRetention: true })).toEqual(fresh);
    expect(await seen({ name })).toEqual(fresh);
    expect(await seen({ name, saveChanges: false })).toEqual(known);
  });

  it("are the team's own", async () => {
    await seen({ name });
    expect(await seen({ name }, {}, { key: app.otherKey })).toEqual(fresh);
    expect(await seen({ name })).toEqual(known);
  });

  it("have one writer at a time: another one gets 409, a reader does not", async () => {
    await seen({ name });
    site.asked.length = 0;
    const slow = visit({ name }, { actions: [{ type: "wait", milliseconds: 5000 }] });
    await expect.poll(() => site.asked).toContain("/profile");
    const { status, body } = await visit({ name });
    expect([status, body.code]).toEqual([409, "PROFILE_BUSY"]);
    expect(body.error).toContain("saveChanges: false");
    expect(await seen({ name, saveChanges: false })).toEqual(known);
    expect((await visit({ name }, {}, { key: app.otherKey })).status).toBe(200);
    expect((await slow).status).toBe(200);
    expect(await seen({ name })).toEqual(known);
  });

  it("are free again after a visit that failed, and unchanged", async () => {
    await seen({ name });
    const actions = [{ type: "wait", selector: "#nowhere" }];
    expect((await visit({ name }, { actions, timeout: 2500 })).status).toBeGreaterThanOrEqual(400);
    expect(await seen({ name })).toEqual(known);
  });

  it("leave no copy of the page and use none", async () => {
    await seen({ name });
    const { body } = await visit({ name }, { maxAge: 60_000 });
    expect(body.data.metadata.cacheState).toBe("miss");
  });

  it("serve the pages of a batch one after the other", async () => {
    const urls = Array(3).fill(`${site.url}/profile`);
    const { data, errors } = await runJob(app, "/v2/batch/scrape", { urls, profile: { name } });
    expect(errors).toEqual([]);
    const firsts = data.filter(({ markdown }: { markdown: string }) => markdown.includes("Cookie: none"));
    expect([data.length, firsts.length]).toEqual([3, 1]);
  });

  it("can be forgotten, by their team only", async () => {
    await seen({ name });
    const path = `/v2/browser/profiles/${encodeURIComponent(name)}`;
    expect((await app.call("DELETE", path, { key: app.otherKey })).status).toBe(404);
    expect((await app.call("DELETE", path)).body).toMatchObject({ success: true });
    expect((await app.call("DELETE", path)).status).toBe(404);
    expect(await seen({ name })).toEqual(fresh);
  });

  // Files can be read here, a database's server is elsewhere.
  if (engine.name !== "sqlite") return;

  it("lie sealed in the store", async () => {
    await seen({ name });
    const { options } = app.fresh;
    if (!("dataDir" in options)) throw new Error("SQLite lies in a folder");
    const files = readdirSync(options.dataDir).map((file) =>
      readFileSync(join(options.dataDir, file)).toString("latin1"),
    );
    expect(files.some((text) => text.includes(name))).toBe(true);
    expect(files.some((text) => text.includes(cookieSecret))).toBe(false);
  });
});
