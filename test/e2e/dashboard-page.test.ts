// The dashboard as a person uses it, in a real web browser against the real server.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacksChromium } from "../support/browser.ts";
import { attack, type Dashboard, openDashboard, patience } from "../support/dashboard.ts";
import { anyEngine } from "../support/engines.ts";

const hostilePage = `<!doctype html><title>&lt;img src=x onerror=window.hit=1&gt;</title>
  <h1>A page</h1><p>Words of the page. <a href="javascript:window.hit=1">press</a></p><p>&lt;script&gt;window.hit=1&lt;/script&gt;</p>
  <img src="http://203.0.113.1/pixel.png" alt="pixel" onerror="window.hit=1"><a href="/two">two</a>`;

describe.skipIf(lacksChromium).each([anyEngine])("the dashboard in a browser, on $name", (engine) => {
  let dashboard: Dashboard;
  const slowPages = Object.fromEntries(
    Array.from({ length: 30 }, (_, place) => [
      `/slow/${place}`,
      `<title>Slow ${place}</title><p>Page ${place} of a slow site, with words enough to be one.</p>
       <a href="/slow/${place + 1}">next</a>`,
    ]),
  );
  beforeAll(async () => {
    const two = "<title>Two</title><p>Second page</p>";
    dashboard = await openDashboard(engine, { "/": hostilePage, "/two": two, ...slowPages });
  }, patience);
  afterAll(() => dashboard.close());

  it(
    "leads from the first link to a key that works, a scrape, its trace in activity and usage, and to the key's end",
    async () => {
      const { app, site } = dashboard;
      const [page, context] = await dashboard.open();
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
      const { app } = dashboard;
      const { id } = await app.accounts.teams.findOrCreate("acme");
      const { secret } = await app.accounts.people.createSignInLink(id);
      const link = `${app.url}/dashboard/sign-in#${secret}`;
      const [first] = await dashboard.open();
      await first.goto(link);
      await first.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      const [second] = await dashboard.open();
      await second.goto(link);
      await second.getByRole("alert").getByText("This link has expired").waitFor();
    },
    2 * patience,
  );

  it(
    "shows a crawl as it goes, pauses, resumes and cancels it without a reload",
    async () => {
      const { app, site } = dashboard;
      const [page] = await dashboard.open();
      await dashboard.signIn(page);
      await dashboard.goTo(page, "crawls", "Crawls");
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
      await page.getByRole("table", { name: "Pages" }).getByRole("link").first().waitFor();
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
      const [page] = await dashboard.open();
      await dashboard.signIn(page);
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Go to" }).waitFor();
      await page.keyboard.type("webh");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
    },
    patience,
  );

  it(
    "adds a passkey, signs in with it, and is not opened by it once it is removed",
    async () => {
      const [page, context] = await dashboard.open();
      // Browsers make passkeys for names only.
      await dashboard.signIn(page, { at: dashboard.byName });
      const devtools = await context.newCDPSession(page);
      await devtools.send("WebAuthn.enable");
      await devtools.send("WebAuthn.addVirtualAuthenticator", {
        options: {
          protocol: "ctap2",
          transport: "internal",
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
      const signOut = async () => {
        await page.getByRole("button", { name: "Sign out" }).click();
        await page.getByRole("heading", { name: "Sign in" }).waitFor();
      };
      const byPasskey = () => page.getByRole("button", { name: "Sign in with a passkey" }).click();
      await page.getByRole("link", { name: "Settings" }).click();
      await page.getByRole("textbox", { name: "Device" }).fill("A laptop");
      await page.getByRole("button", { name: "Add passkey" }).click();
      const row = page.getByRole("row").filter({ hasText: "A laptop" });
      await row.getByText("never").waitFor();
      await signOut();
      await byPasskey();
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      await page.getByRole("link", { name: "Settings" }).click();
      await row.waitFor();
      expect(await row.getByText("never").count()).toBe(0);
      await row.getByRole("button", { name: "Remove" }).click();
      await page.getByRole("button", { name: "Remove passkey" }).click();
      await page.getByText("No passkeys yet").waitFor();
      await signOut();
      await byPasskey();
      await page.getByRole("alert").getByText("Unknown passkey").waitFor();
    },
    2 * patience,
  );

  it("asks nothing of any other origin", () => {
    expect(dashboard.strays).toEqual([]);
  });
});
