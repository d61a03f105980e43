// The dashboard in a real web browser: the real server behind it, a site to read, and short ways to its sections.
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { startApp, type TestApp } from "./app.ts";
import { viewerPath } from "./browser.ts";
import type { TestEngine } from "./engines.ts";
import { type FixtureSite, startSite } from "./fixture-site.ts";

/** For the slowest machine; what is waited for mostly comes at once. */
export const patience = 60_000;

/** Runs when anything of it becomes HTML of the page. */
export const attack = `"><img src=x onerror="window.hit=1"><script>window.hit=1</script>`;

type Opened = Awaited<ReturnType<typeof openDashboard>>;

export interface Dashboard extends Opened {}

export async function openDashboard(
  engine: TestEngine,
  pages: Parameters<typeof startSite>[0],
  env: Record<string, string> = {},
) {
  const site: FixtureSite = await startSite(pages);
  const app: TestApp = await startApp(engine, {
    ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
    CHROMIUM_PATH: "/nowhere/chromium",
    ...env,
  });
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser: Browser = await chromium.launch({ executablePath: viewerPath, args: sandbox });
  const byName = app.url.replace("127.0.0.1", "localhost");
  /** Whatever a page asked of another origin. */
  const strays: string[] = [];

  async function open(options: Parameters<Browser["newContext"]>[0] = {}): Promise<[Page, BrowserContext]> {
    const context = await browser.newContext(options);
    onTestFinished(() => context.close());
    context.setDefaultTimeout(patience);
    const page = await context.newPage();
    page.on("request", (request) => {
      const url = request.url();
      if (/^https?:/.test(url) && ![app.url, byName].includes(new URL(url).origin)) strays.push(url);
    });
    return [page, context];
  }

  /** By a fresh link; `at` is the server's URL as the person knows it. */
  async function signIn(page: Page, { team = "acme", at = app.url } = {}): Promise<void> {
    const { id } = await app.accounts.teams.findOrCreate(team);
    const { secret } = await app.accounts.people.createSignInLink(id);
    await page.goto(`${at}/dashboard/sign-in#${secret}`);
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  }

  async function goTo(page: Page, path: string, name: string): Promise<void> {
    await page.goto(`${app.url}/dashboard/${path}`);
    await page.getByRole("heading", { level: 1, name: new RegExp(`^${name}`) }).waitFor();
  }

  return {
    site,
    app,
    byName,
    strays,
    open,
    signIn,
    goTo,
    async close() {
      await browser.close();
      await app.stop();
      await site.close();
    },
  };
}
