// The core of the tests under each Node that package.json promises. Node itself comes from the package registry, into a
// temporary folder, so that these are also runs of a Node outside of the system's folders.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installNode } from "../install-node.mjs";
import { readReport, root } from "../vitest-report.mjs";

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
  const { node, version } = installNode(wanted, folder);
  console.log(`\nNode ${version}`);
  const report = join(folder, "report.json");
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const options = ["--reporter=dot", "--reporter=json", `--outputFile.json=${report}`];
  spawnSync(node, [vitest, "run", ...options, ...core], { cwd: root, stdio: "inherit" });
  return readReport(`Node ${version}`, report);
}
