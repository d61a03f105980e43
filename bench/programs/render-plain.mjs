// Plain playwright-core: one browser, a fresh context for each page, until the network is idle.
import { chromium } from "playwright-core";
import { renderOnDemand } from "./render-loop.mjs";

let browser = null;

await renderOnDemand(
  async (url) => {
    browser ??= await chromium.launch({
      executablePath: process.env.CHROMIUM,
      chromiumSandbox: process.getuid?.() !== 0,
      handleSIGTERM: false,
    });
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(url, { waitUntil: "networkidle" });
    const html = await page.content();
    await context.close();
    return html;
  },
  () => browser?.close(),
);
