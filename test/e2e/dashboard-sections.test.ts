// Every section of the dashboard in a real web browser: what it is for works, hostile text stays text, and everybody can use it.

import type { ServerResponse } from "node:http";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { formatNames } from "../../src/contract/index.ts";
import { axeFindings } from "../support/axe.ts";
import { lacksChromium, quickBrowser } from "../support/browser.ts";
import { channelSecrets, startChannelServer } from "../support/channel-server.ts";
import { attack, type Dashboard, openDashboard, patience } from "../support/dashboard.ts";
import { anyEngine } from "../support/engines.ts";
import { openSite, runJob } from "../support/jobs.ts";
import { changingPage } from "../support/monitors.ts";

/** Nothing passes it. */
const captcha = `<!doctype html><title>Just a moment...</title><p>Verify you are human.</p><form id="challenge-form"></form>`;
/** Quotes and slashes do not survive the way of a file's name. */
const fileName = "<img src=x onerror=window.hit=1>";
/** A folder to leave pictures of every section in. */
const pictures = process.env["DASHBOARD_PICTURES"];
const isProof = process.env["TRAWL_PROVE"] === "dashboard";

const sections = {
  overview: "Overview",
  playground: "Playground",
  activity: "Activity",
  crawls: "Crawls",
  monitors: "Monitors",
  sessions: "Browser sessions",
  index: "Search index",
  webhooks: "Webhooks",
  hosts: "Hosts",
  usage: "Usage",
  keys: "API keys",
  team: "Team",
  connect: "Connect",
  settings: "Settings",
};

const product = `<!doctype html><title>Brass lamp</title><main><h1>Brass lamp</h1>
  <p>A lamp of brass for ships and harbours, made by hand.</p><p>Price: <b>$42.50</b></p><p>SKU: BL-1007</p>
  <a href="/one">One</a> <a href="/two">Two</a></main>`;
const many = `<!doctype html><title>Many</title><main><h1>Many links</h1>${Array.from(
  { length: 10_000 },
  (_, place) => `<a href="/link/${place}">Link ${place}</a>`,
).join(" ")}</main>`;
const news = `<!doctype html><title>News of the harbour</title><main><h1>News of the harbour</h1>
  ${["Ferry", "Crane", "Light"].map((name) => `<h2><a href="/${name}">${name} repaired</a></h2>`).join("\n")}</main>`;
const small = (title: string) =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>Text of ${title}.</p></main>`;

describe.skipIf(lacksChromium).each([anyEngine])("sections of the dashboard, on $name", (engine) => {
  let dashboard: Dashboard;
  const watched = changingPage("Open from nine to five.");
  beforeAll(async () => {
    const pages = {
      "/": product,
      "/one": small("&lt;img src=x onerror=window.hit=1&gt;"),
      "/two": small("Two"),
      "/many": many,
      "/watched": watched.handler,
      "/news": news,
      "/captcha": (_request: unknown, response: ServerResponse) =>
        response.writeHead(403, { "content-type": "text/html" }).end(captcha),
      "/hook": (_request: unknown, response: ServerResponse) => response.writeHead(500).end(),
    };
    dashboard = await openDashboard(engine, pages, { ...quickBrowser, WEBHOOK_SECRET: "a secret for webhooks" });
    const { app, site } = dashboard;
    const form = new FormData();
    form.set("file", new Blob([small("File")], { type: "text/html" }), `${fileName}.html`);
    expect((await app.call("POST", "/v2/parse", { body: form })).status).toBe(200);
    const webhook = { url: `${site.url}/hook?${attack}`, events: ["completed"] };
    await runJob(app, "/v2/crawl", { url: site.url, limit: 3, sitemap: "skip", webhook });
    await app.index.flush();
  }, 2 * patience);
  afterAll(() => dashboard.close());

  const open = async (options: Parameters<Dashboard["open"]>[0] = {}): Promise<Page> => {
    const [page] = await dashboard.open(options);
    await dashboard.signIn(page);
    return page;
  };
  const notHit = async (page: Page) => expect(await page.evaluate("window.hit")).toBeUndefined();

  it("is usable after few requests and little code", async () => {
    const page = await open();
    const sizes: Promise<number>[] = [];
    page.on("requestfinished", (request) =>
      sizes.push(request.sizes().then((all) => all.responseHeadersSize + all.responseBodySize)),
    );
    await dashboard.goTo(page, "keys", "API keys");
    await page.getByRole("textbox", { name: "Name" }).waitFor();
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    expect(sizes.length).toBeLessThan(20);
    expect(bytes).toBeLessThan(200_000);
  });

  it("shows the evidence of data in the page's text, the attempts of the trace, and what was run before", async () => {
    const { site } = dashboard;
    const page = await open();
    const schema = { type: "object", properties: { price: { type: "number" }, sku: { type: "string" } } };
    const formats = ["markdown", "links", { type: "json", schema, evidence: true }];
    const body = { url: `${site.url}/`, formats, maxAge: 0 };
    const link = `playground?${new URLSearchParams({ kind: "Scrape", body: JSON.stringify(body) })}`;
    await dashboard.goTo(page, link, "Playground");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("tab", { name: "JSON" }).click();
    await page.getByRole("region", { name: "Evidence in the page's text" }).locator("mark").first().waitFor();
    const marks = await page.locator("mark").allInnerTexts();
    expect(marks.join(" ")).toContain("42.50");
    await page.getByRole("tab", { name: "Trace" }).click();
    await page.getByRole("tabpanel").locator(".attempt").getByText("http").first().waitFor();
    await page.getByRole("tab", { name: "Links" }).click();
    await page
      .getByRole("table", { name: "Links" })
      .getByRole("link", { name: `${site.url}/two` })
      .waitFor();
    await page.getByRole("button", { name: "MCP" }).click();
    await page.getByText('"tools/call"').waitFor();
    await page.getByRole("button", { name: "Map", exact: true }).click();
    await page.getByRole("button", { name: "Open" }).first().click();
    expect(await page.getByRole("textbox", { name: "URL", exact: true }).inputValue()).toBe(`${site.url}/`);
  });

  it("follows requests as they come, filters them by status and key, and runs or edits any of them", async () => {
    const { app, site } = dashboard;
    const page = await open();
    await dashboard.goTo(page, "activity", "Activity");
    await page.getByRole("table", { name: "Requests" }).waitFor();
    const map = page.getByRole("row").filter({ hasText: "map" });
    expect(await map.count()).toBe(0);
    await app.call("POST", "/v1/map", { body: { url: `${site.url}/one` } });
    await map.getByText("ok", { exact: true }).waitFor();
    await map.getByText(/^[\d.,]+ (?:ms|s)$/).waitFor();
    await page.getByRole("combobox", { name: "Key" }).selectOption("env-1");
    await map.waitFor();
    await page.getByRole("combobox", { name: "Status" }).selectOption("failed");
    await map.waitFor({ state: "detached" });
    await page.getByRole("combobox", { name: "Status" }).selectOption("");
    await map.getByRole("link").click();
    await page.getByRole("button", { name: "Edit in playground" }).click();
    const path = page.getByRole("textbox", { name: "Path" });
    expect(await path.inputValue()).toBe("/v1/map");
    expect(await page.getByRole("textbox", { name: "Body" }).inputValue()).toContain(`${site.url}/one`);
    await page.goBack();
    const again = page.waitForResponse((response) => response.url() === `${app.url}/v1/map`);
    await page.getByRole("button", { name: "Run again" }).click();
    expect((await again).status()).toBe(200);
    await page.getByRole("tabpanel").or(page.locator(".code")).getByText('"success": true').waitFor();
  });

  it("shows a failure as a result: what it means, attempts, trace, and the way to a person in a session", async () => {
    const { app, site } = dashboard;
    const url = `${site.url}/captcha`;
    const failed = await app.call("POST", "/v2/scrape", { body: { url, fastMode: true } });
    expect(failed.body.code).toBe("SCRAPE_SITE_BLOCKED");
    const page = await open();
    await dashboard.goTo(page, "activity", "Activity");
    await page.getByRole("link", { name: url }).click();
    const result = page.getByRole("tabpanel");
    await result.getByText(failed.body.error).waitFor();
    for (const part of ["What happened", "Usual causes", "What to do", "Credits"])
      await result.getByText(part, { exact: true }).waitFor();
    await result.getByRole("row").filter({ hasText: "http" }).getByText("challenge").waitFor();
    const more = result.getByRole("link", { name: "SCRAPE_SITE_BLOCKED" });
    const help = await app.get(String(await more.getAttribute("href")).split("#")[0] ?? "", { key: null });
    expect(help.status).toBe(200);
    expect(help.text).toContain("SCRAPE_SITE_BLOCKED");
    await page.getByRole("tab", { name: "Trace" }).click();
    await result.locator(".attempt").getByText("http").first().waitFor();
    expect(await page.getByText("This could not be loaded").count()).toBe(0);
    await page.getByRole("tab", { name: "Result" }).click();
    await page.getByRole("button", { name: "Open in a session" }).click();
    await page.getByRole("heading", { level: 1, name: "Browser sessions" }).waitFor();
    await page.getByText("Pass the test or sign in below").waitFor();
    const frame = page.frameLocator("iframe");
    await expect.poll(() => frame.locator("#where").textContent()).toContain("/captcha");
    await page.getByRole("button", { name: "End" }).click();
    await page.getByRole("button", { name: "Scrape with the profile" }).waitFor();
  });

  it("offers every format of the contract, compares two results, and keeps the last twenty requests", async () => {
    const { site } = dashboard;
    const page = await open();
    await dashboard.goTo(page, "playground", "Playground");
    const formats = page.getByRole("group", { name: "formats" });
    await formats.getByRole("checkbox", { name: "markdown", exact: true }).waitFor();
    for (const name of formatNames)
      expect(await formats.getByRole("checkbox", { name, exact: true }).count(), name).toBe(1);
    await formats.getByRole("checkbox", { name: "chunks", exact: true }).check();
    await formats.getByText("Options of chunks").click();
    await formats.getByRole("spinbutton", { name: "maxTokens" }).fill("64");
    const run = async (path: string) => {
      await page.getByRole("textbox", { name: "URL", exact: true }).fill(site.url + path);
      const answered = page.waitForResponse((response) => response.url().endsWith("/v2/scrape"));
      await page.getByRole("button", { name: "Run", exact: true }).click();
      return (await answered).request().postDataJSON();
    };
    expect(await run("/one")).toMatchObject({ formats: ["markdown", { type: "chunks", maxTokens: 64 }] });
    // Rendered, and as it is.
    await page.getByRole("tabpanel").getByRole("heading", { name: "<img" }).waitFor();
    await page.getByRole("tabpanel").locator("pre").getByText("# ").waitFor();
    await run("/two");
    await page.getByRole("button", { name: "Show differences" }).click();
    await page.locator(".sides .removed").getByText("onerror=window.hit=1").first().waitFor();
    await page.locator(".sides .added").getByText("Text of Two").first().waitFor();
    const earlier = Array.from({ length: 30 }, (_, at) => ({
      operation: "map",
      body: { url: `${site.url}/${at}` },
      at,
    }));
    await page.evaluate(`localStorage.setItem("trawl-playground", ${JSON.stringify(JSON.stringify(earlier))})`);
    await page.reload();
    await page.getByRole("textbox", { name: "URL", exact: true }).fill(`${site.url}/two`);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await expect.poll(() => page.evaluate(`JSON.parse(localStorage.getItem("trawl-playground")).length`)).toBe(20);
  });

  it("shows an agent's answer as a table and as JSON, its steps and its sources", async () => {
    const { app, site } = dashboard;
    const schema = { type: "object", properties: { price: { type: "string" }, sku: { type: "string" } } };
    const body = { prompt: "the price and the SKU of the lamp", urls: [`${site.url}/`], schema };
    const { id } = (await app.call("POST", "/v2/agent", { body })).body;
    await expect.poll(async () => (await app.get(`/v2/agent/${id}`)).body.status).toBe("completed");
    const page = await open();
    await dashboard.goTo(page, `activity/agent/${id}`, "Activity");
    await page.getByRole("definition").getByText("$42.50", { exact: true }).waitFor();
    await page.getByRole("button", { name: "JSON", exact: true }).click();
    await page.locator("pre").getByText('"$42.50"').waitFor();
    await page.getByRole("tab", { name: "Steps" }).click();
    await page.getByRole("listitem").filter({ hasText: "scrape" }).getByText(`${site.url}/`).waitFor();
    await page.getByRole("tab", { name: "Sources" }).click();
    await page.getByRole("link", { name: `${site.url}/`, exact: true }).waitFor();
  });

  it("greets a new team with three things to try and with what is not set up yet", async () => {
    const { site } = dashboard;
    const [page] = await dashboard.open();
    await dashboard.signIn(page, { team: "newcomers" });
    for (const name of ["Scrape this", "Crawl that", "Search"])
      await page.getByRole("button", { name, exact: true }).waitFor();
    const missing = page.getByRole("listitem");
    for (const part of ["Language model", "Proxies"]) await missing.getByText(part, { exact: true }).waitFor();
    await missing.getByText("OPENAI_API_KEY").waitFor();
    await page.getByRole("textbox", { name: "Page" }).fill(`${site.url}/two`);
    await page.getByRole("button", { name: "Scrape this" }).click();
    await page.getByRole("tabpanel").getByText("Text of Two.").first().waitFor();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("img", { name: "Requests over time" }).waitFor();
    await page.getByRole("link", { name: "Crawls" }).click();
    await page.getByRole("textbox", { name: "URL" }).fill(`${site.url}/two`);
    await page.getByRole("button", { name: "Start crawl" }).click();
    await page.getByRole("heading", { level: 1, name: `Crawls: ${site.url}/two` }).waitFor();
  });

  it.each([
    ["en-US", /^\d{1,2} [AP]M$/],
    ["de-DE", /^\d{2}:00$/],
  ])("keeps the times below charts apart at any width, in the clock of %s", async (locale, clock) => {
    const page = await open({ locale, timezoneId: "Europe/Berlin" });
    await page.getByRole("img", { name: "Requests over time" }).waitFor();
    for (const width of [360, 520, 700, 900, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const ticks = page.getByRole("img", { name: "Requests over time" }).locator(".tick");
      const boxes = () =>
        ticks.evaluateAll((all) =>
          all.map((each) => ({ text: each.textContent, ...each.getBoundingClientRect().toJSON() })),
        );
      await expect.poll(async () => (await boxes()).at(-1)?.right).toBeLessThan(width);
      const list = await boxes();
      expect(list.length, `at ${width}`).toBeGreaterThan(1);
      for (const [place, { text, left }] of list.entries()) {
        expect(text.replace(/\s/g, " ")).toMatch(clock);
        if (place > 0) expect(left, `${text} at ${width}`).toBeGreaterThan(list[place - 1]?.right + 4);
      }
    }
  });

  it("scrolls through ten thousand rows with few of them in the page", async () => {
    const { site } = dashboard;
    const page = await open();
    const body = { url: `${site.url}/many`, formats: ["links"] };
    await dashboard.goTo(
      page,
      `playground?${new URLSearchParams({ kind: "Scrape", body: JSON.stringify(body) })}`,
      "Playground",
    );
    await page.getByRole("button", { name: "Run", exact: true }).click();
    const table = page.getByRole("table", { name: "Links" });
    await table.getByText("/link/0", { exact: false }).first().waitFor();
    expect(await table.getAttribute("aria-rowcount")).toBe("10001");
    await table.locator(".long-rows").evaluate((rows: { scrollTop: number; scrollHeight: number }) => {
      rows.scrollTop = rows.scrollHeight;
    });
    await table.getByRole("link", { name: `${site.url}/link/9999` }).waitFor();
    expect(await table.getByRole("row").count()).toBeLessThan(100);
  });

  it("keeps URLs, file names, titles and errors of webhooks text", async () => {
    const page = await open();
    await page.route("**/v2/team/webhooks*", (route) => {
      const at = new Date().toISOString();
      const hostile = { id: attack, event: attack, url: attack, status: attack, attempts: 1, lastError: attack, at };
      return route.fulfill({ json: { success: true, deliveries: [hostile], cursor: null, has_more: false } });
    });
    await dashboard.goTo(page, "webhooks", "Webhooks");
    await page.getByText(attack).first().waitFor();
    await notHit(page);
    await dashboard.goTo(page, "activity", "Activity");
    await page.getByRole("link", { name: fileName }).click();
    await page.getByRole("heading", { level: 1, name: "Activity: scrape" }).waitFor();
    await page.getByRole("tab", { name: "Request" }).click();
    await page.getByText(fileName).first().waitFor();
    await notHit(page);
    await dashboard.goTo(page, "crawls", "Crawls");
    await page.getByRole("row").getByRole("link").first().click();
    await page.getByRole("table", { name: "Pages" }).getByText("<img src=x").waitFor();
    await notHit(page);
  });

  it("watches a page: creates a monitor, runs it, and shows what changed side by side", async () => {
    const { app, site } = dashboard;
    const page = await open();
    await dashboard.goTo(page, "monitors", "Monitors");
    await page.getByRole("textbox", { name: "Name" }).fill("Opening hours");
    await page.getByRole("textbox", { name: "URL" }).fill(`${site.url}/watched`);
    await page.getByRole("textbox", { name: "Schedule" }).fill("every monday at 8:00");
    await page.getByRole("button", { name: "Create monitor" }).click();
    const row = page.getByRole("row").filter({ hasText: "Opening hours" });
    await row.getByText("every Monday at 08:00").waitFor();
    const { id } = (await app.get("/v2/monitor")).body.data[0];
    const ended = async () => {
      const { data } = (await app.get(`/v2/monitor/${id}/checks`)).body;
      return data.filter(({ status }: { status: string }) => !["queued", "running"].includes(status)).length;
    };
    await row.getByRole("button", { name: "Run now" }).click();
    await expect.poll(ended).toBe(1);
    watched.set("Open from ten to six.");
    await row.getByRole("button", { name: "Run now" }).click();
    await expect.poll(ended).toBe(2);
    await row.getByRole("button", { name: "Checks" }).click();
    await page.getByRole("button", { name: "Changes" }).nth(1).waitFor();
    await page.getByRole("button", { name: "Changes" }).first().click();
    await page.locator(".sides .removed").getByText("Open from nine to five.").waitFor();
    await page.locator(".sides .added").getByText("Open from ten to six.").waitFor();
  });

  it("starts a browser session, shows it in a sandboxed frame, and ends it", async () => {
    const page = await open();
    await dashboard.goTo(page, "sessions", "Browser sessions");
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByRole("button", { name: "Live view" }).click();
    const [session] = (await dashboard.app.get("/v2/browser")).body.sessions;
    const frame = page.locator("iframe");
    expect(await frame.getAttribute("sandbox")).toBe("allow-scripts");
    await page.frameLocator("iframe").getByText("Connected.").waitFor();
    await page
      .getByRole("row")
      .filter({ hasText: session.id.slice(0, 8) })
      .getByRole("button", { name: "End" })
      .click();
    await page.getByRole("row").getByText("ended").waitFor();
    await frame.waitFor({ state: "detached" });
  });

  it("asks the search index, says why a page ranks, adds a site and removes a host", async () => {
    const { site } = dashboard;
    const page = await open();
    await dashboard.goTo(page, "index", "Search index");
    await page.getByRole("searchbox", { name: "Query" }).fill("brass lamp");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Brass lamp" }).waitFor();
    await page.getByText(/^Why here: 100 %/).click();
    await page.getByRole("cell", { name: "brass" }).waitFor();
    await page
      .getByRole("cell", { name: /title 1 ×.*text \d+ ×/ })
      .first()
      .waitFor();
    await page.getByRole("textbox", { name: "Site" }).fill(`${site.url}/two`);
    await page.getByRole("spinbutton", { name: "Maximum pages" }).fill("1");
    await page.getByRole("button", { name: "Add site" }).click();
    await page.getByRole("link", { name: "Watch the crawl" }).waitFor();
    await page.getByRole("button", { name: "Remove 127.0.0.1" }).click();
    await page.getByText(/^Removed \d+ pages? of 127\.0\.0\.1\.$/).waitFor();
  });

  it("lists webhook deliveries with their errors, of all jobs and of one, and sends them again", async () => {
    const page = await open();
    await dashboard.goTo(page, "webhooks", "Webhooks");
    await page.getByText("Deliveries are signed with WEBHOOK_SECRET").waitFor();
    await page.getByText("The receiver answered 500").first().waitFor();
    await dashboard.goTo(page, "activity", "Activity");
    await page.getByRole("combobox", { name: "Endpoint" }).selectOption("crawl");
    const crawl = page.getByRole("row").filter({ hasText: "crawl" });
    await crawl.getByRole("link", { name: `${dashboard.site.url}/`, exact: true }).click();
    await page.getByRole("tab", { name: "Webhooks" }).click();
    const row = page.getByRole("row").filter({ hasText: "crawl.completed" });
    await row.getByText("The receiver answered 500").waitFor();
    const asked = () => dashboard.site.asked.filter((path) => path.startsWith("/hook")).length;
    const before = asked();
    await row.getByRole("button", { name: "Redeliver" }).click();
    await expect.poll(asked).toBeGreaterThan(before);
  });

  it("adds a channel for notices, tries it, changes what it tells of and when, and removes it", async () => {
    const { app } = dashboard;
    const services = await startChannelServer();
    onTestFinished(() => services.close());
    const page = await open({ timezoneId: "Europe/Berlin" });
    await dashboard.goTo(page, "webhooks", "Webhooks");
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const field = (name: string) => page.getByRole("textbox", { name, exact: true });
    const row = page.getByRole("row").filter({ hasText: services.url });
    const kept = async () => (await app.get("/v2/team/notify")).body.notify;

    await page.getByRole("combobox", { name: "Channel" }).selectOption("gotify");
    await field("url").fill(services.url);
    await field("token").fill(channelSecrets.gotify);
    await page.getByRole("spinbutton", { name: "priority" }).fill("11");
    await button("Add channel").click();
    await page.getByRole("alert").getByText("notify.0.priority").waitFor();
    await page.getByRole("spinbutton", { name: "priority" }).fill("7");
    await button("Add channel").click();
    await row.getByText("everything").waitFor();
    await row.getByText("at once").waitFor();
    await row.getByRole("button", { name: "Test" }).click();
    await page.getByText("gotify took the test notice (200).").waitFor();
    expect(services.sent.map(({ body }) => [body.title, body.priority])).toEqual([["Test notice", 7]]);

    await row.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("checkbox", { name: "failure" }).check();
    await page.getByRole("checkbox", { name: "health" }).check();
    await field("from").fill("22:00");
    await field("to").fill("06:30");
    await page.getByRole("combobox", { name: "digest" }).selectOption("daily");
    await button("Save channel").click();
    await row.getByText("failure, health").waitFor();
    await row.getByText("daily, not 22:00–06:30").waitFor();
    await button("Add channel").waitFor();
    const quietHours = { from: "22:00", to: "06:30", timeZone: "Europe/Berlin" };
    expect(await kept()).toMatchObject([{ priority: 7, events: ["failure", "health"], digest: "daily", quietHours }]);
    // Its secret was masked when it was sent back.
    services.faults.push({ status: 503, body: { error: "Maintenance" } });
    await row.getByRole("button", { name: "Test" }).click();
    await page.getByText("gotify: The channel answered 503: Maintenance").waitFor();
    await row.getByRole("button", { name: "Test" }).click();
    await page.getByText("gotify took the test notice (200).").waitFor();

    // What is told at once, and refused, is in the log.
    await row.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("combobox", { name: "digest" }).selectOption("");
    await field("from").fill("");
    await field("to").fill("");
    await button("Save channel").click();
    await row.getByText("at once").waitFor();
    const refusal = { status: 400, body: { error: "Bad Request", errorDescription: "no application" } };
    // Until the attempt after a minute.
    services.faults.push(refusal, refusal, refusal);
    const closed = await openSite({});
    await closed.close();
    await runJob(app, "/v2/crawl", { url: closed.url });
    const latest = async () => (await app.get("/v2/team/webhooks")).body.deliveries[0].lastError;
    await expect.poll(latest).toBe("The channel answered 400: Bad Request: no application");
    await page.reload();
    const delivery = page.getByRole("row").filter({ hasText: "notice.job.failed" });
    await delivery.getByText("The channel answered 400: Bad Request: no application").waitFor();
    services.faults.length = 0;
    await delivery.getByRole("button", { name: "Redeliver" }).click();
    await delivery.getByText("delivered").waitFor();
    expect(services.sent.at(-1)?.body.title).toBe(`Crawl failed: ${closed.url}/`);

    await row.getByRole("button", { name: "Remove" }).click();
    await page.getByText("No channels").waitFor();
    expect(await kept()).toEqual([]);
  });

  it("makes a feed of a list page, hands out its URL, and deletes it", async () => {
    const { app, site } = dashboard;
    const page = await open({ permissions: ["clipboard-read", "clipboard-write"] });
    await dashboard.goTo(page, "monitors", "Monitors");
    await page.getByRole("textbox", { name: "List page" }).fill(`${site.url}/two`);
    await page.getByRole("button", { name: "Make feed" }).click();
    await page.getByRole("alert").getByText("Nothing was found on").waitFor();
    await page.getByRole("textbox", { name: "List page" }).fill(`${site.url}/news`);
    await page.getByRole("textbox", { name: "Selector of an item" }).fill("main a");
    await page.getByRole("button", { name: "Make feed" }).click();
    const row = page.getByRole("row").filter({ hasText: "News of the harbour" });
    await row.getByRole("cell", { name: "3", exact: true }).waitFor();
    await row.getByRole("button", { name: "Copy URL" }).click();
    await row.getByText("Copied").waitFor();
    const url = String(await page.evaluate("navigator.clipboard.readText()"));
    const feed = await app.get(url.slice(app.url.length), { key: null });
    expect([feed.status, feed.text.match(/<entry>/g)?.length]).toEqual([200, 3]);
    await row.getByRole("button", { name: "Delete" }).click();
    await row.waitFor({ state: "detached" });
    expect((await app.get(url.slice(app.url.length), { key: null })).status).toBe(404);
  });

  it("shows how hosts are treated, invites people and changes roles", async () => {
    const page = await open();
    await dashboard.goTo(page, "hosts", "Hosts");
    await page.getByRole("row").filter({ hasText: "127.0.0.1" }).getByText("content").first().waitFor();
    await dashboard.goTo(page, "team", "Team");
    await page.getByRole("button", { name: "Invite" }).click();
    const link = await page.getByRole("dialog").locator("pre").innerText();
    await page.getByRole("button", { name: "Done" }).click();
    const [guest] = await dashboard.open();
    await guest.goto(link);
    await guest.getByRole("textbox", { name: "Your name" }).fill("Mia");
    await guest.getByRole("button", { name: "Join" }).click();
    await guest.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await dashboard.goTo(guest, "keys", "API keys");
    await guest.getByRole("row").nth(1).waitFor();
    expect(await guest.getByRole("button", { name: "Create key" }).count()).toBe(0);
    await page.reload();
    const changed = page.waitForResponse((response) => response.request().method() === "PATCH");
    await page.getByRole("combobox", { name: "Role of Mia" }).selectOption("owner");
    await changed;
    await guest.reload();
    await guest.getByRole("button", { name: "Create key" }).waitFor();
  });

  it("has no finding of axe, no sideways scroll and nothing that Tab does not reach, light and dark, wide and narrow", async () => {
    const findings: string[] = [];
    const [{ id }] = (await dashboard.app.get("/v2/crawl")).body.crawls;
    await dashboard.app.call("POST", "/v2/scrape", { body: { url: `${dashboard.site.url}/captcha`, fastMode: true } });
    const [failed] = (await dashboard.app.get("/v2/team/activity?status=failed")).body.data;
    const places = {
      ...sections,
      [`crawls/${id}`]: "Crawls",
      [`activity/crawl/${id}`]: "Activity",
      [`activity/scrape/${failed.id}`]: "Activity",
    };
    for (const width of [1280, 360]) {
      // Wide and light, narrow and dark: the other two are a proof.
      const themes = isProof ? (["light", "dark"] as const) : [width === 360 ? ("dark" as const) : ("light" as const)];
      const page = await open({ viewport: { width, height: 900 }, reducedMotion: "reduce" });
      for (const [path, name] of Object.entries(places)) {
        // As a link inside the page does it: nothing is loaded again.
        await page.evaluate(
          `history.pushState({}, "", "/dashboard/${path}"); dispatchEvent(new PopStateEvent("popstate"))`,
        );
        await page.getByRole("heading", { level: 1, name: new RegExp(`^${name}`) }).waitFor();
        await expect.poll(() => page.getByRole("status", { name: "Loading" }).count()).toBe(0);
        if (await page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))
          findings.push(`${path} scrolls sideways at ${width}`);
        for (const colorScheme of themes) {
          await page.emulateMedia({ colorScheme });
          if (pictures) {
            const file = `${pictures}/${path.split("/").slice(0, 2).join("-")}-${width}-${colorScheme}.png`;
            await page.screenshot({ path: file, fullPage: true });
          }
          for (const found of await axeFindings(page, isProof && colorScheme === "dark"))
            findings.push(`${path} ${width} ${colorScheme} ${found}`);
        }
        if (width === 1280)
          findings.push(...(await unreached(page)).map((found) => `${path}: Tab does not reach ${found}`));
      }
    }
    expect(findings).toEqual([]);
  });

  it("asks nothing of any other origin", () => {
    expect(dashboard.strays).toEqual([]);
  });
});

/** What can be pressed, typed into or scrolled, and that the keyboard alone does not come to. */
async function unreached(page: Page): Promise<string[]> {
  const count = (await page.evaluate(`(() => {
    const kinds = "a[href], button, input, select, textarea, summary, [tabindex='0']";
    window.wanted = new Set([...document.querySelectorAll(kinds)].filter(
      (each) => each.checkVisibility() && !each.disabled && each.getAttribute("role") !== "tab" && !each.matches("[type=radio]")));
    document.addEventListener("focusin", ({ target }) => window.wanted.delete(target));
    document.activeElement?.blur();
    return window.wanted.size;
  })()`)) as number;
  // Rows that come into view while a list has the focus are further stops.
  for (let press = 0; press < count + 40; press += 1) {
    await page.keyboard.press("Tab");
    if (press >= count && (await page.evaluate("window.wanted.size")) === 0) break;
  }
  return page.evaluate(
    `[...window.wanted].filter((each) => each.isConnected).map((each) => each.outerHTML.slice(0, 120))`,
  );
}
