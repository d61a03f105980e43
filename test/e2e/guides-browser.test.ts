// The docs in a real web browser: on a phone and a wide screen, light and dark, by keyboard, with forms that send requests.
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { TestApp } from "../support/app.ts";
import { axeFindings } from "../support/axe.ts";
import { lacksChromium, viewerPath } from "../support/browser.ts";
import { anyEngine } from "../support/engines.ts";
import { useApp, withoutBrowser } from "../support/shared-app.ts";

const everyImpact = ["minor", "moderate", "serious", "critical"];
const pages = ["/docs", "/docs/formats", "/docs/api/map", "/docs/search?q=webhooks"];

describe.skipIf(lacksChromium)("the docs in a browser", () => {
  let app: TestApp;
  let browser: Browser;
  /** Whatever a page asked of another origin, and what a policy refused. */
  const strays: string[] = [];
  beforeAll(async () => {
    app = await useApp(anyEngine, withoutBrowser);
    const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    browser = await chromium.launch({ executablePath: viewerPath, args: sandbox });
  });
  afterAll(async () => {
    await browser.close();
    await app.stop();
  });

  async function open(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ reducedMotion: "reduce", ...options });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    page.on("request", (request) => {
      if (/^https?:/.test(request.url()) && new URL(request.url()).origin !== app.url) strays.push(request.url());
    });
    page.on("console", (message) => {
      if (/Content.Security.Policy/i.test(message.text())) strays.push(message.text());
    });
    return page;
  }
  const openForm = async (page: Page, group: string, path: string) => {
    await page.goto(`${app.url}/docs/api/${group}`);
    const form = page.locator(`details.try[data-path="${path}"]`);
    await form.locator("> summary").press("Enter");
    return form;
  };

  it("has no finding of axe and no sideways scroll, light and dark, wide and narrow", async () => {
    const findings: string[] = [];
    for (const [width, colorScheme] of [
      [1366, "light"],
      [360, "dark"],
    ] as const) {
      const page = await open({ viewport: { width, height: 800 }, colorScheme });
      for (const path of pages) {
        await page.goto(`${app.url}${path}`);
        if (await page.evaluate("document.documentElement.scrollWidth > window.innerWidth"))
          findings.push(`${path} scrolls sideways at ${width}`);
        if (path === "/docs/api/map") await page.locator("details.try > summary").first().click();
        for (const found of await axeFindings(page, width === 360 && path !== "/docs", everyImpact))
          findings.push(`${path} ${width} ${found}`);
      }
    }
    expect(findings).toEqual([]);
  });

  it("is searched by keyboard: slash, words, arrow, Enter", async () => {
    const page = await open();
    await page.goto(`${app.url}/docs`);
    await page.keyboard.press("/");
    await page.keyboard.type("pause a crawl");
    await page.getByRole("option", { name: /Pause and resume/ }).waitFor();
    const place = await page.getByRole("option").allInnerTexts();
    const steps = place.findIndex((text) => text.startsWith("Pause and resume")) + 1;
    for (let step = 0; step < steps; step += 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${app.url}/docs/crawls#pause-and-resume`);
    await page
      .getByRole("searchbox")
      .or(page.getByRole("combobox", { name: "Search the docs" }))
      .first()
      .fill("export");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Search" }).waitFor();
  });

  it("has its navigation in a menu on a phone, and a theme that stays", async () => {
    const page = await open({ viewport: { width: 360, height: 800 }, colorScheme: "light" });
    await page.goto(`${app.url}/docs/errors`);
    const link = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Self-hosting" });
    expect(await link.isVisible()).toBe(false);
    await page.getByRole("link", { name: "Menu", exact: true }).click();
    await page.getByRole("combobox", { name: "Theme" }).selectOption("dark");
    await link.click();
    await page.getByRole("heading", { level: 1, name: "Self-hosting" }).waitFor();
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    expect(await link.isVisible()).toBe(false);
  });

  it("sends a request from a form by keyboard, and shows status, headers, answer and command", async () => {
    const page = await open();
    const form = await openForm(page, "map", "/v2/map");
    await page.keyboard.press("Tab");
    await page.keyboard.type(app.key);
    await form.getByLabel("url (required)").fill("http://127.0.0.1:1/none");
    await page.keyboard.press("Enter");
    const answer = form.getByRole("region", { name: "Response" });
    await answer.getByText("As a command").waitFor();
    expect(await answer.getByRole("status").innerText()).toMatch(/^\d{3} [\s\S]*\d+ ms/);
    await answer.getByText("Headers").click();
    await answer.getByText("x-request-id").waitFor();
    await answer.getByText("As a command").click();
    expect(await answer.locator("pre").last().innerText()).toContain("curl");
    expect(await answer.innerText()).not.toContain(app.key);
  });

  it("reads a team's credits with the key that another form was given, and explains an error", async () => {
    const page = await open();
    const form = await openForm(page, "team", "/v2/team/credit-usage");
    await form.getByLabel("API key").fill("fc-wrong");
    await form.getByRole("button", { name: "Send request" }).click();
    const explained = form.getByRole("link", { name: "What TOKEN_INVALID means" });
    expect(await explained.getAttribute("href")).toBe("/docs/errors#token_invalid");
    await form.getByLabel("API key").fill(app.key);
    await page.reload();
    await form.locator("> summary").press("Enter");
    await form.getByRole("button", { name: "Send request" }).click();
    await form.getByText("200 OK").waitFor();
    await form.getByText('"success": true').waitFor();
  });

  it("asks nothing of any other origin", () => {
    expect(strays).toEqual([]);
  });
});
