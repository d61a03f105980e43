// The dashboard as a person uses it, in a real web browser against the real server.
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { lacksChromium, viewerPath } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import { type FixtureSite, startSite } from "../support/fixture-site.ts";

const patience = 60_000;
const attack = `"><img src=x onerror="window.hit=1"><script>window.hit=1</script>`;
const hostilePage = `<!doctype html><title>&lt;img src=x onerror=window.hit=1&gt;</title>
  <h1>A page</h1><p>Words of the page. <a href="javascript:window.hit=1">press</a></p><p>&lt;script&gt;window.hit=1&lt;/script&gt;</p>
  <img src="http://203.0.113.1/pixel.png" alt="pixel" onerror="window.hit=1"><a href="/two">two</a>`;

describe.skipIf(lacksChromium).each([anyEngine])("the dashboard in a browser, on $name", (engine) => {
  let site: FixtureSite;
  let app: TestApp;
  let browser: Browser;
  /** Whatever a page asked of another origin. */
  const strays: string[] = [];

  beforeAll(async () => {
    const slowPages = Object.fromEntries(
      Array.from({ length: 30 }, (_, place) => [
        `/slow/${place}`,
        `<title>Slow ${place}</title><p>Page ${place} of a slow site, with words enough to be one.</p>
         <a href="/slow/${place + 1}">next</a>`,
      ]),
    );
    site = await startSite({ "/": hostilePage, "/two": "<title>Two</title><p>Second page</p>", ...slowPages });
    app = await startApp(engine, {
      ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${site.port}`,
      CHROMIUM_PATH: "/nowhere/chromium",
    });
    const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    browser = await chromium.launch({ executablePath: viewerPath, args: sandbox });
  }, patience);
  afterAll(async () => {
    await browser.close();
    await app.stop();
    await site.close();
  });

  async function open(options: Parameters<Browser["newContext"]>[0] = {}): Promise<[Page, BrowserContext]> {
    const context = await browser.newContext(options);
    onTestFinished(() => context.close());
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    page.on("request", (request) => {
      const url = request.url();
      if (/^https?:/.test(url) && new URL(url).origin !== app.url) strays.push(url);
    });
    return [page, context];
  }

  async function signIn(page: Page, team = "acme"): Promise<void> {
    const { id } = await app.accounts.teams.findOrCreate(team);
    const { secret } = await app.accounts.people.createSignInLink(id);
    await page.goto(`${app.url}/dashboard/sign-in#${secret}`);
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  }

  const goTo = async (page: Page, path: string, name: string) => {
    await page.goto(`${app.url}/dashboard/${path}`);
    await page.getByRole("heading", { level: 1, name: new RegExp(`^${name}`) }).waitFor();
  };

  it(
    "leads from the first link to a key that works, a scrape, its trace in activity and usage, and to the key's end",
    async () => {
      const [page, context] = await open();
      await page.goto(String(app.firstLink));
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      expect(page.url()).not.toContain("#");
      const [cookie] = await context.cookies();
      expect(cookie).toMatchObject({ name: "trawl_session", httpOnly: true, sameSite: "Strict" });

      await page.getByRole("link", { name: "API keys" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill(attack.slice(0, 60));
      await page.getByRole("button", { name: "Create key" }).click();
      const key = await page.getByRole("dialog").locator("pre").innerText();
      expect(key).toMatch(/^fc-[0-9a-f]{32}$/);
      await page.getByRole("button", { name: "Done" }).click();
      expect((await app.get("/v2/team/credit-usage", { key })).status).toBe(200);

      await page.getByRole("link", { name: "Playground" }).click();
      await page.getByRole("textbox", { name: "URL", exact: true }).fill(`${site.url}/`);
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.getByRole("tabpanel").getByText("Words of the page.").first().waitFor();
      await page.getByRole("tab", { name: "Response" }).click();
      await page.getByRole("tabpanel").getByText('"markdown"').waitFor();

      await page.getByRole("link", { name: "Activity" }).click();
      await page
        .getByRole("link", { name: `${site.url}/` })
        .first()
        .click();
      await page.getByRole("heading", { level: 1, name: "Activity: scrape" }).waitFor();
      await page.getByText("Words of the page.").first().waitFor();

      await page.getByRole("link", { name: "Usage" }).click();
      await page.getByRole("heading", { name: "Credits by endpoint, 30 days" }).waitFor();
      await page.locator(".shares").getByText("scrape", { exact: true }).waitFor();

      await page.getByRole("link", { name: "API keys" }).click();
      const row = page.getByRole("row").filter({ hasText: key.slice(-4) });
      await row.getByRole("button", { name: "Revoke" }).click();
      await page.getByRole("button", { name: "Revoke key" }).click();
      await row.getByText("revoked").waitFor();
      expect((await app.get("/v2/team/credit-usage", { key })).status).toBe(401);
      expect(await page.evaluate("window.hit")).toBeUndefined();

      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
    },
    3 * patience,
  );

  it(
    "says so when a link was used before",
    async () => {
      const { id } = await app.accounts.teams.findOrCreate("acme");
      const { secret } = await app.accounts.people.createSignInLink(id);
      const link = `${app.url}/dashboard/sign-in#${secret}`;
      const [first] = await open();
      await first.goto(link);
      await first.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      const [second] = await open();
      await second.goto(link);
      await second.getByRole("alert").getByText("This link was used").waitFor();
    },
    2 * patience,
  );

  it(
    "shows a crawl as it goes, pauses, resumes and cancels it without a reload",
    async () => {
      const [page] = await open();
      await signIn(page);
      await goTo(page, "crawls", "Crawls");
      const started = await page.evaluate(
        async ([url]) => {
          const session = await (await fetch("/dashboard/api/session")).json();
          const response = await fetch("/v2/crawl", {
            method: "POST",
            headers: { "content-type": "application/json", "x-trawl-csrf": session.csrf },
            body: JSON.stringify({ url, limit: 30, delay: 1, sitemap: "skip", crawlEntireDomain: true }),
          });
          return response.json();
        },
        [`${site.url}/slow/0`],
      );
      await page.getByRole("link", { name: `${site.url}/slow/0` }).click();
      await page.getByRole("progressbar").waitFor();
      await page.getByRole("list", { name: "Pages" }).getByRole("link").first().waitFor();
      await page.getByRole("button", { name: "Pause" }).click();
      await page.getByText("paused", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Resume" }).click();
      await page.getByRole("button", { name: "Pause" }).waitFor();
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByText("cancelled", { exact: true }).waitFor();
      expect((await app.get(`/v2/crawl/${started.id}`)).body.status).toBe("cancelled");
    },
    2 * patience,
  );

  it(
    "goes anywhere by keyboard: Ctrl-K, a word, Enter",
    async () => {
      const [page] = await open();
      await signIn(page);
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Go to" }).waitFor();
      await page.keyboard.type("webh");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
    },
    patience,
  );

  it("asks nothing of any other origin", () => {
    expect(strays).toEqual([]);
  });
});
