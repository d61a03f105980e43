// The dashboard: what a cold set-up takes with the build of its page, what its first load weighs, and when it can be used.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { median, startProgram } from "./measure.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const rounds = 5;

export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), "trawl-bench-"));
  try {
    const setup = measureSetup(join(folder, "copy"));
    const loads = await measureLoads(join(folder, "data"));
    return [
      {
        what: "Set-up of a fresh copy: packages from npm's cache, build, the dashboard's build",
        value: setup.seconds,
        unit: "s",
        bar: 60,
        detail: `the dashboard's build alone ${setup.pageSeconds} s`,
      },
      { what: "Script that the dashboard's first page loads, packed", value: firstLoadKb(), unit: "KB", bar: 250 },
      {
        what: "A section can be used after a load without cache, over loopback (median)",
        value: Math.round(median(loads)),
        unit: "ms",
        bar: 1000,
        detail: `${loads.map((ms) => Math.round(ms)).join(", ")} ms`,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Of the files that git knows, as they lie here. Packages come from npm's cache: what they take to download is not counted. */
function measureSetup(copy) {
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
  for (const name of listed.split("\0").filter((each) => each !== "" && existsSync(join(root, each)))) {
    mkdirSync(dirname(join(copy, name)), { recursive: true });
    cpSync(join(root, name), join(copy, name));
  }
  const run = (words) => execFileSync(process.execPath, words, { cwd: copy, stdio: "ignore" });
  execFileSync("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"], { cwd: copy, stdio: "ignore" });
  rmSync(join(copy, "node_modules"), { recursive: true });
  const seconds = timed(() => run(["scripts/setup.mjs"]));
  const pageSeconds = timed(() => run(["scripts/build-dashboard.mjs", join(copy, "page")]));
  return { seconds, pageSeconds };
}

function timed(work) {
  const startedAt = performance.now();
  work();
  return Math.round((performance.now() - startedAt) / 100) / 10;
}

function firstLoadKb() {
  const folder = join(root, "dist/dashboard/web");
  const html = readFileSync(join(folder, "index.html"), "utf8");
  const scripts = [...html.matchAll(/"\/dashboard\/(assets\/[^"]+\.js)"/g)].map(([, name]) => name);
  return Math.round(scripts.reduce((sum, name) => sum + statSync(join(folder, `${name}.gz`)).size, 0) / 1024);
}

/** Each in a browser without anything in its cache, from the request for the page to a field that can be filled in. */
async function measureLoads(dataDir) {
  const server = await startProgram([join(root, "dist/cli.js"), "serve"], {
    env: { PORT: "0", DATA_DIR: dataDir, TRAWL_AUTH: "none" },
    until: /API page\s+(http:\S+)\/docs/,
  });
  const places = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/google-chrome-stable"];
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath: places.find((place) => existsSync(place)), args: sandbox });
  const times = [];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const context = await browser.newContext();
      const page = await context.newPage();
      const startedAt = performance.now();
      await page.goto(`${server.match[1]}/dashboard/keys`, { waitUntil: "commit" });
      await page.getByRole("textbox", { name: "Name" }).waitFor();
      // The first one starts the browser's own processes.
      if (round > 0) times.push(performance.now() - startedAt);
      await context.close();
    }
  } finally {
    await browser.close();
    await server.stop();
  }
  return times;
}
