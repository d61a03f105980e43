// Secrets and replays in the dashboard, in a real web browser: what is stored is never shown, and everybody can use the pages.
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeFindings } from "../support/axe.ts";
import { lacksChromium, quickBrowser } from "../support/browser.ts";
import { type Dashboard, openDashboard, patience } from "../support/dashboard.ts";
import { anyEngine } from "../support/engines.ts";
import { drive, openSession } from "../support/sessions.ts";

/** A folder to leave pictures in. */
const pictures = process.env["DASHBOARD_PICTURES"];
const value = "correct horse battery staple";

describe.skipIf(lacksChromium)("secrets and replays in the dashboard", () => {
  let dashboard: Dashboard;
  beforeAll(async () => {
    const form = `<!doctype html><title>Shop</title><h1>Shop</h1><label>Name <input></label><button>Send</button>`;
    dashboard = await openDashboard(anyEngine, { "/": form }, quickBrowser);
  }, 2 * patience);
  afterAll(() => dashboard.close());

  const looks = [
    { name: "light", options: { colorScheme: "light" } },
    { name: "dark", options: { colorScheme: "dark" } },
    { name: "narrow", options: { colorScheme: "light", viewport: { width: 390, height: 844 } } },
  ] as const;
  const check = async (page: Page, name: string) => {
    const width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect([name, width]).toEqual([name, 0]);
    expect(await axeFindings(page, false)).toEqual([]);
    if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  };

  it("stores, lists and deletes secrets, and shows no value", async () => {
    const [page] = await dashboard.open();
    await dashboard.signIn(page);
    await dashboard.goTo(page, "settings", "Settings");
    await page.getByRole("textbox", { name: "Secret", exact: true }).fill("shop-password");
    await page.getByRole("textbox", { name: "Value" }).fill(value);
    await page.getByRole("textbox", { name: "Hosts" }).fill("shop.example, https://wrong");
    await page.getByRole("button", { name: "Store secret" }).click();
    await page.getByText("hosts.1: Must be a host name").waitFor();
    await page.getByRole("textbox", { name: "Hosts" }).fill("shop.example, login.example:8443");
    await page.getByRole("button", { name: "Store secret" }).click();
    const row = page.getByRole("row").filter({ hasText: "shop-password" });
    await row.getByText("shop.example, login.example:8443").waitFor();
    expect(await page.content()).not.toContain(value);
    expect(await page.getByRole("textbox", { name: "Value" }).inputValue()).toBe("");
    for (const { name, options } of looks) {
      const [other] = await dashboard.open(options);
      await dashboard.signIn(other);
      await dashboard.goTo(other, "settings", "Settings");
      await other.getByText("shop-password").first().waitFor();
      await check(other, `secrets-${name}`);
    }
    await row.getByRole("button", { name: /Delete/ }).click();
    await page.getByRole("button", { name: "Delete secret" }).click();
    await page.getByText("No secrets yet").waitFor();
  });

  it("leads to the replay of a session, which everybody can use", async () => {
    const { app, site } = dashboard;
    const session = await openSession(app);
    const client = await drive(session);
    const driven = client.contexts()[0]?.pages()[0];
    await driven?.goto(site.url);
    await driven?.waitForTimeout(700);
    await client.close();
    await app.call("DELETE", `/v2/browser/${session.id}`);
    for (const { name, options } of looks) {
      const [page, context] = await dashboard.open(options);
      await dashboard.signIn(page);
      await dashboard.goTo(page, "sessions", "Browser sessions");
      await page.getByRole("link", { name: "Replay" }).first().waitFor();
      await check(page, `sessions-${name}`);
      const opening = context.waitForEvent("page");
      await page.getByRole("link", { name: "Replay" }).first().click();
      const replay = await opening;
      await replay.getByRole("button", { name: /Open / }).first().waitFor();
      await check(replay, `replay-${name}`);
    }
  });
});
