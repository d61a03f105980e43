// Feeds of list pages: made without a model, read by their secret URLs, refreshed on time.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createTestClock, startApp, type TestApp } from "../support/app.ts";
import { engines, onOneEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { withNewTeams } from "../support/shared-app.ts";

const hourMs = 3_600_000;
const news = (...names: string[]) =>
  `<title>Harbour news</title><main><h1>News</h1><ul>${names
    .map((name) => `<li class="entry"><a href="/${name}">What is new about ${name} & co</a> <p>On ${name}.</p></li>`)
    .join("")}</ul></main>`;

describe.each(engines)("feeds of list pages on $name", (engine) => {
  const { itOnce } = onOneEngine(engine);
  const clock = createTestClock("2026-11-15T12:00:00Z");
  const pages: Record<string, string | undefined> = {};
  let shared: TestApp;
  let app: TestApp;
  let site: FixtureSite;
  beforeAll(async () => {
    site = await startSite((path) => pages[path]);
    const settings = { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", CHROMIUM_PATH: "/nowhere/chromium" };
    shared = await startApp(engine, settings, clock);
  });
  afterAll(async () => {
    await shared.stop();
    await site.close();
  });
  beforeEach(async () => {
    app = await withNewTeams(shared);
    for (const path of Object.keys(pages)) delete pages[path];
    pages["/news"] = news("cod", "eel", "ray");
  });

  const create = (body: object = {}) => app.call("POST", "/v2/feed", { body: { url: `${site.url}/news`, ...body } });
  const readJson = async (feedUrl: string) => (await fetch(feedUrl.replace(/atom$/, "json"))).json();
  const refreshed = async (id: string) => {
    const before = (await app.get(`/v2/feed/${id}`)).body.feed;
    clock.advance(Date.parse(before.nextRunAt) - clock.now());
    const isDone = async () => {
      clock.advance(200);
      return (await app.get(`/v2/feed/${id}`)).body.feed.lastRunAt > before.lastRunAt;
    };
    await expect.poll(isDone).toBe(true);
    return (await app.get(`/v2/feed/${id}`)).body.feed;
  };

  it("are made in one request, shown, listed and deleted, and other teams see nothing of them", async () => {
    const { status, body } = await create({ name: "Fish", schedule: { text: "daily at 9am" } });
    expect([status, body.success]).toEqual([200, true]);
    const { feed } = body;
    expect(feed).toMatchObject({
      name: "Fish",
      url: `${site.url}/news`,
      itemCount: 3,
      status: "active",
      error: null,
      schedule: { cron: "0 9 * * *", timezone: "UTC" },
      nextRunAt: "2026-11-16T09:00:00.000Z",
    });
    expect(feed.feedUrl).toMatch(/\/feeds\/[\w-]{32}\.atom$/);
    clock.advance(1);
    const second = (await create()).body.feed;
    expect(second.name).toBe("Harbour news");
    const first = (await app.get("/v2/feed?limit=1")).body;
    expect([first.data, first.has_more]).toEqual([[second], true]);
    const rest = (await app.get(`/v2/feed?limit=1&cursor=${first.cursor}`)).body;
    expect([rest.data, rest.cursor, rest.has_more]).toEqual([[feed], null, false]);

    const path = `/v2/feed/${feed.id}`;
    for (const method of ["GET", "DELETE"]) {
      const other = await app.call(method, path, { key: app.otherKey });
      expect([other.status, other.body.code]).toEqual([404, "FEED_NOT_FOUND"]);
    }
    expect((await app.get("/v2/feed", { key: app.otherKey })).body.data).toEqual([]);
    expect((await app.call("DELETE", path)).body).toEqual({ success: true });
    expect((await app.get(path)).status).toBe(404);
    expect((await fetch(feed.feedUrl)).status).toBe(404);
    // The token is the key: it is nowhere in the store as it is.
    const token = second.feedUrl.split("/").at(-1).replace(".atom", "");
    expect((await app.fresh.listRows()).filter((row) => row.includes(token))).toEqual([]);
  });

  itOnce("are read as Atom or JSON Feed without a key, and a reader that knows them gets 304", async () => {
    const { feed } = (await create()).body;
    const atom = await fetch(feed.feedUrl);
    expect([atom.status, atom.headers.get("content-type")]).toEqual([200, "application/atom+xml; charset=utf-8"]);
    const xml = await atom.text();
    expect(xml.match(/<entry>/g)).toHaveLength(3);
    expect(xml).toContain("<title>What is new about cod &amp; co</title>");
    expect(xml).toContain(`<link href="${site.url}/cod"/>`);
    const json = await fetch(feed.feedUrl.replace(/\.atom$/, ".json"));
    expect(json.headers.get("content-type")).toBe("application/feed+json; charset=utf-8");
    expect(await json.json()).toMatchObject({
      version: "https://jsonfeed.org/version/1.1",
      home_page_url: `${site.url}/news`,
      items: [{ url: `${site.url}/cod`, content_text: "On cod." }, {}, {}],
    });
    const bare = feed.feedUrl.replace(/\.atom$/, "");
    const chosen = await fetch(bare, { headers: { accept: "application/feed+json" } });
    expect(chosen.headers.get("content-type")).toMatch(/^application\/feed\+json/);
    const again = [
      { "if-none-match": `W/${atom.headers.get("etag")}` },
      { "if-modified-since": atom.headers.get("last-modified") ?? "" },
    ];
    for (const headers of again) {
      const known = await fetch(feed.feedUrl, { headers });
      expect([known.status, await known.text()]).toEqual([304, ""]);
    }
    expect((await fetch(feed.feedUrl, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
    expect((await fetch(feed.feedUrl.replace(/.\.atom$/, "!.atom"))).status).toBe(404);
  });

  it("are refreshed on time: new items join, known ones keep their ids, and each refresh costs a scrape", async () => {
    const { feed } = (await create()).body;
    const used = async () => (await app.get("/v2/team/activity")).body.data.length;
    expect(await used()).toBe(1);
    const before = await readJson(feed.feedUrl);
    pages["/news"] = news("squid", "cod", "eel");
    clock.advance(hourMs);
    expect(await refreshed(feed.id)).toMatchObject({ itemCount: 4, status: "active", error: null });
    const after = await readJson(feed.feedUrl);
    expect(after.items.map(({ url }: { url: string }) => url.split("/").at(-1))).toEqual([
      "squid",
      "cod",
      "eel",
      "ray",
    ]);
    expect(after.items.slice(1).map(({ id }: { id: string }) => id)).toEqual(
      before.items.map(({ id }: { id: string }) => id),
    );
    expect(await used()).toBe(2);
    const ledger = (await app.fresh.listRows()).filter((row) => row.startsWith("credit_ledger"));
    const own = (await app.get("/v2/team/activity")).body.data.map(({ id }: { id: string }) => id);
    expect(own.map((id: string) => ledger.filter((row) => row.includes(id)).length)).toEqual([1, 1]);
  });

  itOnce("keep their items when a refresh fails, say why, and recover", async () => {
    const { feed } = (await create()).body;
    pages["/news"] = "<title>Closed</title><p>We are closed.</p>";
    const failed = await refreshed(feed.id);
    expect(failed).toMatchObject({ itemCount: 3, status: "failing" });
    expect(failed.error).toBe(
      "No items were found. Looked for: three or more parts of one look, each with a link and a text.",
    );
    expect(failed.lastSuccessAt).toBe(feed.lastSuccessAt);
    expect((await readJson(feed.feedUrl)).items).toHaveLength(3);
    pages["/news"] = news("cod", "eel", "ray");
    expect(await refreshed(feed.id)).toMatchObject({ itemCount: 3, status: "active", error: null });
  });

  itOnce("have items by a selector or a schema", async () => {
    pages["/jobs"] = `<title>Jobs</title><main><div class="job"><h2>Cook</h2><a href="/cook">Apply</a></div>
      <div class="job"><h2>Mate</h2><a href="/mate">Apply</a></div></main>`;
    const url = `${site.url}/jobs`;
    const selected = (await create({ url, item: ".job" })).body.feed;
    expect([selected.item, selected.itemCount]).toEqual([".job", 2]);
    const { items } = await readJson(selected.feedUrl);
    expect(items).toMatchObject([
      { title: "Cook", url: `${site.url}/cook` },
      { title: "Mate", url: `${site.url}/mate` },
    ]);
    const schema = { type: "object", properties: { title: { type: "string" }, url: { type: "string" } } };
    const shaped = (await create({ item: schema })).body.feed;
    expect([shaped.item, shaped.itemCount]).toEqual([schema, 3]);
    expect((await readJson(shaped.feedUrl)).items[0]).toMatchObject({ url: `${site.url}/cod` });
  });

  itOnce("say what was looked for where a page has no items, and name a field that is wrong", async () => {
    pages["/text"] = "<title>Text</title><p>A page without a list.</p>";
    const none = await create({ url: `${site.url}/text` });
    expect([none.status, none.body.code]).toEqual([404, "FEED_NO_ITEMS"]);
    expect(none.body.error).toContain("Looked for: three or more parts of one look, each with a link and a text.");
    const unmatched = await create({ item: ".none" });
    expect([unmatched.status, unmatched.body.error]).toEqual([
      404,
      expect.stringContaining("elements that match .none"),
    ]);
    const refused: [object, string][] = [
      [{ item: "div[" }, "item"],
      [{ item: { type: "nothing" } }, "item"],
      [{ schedule: { text: "sometimes" } }, "schedule"],
      [{ schedule: { cron: "* * * * *" } }, "schedule"],
      [{ url: `http://a:b@127.0.0.1:${site.port}/news` }, "url"],
      [{ url: 5 }, "url"],
      [{ name: "" }, "name"],
    ];
    for (const [body, field] of refused) {
      const answer = await create(body);
      expect([answer.status, answer.body.details?.[0]?.path?.[0]]).toEqual([400, field]);
    }
    expect((await create({ url: "http://10.0.0.1/" })).body.code).toBe("URL_NOT_ALLOWED");
    expect((await app.get("/v2/feed")).body.data).toEqual([]);
  });
});
