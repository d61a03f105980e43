// The core of the tests under each Node that package.json promises. Node itself comes from the package registry, into a
// temporary folder, so that these are also runs of a Node outside of the system's folders.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readReport, root } from "../vitest-report.mjs";

const packageName = `node-${process.platform}-${process.arch}`;
/** The oldest that is promised, and the newest of the lines after it. */
const promised = ["20.19.0", "22", "24", "26"];
/** Rooms without a store, the store, and through the API: scrape, crawl, the HTTP face, the command, a rendered page. */
const core = [
  ...["src/base", "src/contract", "src/content", "src/discovery", "src/net", "src/http", "src/store", "src/engines"],
  ...["test/store/opening", "test/store/transactions", "test/store/blobs", "test/store/scrapes"],
  ...["scrape-contract", "crawl", "http", "serve", "browser", "node-outside"].map((name) => `test/e2e/${name}.test.ts`),
];

/** Words are the versions to prove; without any, all. */
export async function prove(words) {
  const folder = mkdtempSync(join(tmpdir(), "trawl-prove-"));
  chmodSync(folder, 0o755);
  try {
    execFileSync(process.execPath, [join(root, "scripts/setup.mjs"), "--tests"], { cwd: root, stdio: "inherit" });
    return (words.length === 0 ? promised : words).map((wanted) => proveVersion(wanted, join(folder, wanted)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function proveVersion(wanted, folder) {
  const version = findVersion(wanted);
  const node = install(version, folder);
  console.log(`\nNode ${version}`);
  const report = join(folder, "report.json");
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const options = ["--reporter=dot", "--reporter=json", `--outputFile.json=${report}`];
  spawnSync(node, [vitest, "run", ...options, ...core], { cwd: root, stdio: "inherit" });
  return readReport(`Node ${version}`, report);
}

/** The newest of a line, if only its number is given. */
function findVersion(wanted) {
  const text = execFileSync("npm", ["view", packageName, "versions", "--json"], { encoding: "utf8" });
  const numbers = (version) => version.split(".").map(Number);
  const fitting = JSON.parse(text).filter((version) => `${version}.`.startsWith(`${wanted}.`));
  const [newest] = fitting.sort((a, b) => {
    const [x, y] = [numbers(a), numbers(b)];
    return y[0] - x[0] || y[1] - x[1] || y[2] - x[2];
  });
  if (newest === undefined) throw new Error(`${packageName} has no version ${wanted}`);
  return newest;
}

function install(version, folder) {
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), "{}");
  const words = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", `${packageName}@${version}`];
  execFileSync("npm", words, { cwd: folder, stdio: "inherit" });
  const node = join(folder, "node_modules", packageName, "bin/node");
  const found = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  if (found !== `v${version}`) throw new Error(`${packageName}@${version} holds ${found}`);
  return node;
}
