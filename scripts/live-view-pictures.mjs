// `node scripts/live-view-pictures.mjs` makes the pictures of docs/reach.md again: a server, a site with a block page, a browser session in
// which a person passes it, and what the live view shows of that before and after.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { send, startProgram } from "../bench/measure.mjs";
import { findChromium } from "../dist/engines/browser/find-chromium.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const size = { width: 800, height: 350 };
const look = `<meta charset="utf-8"><style>body { font: 22px/1.5 sans-serif; margin: 90px auto; max-width: 760px; color: #234 }
  label { display: block; border: 2px solid #aab; border-radius: 8px; padding: 22px; margin: 40px 0 } input { width: 24px; height: 24px }</style>`;
const blockPage = `<!doctype html>${look}<title>Just a moment...</title><h1>nets.example</h1>
  <p>Please show that a person reads this page.</p>
  <label><input type="checkbox" onclick="document.cookie='pass=1;path=/';setTimeout(() => location.reload(), 200)"> I am human</label>
  <form id="challenge-form"></form>`;
const page = `<!doctype html>${look}<title>Nets</title><h1>Nets for every boat</h1>
  <p>Hand nets, seine nets and drift nets, made in the long shed behind the old mill and dried in the wind.</p>
  <p>Ten metres of hand net cost 24.00.</p>`;

const site = createServer((request, response) => {
  const isPassed = /pass=1/.test(request.headers.cookie ?? "");
  response.writeHead(isPassed ? 200 : 403, { "content-type": "text/html" }).end(isPassed ? page : blockPage);
});
await new Promise((done) => site.listen(0, "127.0.0.1", done));
const siteUrl = `http://127.0.0.1:${site.address().port}/`;
const folder = mkdtempSync(join(tmpdir(), "trawl-pictures-"));
const server = await startProgram([join(root, "dist/cli.js"), "serve"], {
  env: { PORT: "0", HOST: "127.0.0.1", DATA_DIR: folder, ALLOWED_PRIVATE_HOSTS: "127.0.0.1", LOG_LEVEL: "warn" },
  until: /API page\s+(http:\S+)\/docs[\s\S]*API key\s+(\S+)/,
});
const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
const person = await chromium.launch({
  executablePath: findChromium(null, process.env.PATH ?? "") ?? "",
  args: sandbox,
});
try {
  const [, url, key] = server.match;
  const call = async (path, body) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    return JSON.parse(await send({ url: url + path, method: "POST", headers, body: JSON.stringify(body) }));
  };
  const session = await call("/v2/browser", { profile: { name: "reach nets.example", saveChanges: true } });
  await call(`/v2/browser/${session.id}/execute`, { code: `await page.goto(${JSON.stringify(siteUrl)})` });
  const view = await person.newPage({ viewport: size });
  await view.goto(session.interactiveLiveViewUrl);
  const shows = (title) =>
    view.waitForFunction((words) => document.querySelector("#where")?.textContent?.includes(words), title);
  await shows("Just a moment");
  // The picture comes a moment after the title.
  await view.waitForTimeout(1500);
  await view.screenshot({ path: join(root, "docs/reach-block-page.png") });
  await call(`/v2/browser/${session.id}/execute`, { code: "await page.click('input')" });
  await shows("Nets");
  await view.waitForTimeout(1500);
  await view.screenshot({ path: join(root, "docs/reach-passed.png") });
} finally {
  await person.close();
  await server.stop();
  site.close();
  rmSync(folder, { recursive: true, force: true });
}
