// Screenshots through the API: how they look, where they lie, how long, and for whom.
import { text as readText } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hourMs, newId } from "../../src/base/index.ts";
import { type CallOptions, createTestClock, otherKey, startApp, type TestApp } from "../support/app.ts";
import { lacksChromium, quickBrowser } from "../support/browser.ts";
import { anyEngine, bystanders, onOneEngine } from "../support/engines.ts";
import type { FixtureSite } from "../support/fixture-site.ts";
import { runJob } from "../support/jobs.ts";
import { pictureOf, startRenderedSite } from "../support/rendered-site.ts";

describe.skipIf(lacksChromium).each(bystanders)("screenshots on $name", (engine) => {
  const { itOnce } = onOneEngine(engine);
  const clock = createTestClock("2026-11-15T12:00:00Z");
  let site: FixtureSite;
  let app: TestApp;
  let visit = 0;
  /** Bodies that were posted to the site. */
  const posted: string[] = [];
  beforeAll(async () => {
    site = await startRenderedSite({
      "/hook": async (request, response) => {
        posted.push(await readText(request));
        response.end();
      },
      "/searxng/search": (_request, response) => {
        const results = [{ url: `${site.url}/tall?found`, title: "Tall", content: "A page" }];
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ results }));
      },
    });
    const SEARXNG_ENDPOINT = `${site.url}/searxng`;
    const env = { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", ...quickBrowser, SEARXNG_ENDPOINT };
    app = await startApp(engine, env, clock);
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
  });
  beforeEach(() => {
    site.asked.length = 0;
    visit += 1;
    clock.advance(1000);
  });

  const shoot = async (format: unknown, options: object = {}, call: CallOptions = {}) => {
    const { status, body } = await app.call("POST", "/v2/scrape", {
      body: { url: `${site.url}/tall?${visit}`, formats: [format], ...options },
      ...call,
    });
    expect([status, body.error]).toEqual([200, undefined]);
    return body.data;
  };
  const look = async (url: string) => pictureOf(Buffer.from(await (await fetch(url)).arrayBuffer()));
  const purge = () => app.store.retention.purge({ now: clock.now(), limit: 1000 });

  itOnce("have unguessable URLs, which need no key and are no page of ours", async () => {
    const { screenshot } = await shoot("screenshot");
    expect(screenshot).toMatch(new RegExp(`^${app.url}/media/[\\w-]{43}\\.png$`));
    const answer = await fetch(screenshot);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("default-src 'none'"),
    });
    const name = screenshot.slice(`${app.url}/media/`.length);
    const token = name.slice(0, 43);
    const changed = (token.startsWith("A") ? "B" : "A") + token.slice(1);
    for (const other of [`${changed}.png`, `${token}`, `${token}.pdf.png`, `${token}.html`, "..%2f", "%00.png"]) {
      const { status, body } = await app.get(`/media/${other}`, { key: null });
      expect([other, status, body.success]).toEqual([other, 404, false]);
    }
  });

  it("do not let other stored things be read by their ids", async () => {
    const { metadata } = await shoot("screenshot");
    for (const id of [metadata.scrapeId, `${metadata.scrapeId}.png`]) {
      expect((await app.get(`/media/${id}`, { key: null })).status).toBe(404);
    }
  });

  it("are there for 24 hours", async () => {
    const { screenshot } = await shoot("screenshot");
    clock.advance(24 * hourMs - 1);
    await purge();
    expect((await fetch(screenshot)).status).toBe(200);
    clock.advance(1);
    expect((await fetch(screenshot)).status).toBe(404);
    await purge();
    expect((await fetch(screenshot)).status).toBe(404);
  });

  it("of a stored copy are the same and live 24 hours longer; gone, they are taken again", async () => {
    const { screenshot } = await shoot("screenshot");
    clock.advance(20 * hourMs);
    const hit = await shoot("screenshot");
    expect([hit.screenshot, hit.metadata.cacheState]).toEqual([screenshot, "hit"]);
    clock.advance(20 * hourMs);
    await purge();
    expect((await fetch(screenshot)).status).toBe(200);
    clock.advance(5 * hourMs);
    const anew = await shoot("screenshot");
    expect(anew.metadata.cacheState).toBe("miss");
    expect((await fetch(anew.screenshot)).status).toBe(200);
    expect(site.asked.filter((path) => path.startsWith("/tall"))).toHaveLength(2);
  });

  it("differ by what is asked for: a copy without a picture, or with another one, will not do", async () => {
    const state = async (format: unknown) => (await shoot(format)).metadata.cacheState;
    expect(await state("markdown")).toBe("miss");
    expect(await state("screenshot")).toBe("miss");
    expect(await state({ type: "screenshot", fullPage: true })).toBe("miss");
    expect(await state({ type: "screenshot" })).toBe("hit");
    // Too particular to come again.
    const particular = { type: "screenshot", quality: 40 };
    expect([await state(particular), await state(particular)]).toEqual(["miss", "miss"]);
  });

  it("are the team's own: another team's request takes its own", async () => {
    const { screenshot } = await shoot("screenshot");
    const other = await shoot("screenshot", {}, { key: otherKey });
    expect(other.metadata.cacheState).toBe("miss");
    expect(other.screenshot).not.toBe(screenshot);
  });

  it("are inside the answer, and nowhere else, with zero data retention", async () => {
    const { rows } = await countBlobs(app);
    const actions = [{ type: "screenshot" }, { type: "pdf" }];
    const data = await shoot("screenshot", { zeroDataRetention: true, actions });
    const inside = [data.screenshot, data.actions.screenshots[0], data.actions.pdfs[0]];
    const kinds = inside.map((uri: string) => {
      const [, type, base64] = /^data:([\w/]+);base64,(.*)$/s.exec(uri) ?? [];
      return [type, pictureOf(Buffer.from(base64 ?? "", "base64")).kind];
    });
    expect(kinds).toEqual([
      ["image/png", "png"],
      ["image/png", "png"],
      ["application/pdf", "%PDF"],
    ]);
    expect((await countBlobs(app)).rows).toBe(rows);
  });

  itOnce("of a search's results are links too, also when the search is read again", async () => {
    const { body } = await app.call("POST", "/v2/search", {
      body: { query: "tall", limit: 1, scrapeOptions: { formats: ["screenshot"] } },
    });
    const [found] = body.data.web;
    expect((await look(found.screenshot)).kind).toBe("png");
    const again = await app.get(`/v2/search/${body.id}`);
    expect(again.body.data.web[0].screenshot).toBe(found.screenshot);
  });

  it("are told to webhooks as links; with zero data retention a job's documents hold them", async () => {
    posted.length = 0;
    const urls = [`${site.url}/tall?${newId()}`];
    const webhook = { url: `${site.url}/hook`, events: ["page"] };
    const batch = await runJob(app, "/v2/batch/scrape", { urls, formats: ["screenshot"], webhook });
    await expect.poll(() => posted.length).toBe(1);
    expect(JSON.parse(posted[0] ?? "").data[0].screenshot).toBe(batch.data[0].screenshot);
    expect((await look(batch.data[0].screenshot)).kind).toBe("png");
    const secret = await runJob(app, "/v2/batch/scrape", { urls, formats: ["screenshot"], zeroDataRetention: true });
    expect(secret.data[0].screenshot).toMatch(/^data:image\/png;base64,/);
  });

  // What follows is about the browser and its answers, not about what is stored.
  if (engine !== anyEngine) return;

  itOnce("are of the window, of the whole page, of a window of one's own, or of less quality", async () => {
    const plain = await look((await shoot("screenshot")).screenshot);
    expect(plain).toMatchObject({ kind: "png", width: expect.any(Number) });
    expect(plain.height).toBeLessThan(2000);
    const whole = await look((await shoot({ type: "screenshot", fullPage: true })).screenshot);
    expect(whole).toEqual({ kind: "png", width: plain.width, height: 4000 });
    const small = { type: "screenshot", viewport: { width: 321, height: 123 } };
    expect(await look((await shoot(small)).screenshot)).toEqual({ kind: "png", width: 321, height: 123 });
    expect((await look((await shoot({ type: "screenshot", quality: 40 })).screenshot)).kind).toBe("jpg");
  });

  itOnce("begin with the URL by which the server was reached, whoever reads them", async () => {
    const { metadata, screenshot } = await shoot("screenshot");
    const path = screenshot.slice(app.url.length);
    const again = await app.get(`/v2/scrape/${metadata.scrapeId}`, { headers: { host: "trawl.test" } });
    expect([app.url, "http://trawl.test"].map((host) => host + path)).toContain(again.body.data.screenshot);
    const v1 = await app.get(`/v1/scrape/${metadata.scrapeId}`);
    expect(v1.body.data.screenshot).toBe(screenshot);
  });

  itOnce("of a batch and under v1 are the same thing", async () => {
    const batch = await runJob(app, "/v2/batch/scrape", {
      urls: [`${site.url}/tall?batch`],
      formats: [{ type: "screenshot", fullPage: true }],
    });
    expect(await look(batch.data[0].screenshot)).toMatchObject({ height: 4000 });
    const { body } = await app.call("POST", "/v1/scrape", {
      body: { url: `${site.url}/tall?v1`, formats: ["markdown", "screenshot@fullPage"] },
    });
    expect(body.data.markdown).toContain("# Tall");
    expect(await look(body.data.screenshot)).toMatchObject({ height: 4000 });
    const plain = await app.call("POST", "/v1/scrape", {
      body: { url: `${site.url}/tall?v1`, formats: ["screenshot"] },
    });
    expect((await look(plain.body.data.screenshot)).height).toBeLessThan(2000);
  });

  itOnce("cannot be asked for twice in one request", async () => {
    const body = { url: `${site.url}/tall`, formats: ["screenshot", { type: "screenshot", fullPage: true }] };
    expect((await app.call("POST", "/v2/scrape", { body })).status).toBe(400);
  });
});

/** Everything that is stored, seen from outside: what a purge in the far future would delete. */
async function countBlobs({ store }: TestApp): Promise<{ rows: number }> {
  const counted = await store
    .transaction(async (statements) => {
      const { blobs } = await statements.retention.purge({ now: Number.MAX_SAFE_INTEGER, limit: 100_000 });
      throw Object.assign(new Error("undo"), { blobs });
    })
    .catch((error: Error & { blobs?: number }) => error.blobs);
  if (counted === undefined) throw new Error("the purge did not run");
  return { rows: counted };
}
