// /v2/search/data: sites, pages and documents that a team keeps in its local index.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestClock, startApp, type TestApp } from "../support/app.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { withNewTeams } from "../support/shared-app.ts";

const page = (title: string, body: string) => `<title>${title}</title><main><h1>${title}</h1><p>${body}</p></main>`;
const dayMs = 86_400_000;
type Source = { id: string; status: string; pageCount: number; error: string | null; [name: string]: unknown };

describe("sources of the local index", () => {
  const clock = createTestClock("2026-11-15T12:00:00Z");
  let shared: TestApp;
  let app: TestApp;
  let site: FixtureSite;
  const pages: Record<string, string> = {};
  beforeAll(async () => {
    site = await startSite((path) => pages[path]);
    shared = await startApp(
      anyEngine,
      { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", CHROMIUM_PATH: "/nowhere/chromium" },
      clock,
    );
  });
  afterAll(async () => {
    await shared.stop();
    await site.close();
  });
  beforeEach(async () => {
    app = await withNewTeams(shared);
    for (const path of Object.keys(pages)) delete pages[path];
    Object.assign(pages, {
      "/": `${page("Harbour", "Boats lie in the harbour.")}<a href="/kelp">Kelp</a> <a href="/nets">Nets</a>`,
      "/kelp": page("Kelp", "Kelp grows in cold water."),
      "/nets": page("Nets", "Nets are mended with hemp."),
    });
  });

  const add = async (kind: string, body: object): Promise<Source> => {
    const answer = await app.call("POST", `/v2/search/data/${kind}`, { body });
    expect([answer.status, answer.body.success]).toEqual([200, true]);
    return answer.body.data;
  };
  const read = async (id: string): Promise<Source> => (await app.get(`/v2/search/data/${id}`)).body.data;
  const ended = async (id: string, since = ""): Promise<Source> => {
    const isEnded = async () => {
      // A page that failed is tried again after a while.
      clock.advance(200);
      const { status, lastIndexedAt } = await read(id);
      return status === "failed" || (status === "ready" && String(lastIndexedAt) > since);
    };
    await expect.poll(isEnded).toBe(true);
    return read(id);
  };
  const change = (id: string, body: object) => app.call("PATCH", `/v2/search/data/${id}`, { body });
  const find = async (query: string): Promise<string[]> => {
    clock.advance(1);
    const { body } = await app.call("POST", "/v2/search", { body: { query } });
    return body.data.web.map(({ url }: { url: string }) => url).toSorted();
  };

  it("keep a site: queued, then ready, found by searches, hidden while disabled, gone when deleted", async () => {
    const body = { url: site.url, limit: 10, excludePaths: ["/nets"], refresh: "weekly" };
    const queued = await add("sites", body);
    expect(queued).toEqual({
      id: expect.any(String),
      ...{
        type: "site",
        name: new URL(site.url).host,
        url: `${site.url}/`,
        status: "queued",
        enabled: true,
        pageCount: 0,
      },
      ...{ refresh: "weekly", lastIndexedAt: null, error: null },
      ...{ createdAt: expect.stringMatching(/Z$/), updatedAt: expect.stringMatching(/Z$/) },
    });
    const ready = await ended(queued.id);
    expect(ready).toMatchObject({
      status: "ready",
      pageCount: 2,
      error: null,
      lastIndexedAt: expect.stringMatching(/Z$/),
    });
    expect(await find("cold")).toEqual([`${site.url}/kelp`]);
    expect(await find("hemp")).toEqual([]);
    expect((await app.get("/v2/team/credit-usage/historical")).body.periods.at(-1).totalCredits).toBeGreaterThanOrEqual(
      2,
    );

    expect((await change(queued.id, { enabled: false, name: "Sea" })).body.data).toMatchObject({
      enabled: false,
      name: "Sea",
    });
    expect(await find("cold")).toEqual([]);
    expect(await find(`site:${new URL(site.url).host}`)).toEqual([]);
    await change(queued.id, { enabled: true });
    expect(await find("cold")).toEqual([`${site.url}/kelp`]);

    const { status, body: gone } = await app.call("DELETE", `/v2/search/data/${queued.id}`);
    expect([status, gone.data.id]).toEqual([200, queued.id]);
    expect(await find("cold")).toEqual([]);
    expect((await app.get(`/v2/search/data/${queued.id}`)).body.error).toBe("Source not found");
  });

  it("leave what another source or a scrape has brought, too", async () => {
    const urls = [`${site.url}/kelp`, `${site.url}/nets`];
    const [one, other] = [await add("pages", { urls, name: "Both" }), await add("pages", { urls: urls.slice(0, 1) })];
    expect(one).toMatchObject({ type: "pages", name: "Both", refresh: null });
    expect(other.name).toBe(urls[0]);
    await Promise.all([ended(one.id), ended(other.id)]);
    await app.call("POST", "/v2/scrape", { body: { url: urls[1], maxAge: 0 } });
    await shared.index.flush();
    await change(one.id, { enabled: false });
    expect([await find("cold"), await find("hemp")]).toEqual([[urls[0]], [urls[1]]]);
    await app.call("DELETE", `/v2/search/data/${one.id}`);
    expect([await find("cold"), await find("hemp")]).toEqual([[urls[0]], [urls[1]]]);
    await app.call("DELETE", `/v2/search/data/${other.id}`);
    expect([await find("cold"), await find("hemp")]).toEqual([[], [urls[1]]]);
  });

  it("are read again when they are due or when they are told to be, and lose the pages that are gone", async () => {
    const { id } = await add("sites", { url: site.url, refresh: "daily" });
    const first = await ended(id);
    pages["/"] = `${page("Harbour", "Boats have left the harbour.")}<a href="/kelp">Kelp</a>`;
    delete pages["/nets"];
    clock.advance(dayMs + 1000);
    const second = await ended(id, String(first.lastIndexedAt));
    expect(second).toMatchObject({ status: "ready", pageCount: 2 });
    expect([await find("hemp"), await find("left")]).toEqual([[], [`${site.url}/`]]);
    clock.advance(1000);
    const { status, body } = await app.call("POST", `/v2/search/data/${id}/refresh`);
    expect([status, body.data.status]).toEqual([200, "queued"]);
    expect((await app.call("POST", `/v2/search/data/${id}/refresh`)).body.code).toBe("SOURCE_BUSY");
    await ended(id, String(second.lastIndexedAt));
    expect((await change(id, { refresh: null })).body.data.refresh).toBeNull();
  });

  it("say why nothing of them could be read", async () => {
    const gone = await startSite({});
    await gone.close();
    const failed = await ended((await add("pages", { urls: [gone.url] })).id);
    expect(failed).toMatchObject({ status: "failed", pageCount: 0, lastIndexedAt: null });
    expect(failed.error?.length).toBeGreaterThan(10);
    const [bad] = [{ name: "bad.bin", content: "AAECAw==", encoding: "base64" }];
    const documents = await add("documents", { documents: [bad] });
    expect(documents).toMatchObject({ type: "documents", status: "failed", error: expect.stringContaining("bad.bin") });
  });

  it("keep documents, which are found at once and are not read again", async () => {
    const documents = [
      { name: "handbook/leave.md", content: "# Leave\n\nTwenty days of leave a year." },
      { name: "handbook/tea.md", content: "# Tea\n\nTea is at four.", url: "https://intranet.example/tea" },
    ];
    const source = await add("documents", { documents, name: "Handbook" });
    expect(source).toMatchObject({ name: "Handbook", status: "ready", pageCount: 2, refresh: null });
    expect(await find("leave")).toEqual(["file:///handbook/leave.md"]);
    expect((await app.call("POST", `/v2/search/data/${source.id}/refresh`)).status).toBe(400);
    expect((await change(source.id, { refresh: "daily" })).body.details[0].path).toEqual(["refresh"]);
    await change(source.id, { enabled: false });
    expect(await find("tea")).toEqual([]);
    await app.call("DELETE", `/v2/search/data/${source.id}`);
    expect(await find("leave")).toEqual([]);
  });

  it("are listed page by page, the newest first, and only to their team", async () => {
    const ids: string[] = [];
    for (const name of ["a", "b", "c"]) {
      clock.advance(1);
      ids.push(
        (await add("documents", { documents: [{ name: `${name}.md`, content: `# ${name}\n\nText of it.` }] })).id,
      );
    }
    const first = (await app.get("/v2/search/data?limit=2")).body;
    expect(first.data.map(({ id }: Source) => id)).toEqual([ids[2], ids[1]]);
    expect(first.has_more).toBe(true);
    const rest = (await app.get(`/v2/search/data?limit=2&cursor=${first.cursor}`)).body;
    expect([rest.data.map(({ id }: Source) => id), rest.cursor, rest.has_more]).toEqual([[ids[0]], null, false]);
    const key = app.otherKey;
    expect((await app.get("/v2/search/data", { key })).body.data).toEqual([]);
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/refresh"],
    ] as const)
      expect(
        (await app.call(method, `/v2/search/data/${ids[0]}${path}`, method === "PATCH" ? { key, body: {} } : { key }))
          .status,
      ).toBe(404);
  });

  it("name the field that is wrong", async () => {
    const wrong: [string, object, number, string][] = [
      ["sites", {}, 400, "url"],
      ["sites", { url: site.url, limit: 10_001 }, 400, "limit"],
      ["sites", { url: site.url, includePaths: ["("] }, 400, "includePaths"],
      ["sites", { url: site.url, refresh: "hourly" }, 400, "refresh"],
      ["sites", { url: "http://me:secret@127.0.0.1/" }, 400, "url"],
      ["sites", { url: "http://10.0.0.1/" }, 403, "url"],
      ["pages", { urls: [] }, 400, "urls"],
      ["pages", { urls: Array(1001).fill(site.url) }, 400, "urls"],
      ["pages", { urls: [site.url, "http://10.0.0.1/"] }, 403, "urls"],
      ["documents", { documents: [{ name: "a" }] }, 400, "documents"],
    ];
    for (const [kind, sent, code, field] of wrong) {
      const { status, body } = await app.call("POST", `/v2/search/data/${kind}`, { body: sent });
      expect([sent, status, body.details?.[0].path[0]]).toEqual([sent, code, field]);
    }
  });
});
