// Every section of the dashboard in a real web browser: what it is for works, hostile text stays text, and everybody can use it.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeFindings } from "../support/axe.ts";
import { lacksChromium, quickBrowser } from "../support/browser.ts";
import { attack, type Dashboard, openDashboard, patience } from "../support/dashboard.ts";
import { anyEngine } from "../support/engines.ts";
import { runJob } from "../support/jobs.ts";
import { changingPage } from "../support/monitors.ts";

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
      "/hook": (_request: unknown, response: { writeHead(status: number): { end(): void } }) =>
        response.writeHead(500).end(),
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

  it("has no serious finding of axe and no sideways scroll, light and dark, wide and narrow", async () => {
    const findings: string[] = [];
    const [{ id }] = (await dashboard.app.get("/v2/crawl")).body.crawls;
    const places = { ...sections, [`crawls/${id}`]: "Crawls", [`activity/crawl/${id}`]: "Activity" };
    for (const width of [1280, 390]) {
      // Wide and light, narrow and dark: the other two are a proof.
      const themes = isProof ? (["light", "dark"] as const) : [width === 390 ? ("dark" as const) : ("light" as const)];
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
      }
    }
    expect(findings).toEqual([]);
  });

  it("asks nothing of any other origin", () => {
    expect(dashboard.strays).toEqual([]);
  });
});
