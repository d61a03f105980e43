// Plain playwright-core: one browser, a fresh context for each page, nothing blocked. MODE is how it waits: "bare" reads the page
// when it has loaded, which misses what scripts add later; "same" waits as the engine does, for requests and the tree to keep
// still for 300 ms, and scrolls through the page once.
import { setTimeout as wait } from "node:timers/promises";
import { chromium } from "playwright-core";
import { renderOnDemand } from "./render-loop.mjs";

const isBare = process.env.MODE === "bare";
const quietMs = 300;
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
    if (isBare) await page.goto(url);
    else await readAsEngineDoes(page, url);
    const html = await page.content();
    await context.close();
    return html;
  },
  () => browser?.close(),
  { needsScripts: !isBare },
);

async function readAsEngineDoes(page, url) {
  let underWay = 0;
  let changedAt = performance.now();
  const change = (by) => () => {
    underWay += by;
    changedAt = performance.now();
  };
  page.on("request", change(1));
  page.on("requestfinished", change(-1));
  page.on("requestfailed", change(-1));
  const settle = async () => {
    await page.evaluate(waitForStillness, quietMs);
    while (underWay > 0 || performance.now() - changedAt < quietMs) await wait(40);
  };
  await page.goto(url);
  await settle();
  await page.evaluate(scrollThrough);
  await settle();
}

/* global document, MutationObserver, scrollTo, innerHeight, requestAnimationFrame -- these run in the page */
function waitForStillness(ms) {
  return new Promise((done) => {
    let timer = setTimeout(done, ms);
    new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(done, ms);
    }).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  });
}

async function scrollThrough() {
  for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
    scrollTo(0, top);
    await new Promise((done) => requestAnimationFrame(done));
  }
  scrollTo(0, 0);
}
