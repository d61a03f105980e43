// What the dashboard's sections ask of the server besides the API, over HTTP.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { bystanders, engines } from "../support/engines.ts";
import { openSite, runJob } from "../support/jobs.ts";
import { useApp, withoutBrowser } from "../support/shared-app.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

const api = "/dashboard/api";

/** Somebody who is signed in to the team, as options of calls. */
async function visitor(app: TestApp, body?: object) {
  const { id } = await app.accounts.teams.findOrCreate(app.team);
  const link = (await app.accounts.people.createSignInLink(id)).secret;
  const answer = await app.call("POST", `${api}/sign-in`, { key: null, body: body ?? { link } });
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  const { csrf } = (await app.get(`${api}/session`, { key: null, headers: { cookie } })).body;
  return { key: null, headers: { cookie, "x-trawl-csrf": csrf } };
}

const article = (title: string, text: string) =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${text}</p></main>`;

describe.each(bystanders)("the search index on $name", (engine) => {
  it("is asked alone, and says for each page where which words are and what they count", async () => {
    const site = await openSite({
      "/harbour": article("Harbour lights", "The harbour has lights for ships that come at night."),
      "/town": article("The town", "A town with a harbour and nothing else of note in this long text."),
      "/hills": article("Hills", "Nothing but grass and stones far from the sea."),
    });
    const app = await useApp(engine, withoutBrowser);
    for (const path of ["/harbour", "/town", "/hills"]) {
      expect((await app.call("POST", "/v2/scrape", { body: { url: site.url + path } })).status).toBe(200);
    }
    await app.index.flush();
    const person = await visitor(app);
    const asked = site.asked.length;
    const ask = (query: string) => app.get(`${api}/index/search?${new URLSearchParams({ query })}`, person);
    const { pages } = (await ask("harbour lights")).body;
    expect(pages.map(({ url }: { url: string }) => url)).toEqual([`${site.url}/harbour`, `${site.url}/town`]);
    const [best, next] = pages;
    expect(best.reason).toMatchObject({ total: 1, hasAllWords: true, linkHosts: 0, authority: 1 });
    expect(best.reason.closeness).toBeGreaterThan(0);
    const words = Object.fromEntries(best.reason.words.map((each: { word: string }) => [each.word, each]));
    expect(words).toMatchObject({
      harbour: { fields: { title: 1, headings: 1, url: 1, text: expect.any(Number) } },
      light: { fields: { title: 1, headings: 1, text: expect.any(Number) } },
    });
    expect(next.reason.total).toBeLessThan(1);
    expect(next.reason.hasAllWords).toBe(false);
    expect(next.reason.words.find(({ word }: { word: string }) => word === "light")).toMatchObject({
      score: 0,
      fields: {},
    });
    expect((await ask("harbour intitle:town")).body.pages).toHaveLength(1);
    expect((await ask("harbour -ships")).body.pages).toHaveLength(1);
    expect((await ask("")).body.details[0].path).toEqual(["query"]);
    expect(site.asked).toHaveLength(asked);
    await app.stop();
  });
});

describe.each(bystanders)("what the dashboard reads on $name", (engine) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await useApp(engine, withoutBrowser);
  });
  afterAll(() => app.stop());

  it("tells owners how each part of the server is set up, and members whether it works", async () => {
    const owner = await visitor(app);
    const made = await app.call("POST", `${api}/invitations`, { ...owner, body: { role: "member" } });
    const member = await visitor(app, { link: made.body.url.split("#")[1], name: "Mia" });
    const storeOf = async (person: object) => (await app.get(`${api}/health?quick=true`, person)).body.findings[0];
    expect((await storeOf(owner)).message).toContain("can be read and written");
    expect(await storeOf(member)).toEqual({ subject: "Store", state: "ok", message: "Works." });
    expect((await app.get(`${api}/settings`, member)).status).toBe(403);
  });

  it("counts requests over MCP like those over HTTP", async () => {
    const person = await visitor(app);
    const countsOf = async () => (await app.get(`${api}/overview?range=24h`, person)).body;
    const before = await countsOf();
    const call = (name: string, args: object) =>
      app.call("POST", "/mcp", {
        headers: { accept: "application/json, text/event-stream" },
        body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
      });
    expect((await call("map", { url: "http://10.0.0.1/" })).status).toBe(200);
    await call("credit_usage", {});
    const after = await countsOf();
    expect(after.total.requests - before.total.requests).toBe(1);
    expect(after.total.failed - before.total.failed).toBe(1);
    expect(after.causes).toContainEqual({ name: "URL_NOT_ALLOWED", requests: 1 });
    expect(after.endpoints.map(({ name }: { name: string }) => name)).toContain("map");
  });

  it("keeps each request as it was sent, without secrets, and says why it failed and what to do", async () => {
    const cut = (_request: unknown, response: { destroy(): void }) => response.destroy();
    const site = await openSite({ "/": article("One", "The only page."), "/hush": cut });
    const person = await visitor(app);
    const listed = async (query = "") => (await app.get(`/v2/team/activity?limit=1${query}`)).body.data[0];
    const body = { url: `${site.url}/`, headers: { "x-token": "hush" }, formats: ["links"] };
    await app.call("POST", "/v2/scrape", { body });
    const one = await listed();
    expect(one).toMatchObject({ status: "succeeded", cacheState: "miss", creditsUsed: 1, apiKey: expect.any(String) });
    const { sent, ...read } = (await app.get(`${api}/requests/${one.id}?endpoint=scrape`, person)).body;
    expect(sent).toEqual({
      method: "POST",
      path: "/v2/scrape",
      body: { ...body, headers: { "x-token": "***" } },
      isWhole: false,
      form: "scrape",
    });
    expect(read).toMatchObject({ status: "succeeded", error: null, key: one.apiKey, durationMs: one.durationMs });

    const failed = await app.call("POST", "/v2/map", { body: { url: `${site.url}/`, timeout: 1 } });
    expect(failed.body.code).toBe("MAP_TIMEOUT");
    const { error, sent: asked } = (await app.get(`${api}/requests/${(await listed()).id}`, person)).body;
    expect(error).toMatchObject({ code: "MAP_TIMEOUT", message: failed.body.error });
    const help = (await app.get(`${api}/errors/${error.code}`, person)).body;
    expect(help).toMatchObject({ happened: expect.stringMatching(/\.$/), charge: "Nothing is charged." });
    expect(help.causes.length).toBeGreaterThan(0);
    expect((await app.get(`${api}/errors/NONE`, person)).status).toBe(404);
    expect(asked).toMatchObject({ path: "/v2/map", body: { timeout: 1 }, isWhole: true });

    const hidden = { url: `${site.url}/hush`, zeroDataRetention: true };
    await app.call("POST", "/v2/scrape", { body: hidden });
    const nothing = await listed("&status=failed");
    expect(nothing).toMatchObject({ target: "", error: { code: expect.any(String) } });
    expect((await app.get(`${api}/requests/${nothing.id}`, person)).text).not.toContain("hush");
  });

  it("shows a job's request without secrets, and its own webhook deliveries", async () => {
    const site = await openSite({ "/": article("One", "The only page.") });
    const receiver = await startReceiver();
    const options = {
      url: site.url,
      limit: 1,
      webhook: { url: receiver.url, headers: { authorization: "hush" } },
      scrapeOptions: { headers: { "x-token": "hush" } },
    };
    const [first, second] = [await runJob(app, "/v2/crawl", options), await runJob(app, "/v2/crawl", options)];
    const person = await visitor(app);
    const request = await app.get(`${api}/requests/${first.id}`, person);
    expect(request.body).toMatchObject({
      endpoint: "crawl",
      target: `${site.url}/`,
      apiVersion: "v2",
      key: expect.any(String),
    });
    expect(request.body.options.scrapeOptions).toMatchObject({ headers: { "x-token": "***" } });
    expect(request.text).not.toContain("hush");
    const strange = await app.get(`${api}/requests/00000000-0000-7000-8000-000000000000`, person);
    expect([strange.status, strange.body.code]).toEqual([404, "JOB_NOT_FOUND"]);

    const listOf = async (query: string) => (await app.get(`/v2/team/webhooks?limit=100${query}`)).body.deliveries;
    await expect
      .poll(async () => (await listOf("")).map(({ status }: { status: string }) => status))
      .not.toContain("pending");
    const all = await listOf("");
    const own = await listOf(`&jobId=${first.id}`);
    expect(own.length).toBeGreaterThan(1);
    expect(own.length + (await listOf(`&jobId=${second.id}`)).length).toBe(all.length);
    expect(await listOf("&jobId=none")).toEqual([]);
  });
});

describe("the dashboard in open mode", () => {
  it("is there for the server's own machine only", async () => {
    const [engine] = engines;
    if (!engine) throw new Error("no engine");
    const app = await startApp(engine, { TRAWL_AUTH: "none", TRUST_PROXY: "1" });
    const from = (ip: string) => ({ key: null, headers: { "x-forwarded-for": ip } });
    for (const path of ["/dashboard", `${api}/session`, `${api}/keys`]) {
      expect([path, (await app.get(path, from("127.0.0.1"))).status]).toEqual([path, 200]);
      const refused = await app.get(path, from("203.0.113.7"));
      expect([path, refused.status, refused.body.code]).toEqual([path, 403, "FORBIDDEN"]);
    }
    await app.stop();
  });
});
