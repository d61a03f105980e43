// The output changeTracking, over plain HTTP: the real app, a site that changes, both store engines.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dayMs } from "../../src/base/index.ts";
import { type CallOptions, createTestClock, otherKey, startApp, type TestApp } from "../support/app.ts";
import { bystanders } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { runJob } from "../support/jobs.ts";

describe.each(bystanders)("changes of a page on $name", (engine) => {
  const clock = createTestClock("2026-11-15T12:00:00Z");
  let site: FixtureSite;
  let app: TestApp;
  let status = 200;
  let paragraphs: string[] = [];
  let path = "";
  let visits = 0;

  beforeAll(async () => {
    site = await startSite(() => (_request, response) => {
      const text = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join("");
      response.writeHead(status, { "content-type": "text/html" }).end(`<main><h1>Prices</h1>${text}</main>`);
    });
    app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1" }, clock);
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
  });
  beforeEach(() => {
    visits += 1;
    path = `/page-${visits}`;
    status = 200;
    paragraphs = ["Nets cost ten.", "Knots cost one.", "Rope costs five."];
    clock.advance(1000);
  });

  const scrape = (tracking: object = {}, options: object = {}, call: CallOptions = {}) =>
    app.call("POST", "/v2/scrape", {
      body: { url: site.url + path, formats: ["markdown", { type: "changeTracking", ...tracking }], ...options },
      ...call,
    });
  const track = async (...args: Parameters<typeof scrape>) => {
    const { status: code, body } = await scrape(...args);
    expect([code, body.error]).toEqual([200, undefined]);
    clock.advance(1000);
    return body.data.changeTracking;
  };

  it("is new, then the same, then changed, each against the scrape before it", async () => {
    const first = clock.now();
    const at = (seconds: number) => new Date(first + seconds * 1000).toISOString();
    const visible = { visibility: "visible" };
    expect(await track()).toEqual({ previousScrapeAt: null, changeStatus: "new", ...visible });
    expect(await track()).toEqual({ previousScrapeAt: at(0), changeStatus: "same", ...visible });
    paragraphs[1] = "Knots cost two.";
    expect(await track()).toEqual({ previousScrapeAt: at(1), changeStatus: "changed", ...visible });
    expect(await track()).toEqual({ previousScrapeAt: at(2), changeStatus: "same", ...visible });
  });

  it("shows what changed as a diff, in text and as data", async () => {
    const modes = ["git-diff"];
    expect(await track({ modes })).not.toHaveProperty("diff");
    paragraphs[1] = "Knots cost two.";
    const { diff } = await track({ modes });
    expect(diff.text).toContain("-Knots cost one.\n+Knots cost two.");
    expect(diff.json.files).toHaveLength(1);
    expect(diff.json.files[0]).toMatchObject({ additions: 1, deletions: 1 });
    const changes = diff.json.files[0].chunks.flatMap((chunk: { changes: object[] }) => chunk.changes);
    expect(changes).toContainEqual({ type: "add", add: true, ln: 5, content: "+Knots cost two." });
    expect(changes).toContainEqual({ type: "del", del: true, ln: 5, content: "-Knots cost one." });
    expect(await track({ modes })).not.toHaveProperty("diff");
  });

  it("shows which data changed, found without a model, for the price of json", async () => {
    const schema = { type: "object", properties: { nets: { type: "string" }, rope: { type: "string" } } };
    const data = (nets: string) => [
      `<table><tr><th>Nets</th><td>${nets}</td></tr><tr><th>Rope</th><td>five</td></tr></table>`,
    ];
    paragraphs = data("ten");
    expect((await track({ modes: ["json"], schema })).json).toEqual({});
    expect((await track({ modes: ["json"], schema })).json).toEqual({});
    paragraphs = data("eleven");
    const { body } = await scrape({ modes: ["json", "git-diff"], schema });
    expect(body.data.changeTracking).toMatchObject({
      changeStatus: "changed",
      diff: { text: expect.stringContaining("eleven") },
      json: { nets: { previous: "ten", current: "eleven" } },
    });
    expect(body.data.metadata.creditsUsed).toBe(5);
    clock.advance(1000);
    expect(body.warning).toBeUndefined();
    // Another schema is another question: an empty answer says that nothing was compared.
    const other = { type: "object", properties: { nets: { type: "string" } } };
    const asked = await scrape({ modes: ["json"], schema: other });
    expect(asked.body.data.changeTracking.json).toEqual({});
    expect(asked.body.warning).toContain("no earlier fields of this schema");
  });

  it.each([
    ["no schema", {}, []],
    ["another schema than json", { schema: { type: "object" } }, [{ type: "json", schema: { type: "array" } }]],
    ["a schema that is none", { schema: { type: "nothing" } }, []],
  ])("in the mode json with %s is 400 and names the field", async (_what, tracking, more) => {
    const formats = ["markdown", { type: "changeTracking", modes: ["json"], ...tracking }, ...more];
    const { status: code, body } = await app.call("POST", "/v2/scrape", { body: { url: site.url + path, formats } });
    expect([code, body.details[0].path.slice(0, 3)]).toEqual([400, ["formats", 1, "schema"]]);
  });

  it("has a history for each tag, and none shared by teams", async () => {
    await track();
    await track({ tag: "daily" });
    paragraphs = ["Nets cost eleven."];
    expect(await track({ tag: "daily" })).toMatchObject({ changeStatus: "changed" });
    expect(await track({ tag: "hourly" })).toMatchObject({ changeStatus: "new" });
    expect(await track({ tag: "hourly" })).toMatchObject({ changeStatus: "same" });
    expect(await track()).toMatchObject({ changeStatus: "changed" });
    expect(await track({}, {}, { key: otherKey })).toMatchObject({ changeStatus: "new" });
  });

  it("is removed when the page is gone, and compared with what it last said when it is back", async () => {
    await track();
    status = 404;
    expect(await track()).toMatchObject({ changeStatus: "removed", previousScrapeAt: expect.any(String) });
    status = 200;
    expect(await track()).toMatchObject({ changeStatus: "same" });
  });

  it("is not tracked while the page's server is in trouble", async () => {
    await track();
    status = 500;
    const { body } = await scrape();
    expect(body.data.changeTracking).toBeUndefined();
    expect(body.warning).toContain("answered 500: its changes were not tracked");
    status = 200;
    expect(await track()).toMatchObject({ changeStatus: "same" });
  });

  it("is asked of the page itself: no stored copy is used or made", async () => {
    const { body } = await app.call("POST", "/v2/scrape", { body: { url: site.url + path } });
    expect(body.data.metadata.cacheState).toBe("miss");
    site.asked.length = 0;
    await track();
    await track();
    expect(site.asked).toEqual([path, path]);
  });

  it("works for every page of a crawl and a batch, and in v1's words", async () => {
    const options = { formats: ["markdown", { type: "changeTracking", modes: ["git-diff"] }] };
    const batch = () => runJob(app, "/v2/batch/scrape", { urls: [site.url + path], ...options });
    expect((await batch()).data[0].changeTracking).toMatchObject({ changeStatus: "new" });
    paragraphs = ["Nets are gone."];
    const crawl = await runJob(app, "/v2/crawl", { url: site.url + path, limit: 1, scrapeOptions: options });
    expect(crawl.data[0].changeTracking).toMatchObject({ changeStatus: "changed", diff: { text: expect.any(String) } });
    const { body } = await app.call("POST", "/v1/scrape", {
      body: {
        url: site.url + path,
        formats: ["markdown", "changeTracking"],
        changeTrackingOptions: { modes: ["git-diff"] },
      },
    });
    expect(body.data.changeTracking).toMatchObject({ changeStatus: "same" });
  });

  it("keeps nothing with zero data retention", async () => {
    expect(await track({}, { zeroDataRetention: true })).toMatchObject({ changeStatus: "new" });
    expect(await track({}, { zeroDataRetention: true })).toMatchObject({ changeStatus: "new" });
  });

  it("is forgotten after 90 days without a request", async () => {
    await track();
    clock.advance(89 * dayMs);
    await app.store.retention.purge({ now: clock.now(), limit: 1000 });
    expect(await track()).toMatchObject({ changeStatus: "same" });
    clock.advance(91 * dayMs);
    expect((await app.store.retention.purge({ now: clock.now(), limit: 1000 })).snapshots).toBeGreaterThan(0);
    expect(await track()).toMatchObject({ changeStatus: "new" });
  });

  it("needs the markdown", async () => {
    const bare = await app.call("POST", "/v2/scrape", {
      body: { url: site.url + path, formats: [{ type: "changeTracking" }] },
    });
    expect(bare.status).toBe(400);
  });
});
