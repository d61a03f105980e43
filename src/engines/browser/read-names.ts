// The names of the installed Chromium, from Chromium itself: only it knows its brands and their order.
import type { Browser } from "playwright-core";
import type { ChromiumNames } from "../visitor/user-agents.ts";

/** Answered here, never requested outside. It must be https: only there do pages learn the brands. */
const ownPage = "https://names.invalid/";

interface BrandedNavigator {
  userAgent: string;
  userAgentData?: { brands: ChromiumNames["brands"]; platform: string };
}

export async function readNames(browser: Browser): Promise<ChromiumNames> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.route("**", (route) => route.fulfill({ contentType: "text/html", body: "<title>names</title>" }));
    await page.goto(ownPage);
    return await page.evaluate(() => {
      const { userAgent, userAgentData } = navigator as BrandedNavigator;
      const brands = (userAgentData?.brands ?? []).map(({ brand, version }) => ({ brand, version }));
      return { userAgent, brands, platform: userAgentData?.platform ?? "Linux" };
    });
  } finally {
    await context.close();
  }
}
