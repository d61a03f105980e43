// What the answers say of pages that are not the page that was asked for, and that nothing of them is kept.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documentStates } from "../../src/contract/index.ts";
import type { TestApp } from "../support/app.ts";
import { bystanders } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";
import { useApp } from "../support/shared-app.ts";

const html = (title: string, body: string) => `<html><head><title>${title}</title></head><body>${body}</body></html>`;
const good = html(
  "Nets",
  "<main><h1>Nets</h1><p>Nets cost ten and knots cost one, said the herons of the bay.</p></main>",
);

const states: Record<string, [status: number, html: string]> = {
  content: [200, good],
  rate_limited: [429, html("429", "<h1>Too many requests</h1>")],
  geo_blocked: [200, html("Sorry", "<h1>Not available in your country</h1>")],
  login_required: [200, html("Members", "<p>You must be logged in to view this page.</p><input type=password>")],
  consent_wall: [200, html("Age verification", "<p>Are you over 18?</p><button>Yes</button>")],
  paywall: [200, html("Summit", "<h1>Summit</h1><p>It rained.</p><p>Subscribe to continue reading.</p>")],
  parked: [200, html("Parked", "<p>This domain is for sale.</p>")],
  host_error: [200, html("Welcome to nginx!", "<h1>Welcome to nginx!</h1>")],
  not_found: [200, html("Page not found", "<h1>Page not found</h1>")],
  maintenance: [503, html("Shop", "<h1>Down for maintenance</h1>")],
  empty_shell: [200, html("App", '<div id="root"></div><script src="/app.js"></script>')],
};
/** Does not say what is there. */
const pathOf = (state: (typeof documentStates)[number]) => `/p${documentStates.indexOf(state)}`;
const wall = html("Attention Required! | Cloudflare", "<h1>Sorry, you have been blocked</h1><p>secret of the wall</p>");

describe.each(bystanders)("what came back for a page on $name", (engine) => {
  let site: FixtureSite;
  let app: TestApp;
  /** What the site answers at /changing. */
  let changing: [status: number, html: string] = [200, good];

  beforeAll(async () => {
    site = await startSite((path) => (_request, response) => {
      const name = documentStates[Number(path.slice(2))] ?? path.slice(1);
      const [status, body] = name.startsWith("changing")
        ? changing
        : name.startsWith("wall")
          ? [403, wall]
          : (states[name] ?? [404, ""]);
      response.writeHead(status, { "content-type": "text/html" }).end(body);
    });
    app = await useApp(engine);
  });
  afterAll(async () => {
    await app.stop();
    await site.close();
  });

  const scrape = (path: string, options: object = {}) =>
    app.call("POST", "/v2/scrape", { body: { url: site.url + path, fastMode: true, ...options } });

  it.each(documentStates)("%s is told in metadata.pageState, with a warning unless it is the page", async (state) => {
    const { status, body } = await scrape(pathOf(state));
    expect([status, body.data?.metadata.pageState]).toEqual([200, state]);
    expect(body.data.metadata.statusCode).toBe(states[state]?.[0]);
    expect(body.data.metadata.creditsUsed).toBe(1);
    if (state === "content") expect(body.data.warning ?? body.warning).toBeUndefined();
    else expect(body.data.warning ?? body.warning).toMatch(/^[A-Z].{20,}\.$/);
  });

  it("bytes that are wanted as they are have the state of what they are, and those of a block page are not shown", async () => {
    const raw = { formats: ["rawBase64"] };
    const page = await scrape(pathOf("content"), raw);
    expect(Buffer.from(page.body.data.rawBase64, "base64").toString()).toBe(good);
    expect(page.body.data.metadata.pageState).toBe("content");
    const missing = await scrape(pathOf("not_found"), raw);
    expect(missing.body.data.metadata).toMatchObject({ pageState: "not_found", statusCode: 200 });
    expect(missing.body.data.warning).toContain("does not exist");
    const walled = await scrape("/wall", raw);
    expect([walled.status, walled.body.code]).toEqual([500, "SCRAPE_SITE_BLOCKED"]);
    expect(walled.body.details).toMatchObject({ vendor: "cloudflare", kind: "blocked" });
    expect(walled.body.data).toBeUndefined();
  });

  it("a block page is a failure that costs nothing, names its vendor and shows nothing of itself", async () => {
    const credits = async () => (await app.get("/v2/team/credit-usage")).body.data.remainingCredits;
    const before = await credits();
    const { status, body } = await scrape("/wall");
    expect([status, body.code]).toEqual([500, "SCRAPE_SITE_BLOCKED"]);
    expect(body.details).toMatchObject({ vendor: "cloudflare", kind: "blocked" });
    expect(body.details.rungs[0]).toEqual({ engine: "http", proxy: "none", status: 403, verdict: "blocked" });
    expect(body.error).toMatch(/operator/);
    expect(JSON.stringify(body)).not.toContain("secret of the wall");
    expect(await credits()).toBe(before);
  });

  const replacements = ["wall", "not_found", "parked"];
  it.each(replacements)("a good copy stays when the site sends %s in its place", async (name) => {
    const path = `/changing?${name}`;
    changing = [200, good];
    const first = await scrape(path);
    expect(first.body.data.metadata.pageState).toBe("content");
    changing = name === "wall" ? [403, wall] : (states[name] ?? [404, ""]);
    const fresh = await scrape(path, { maxAge: 0 });
    expect(fresh.body.data?.metadata.pageState ?? fresh.body.code).toBe(name === "wall" ? "SCRAPE_SITE_BLOCKED" : name);
    const cached = await scrape(path, { maxAge: 60_000 });
    expect(cached.body.data.markdown).toBe(first.body.data.markdown);
    expect(cached.body.data.metadata).toMatchObject({ cacheState: "hit", pageState: "content" });
  });

  it("no page of another state is cached, known to map or found by search", async () => {
    const others = documentStates.filter((state) => state !== "content");
    for (const state of others) {
      expect((await scrape(pathOf(state), { maxAge: 60_000 })).body.data.metadata.cacheState).toBe("miss");
      expect((await scrape(pathOf(state), { maxAge: 60_000 })).body.data.metadata.cacheState).toBe("miss");
    }
    await scrape(pathOf("content"));
    const url = site.url + pathOf("content");
    const { body: map } = await app.call("POST", "/v2/map", { body: { url, sitemap: "skip" } });
    const listed = map.links.map((link: { url: string }) => new URL(link.url).pathname);
    expect(listed).toContain(pathOf("content"));
    expect(listed.filter((path: string) => others.map(pathOf).includes(path))).toEqual([]);
    const search = async (query: string): Promise<string[]> => {
      const { body } = await app.call("POST", "/v2/search", { body: { query } });
      return (body.data?.web ?? []).map((result: { url: string }) => new URL(result.url).pathname);
    };
    await expect.poll(() => search("herons")).toEqual([pathOf("content")]);
    for (const words of ["maintenance", "nginx", "domain sale", "requests", "country", "subscribe"])
      expect(await search(words)).toEqual([]);
  });

  it("change tracking keeps its snapshot while something else is in the page's place", async () => {
    const tracked = () => scrape("/changing?tracked", { maxAge: 0, formats: ["markdown", "changeTracking"] });
    changing = [200, good];
    expect((await tracked()).body.data.changeTracking.changeStatus).toBe("new");
    changing = states["parked"] ?? [404, ""];
    const parked = await tracked();
    expect(parked.body.data.changeTracking).toBeUndefined();
    expect(parked.body.data.warning).toContain("its changes were not tracked");
    changing = states["not_found"] ?? [404, ""];
    expect((await tracked()).body.data.changeTracking.changeStatus).toBe("removed");
    changing = [200, good];
    expect((await tracked()).body.data.changeTracking.changeStatus).toBe("same");
  });

  it("a file that was sent has a state, too", async () => {
    const form = new FormData();
    form.append("options", JSON.stringify({ formats: ["markdown"] }));
    form.append("file", new Blob(["<h1>Access denied</h1><p>a note of ours</p>"], { type: "text/html" }), "note.html");
    const { status, body } = await app.call("POST", "/v2/parse", { body: form });
    expect([status, body.data.metadata.pageState]).toEqual([200, "content"]);
  });
});
