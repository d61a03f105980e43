// That no test passes by luck: `npm test` again and again in fresh clones of the last commit, the last half of the runs beside
// loops that take both cores.
//
//   npm run prove -- repeated-runs                 ten runs, five of them beside busy loops
//   npm run prove -- repeated-runs RUNS BUSY       as many runs, so many of them beside busy loops
//   npm run prove -- repeated-runs 2 1 FILES       only test files whose paths contain these
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readReport, root } from "../vitest-report.mjs";

const packages = ["node_modules", "test/clients/node_modules"];
const loops = 2;
/** A loop whose starter was killed ends all the same. */
const longestLoopMinutes = 120;

export function prove([runs = "10", busy = "5", ...files]) {
  const quiet = Number(runs) - Number(busy);
  return Array.from({ length: Number(runs) }, (_, index) => runOnce(index + 1, index >= quiet, files));
}

function runOnce(number, isBusy, files) {
  const folder = mkdtempSync(join(tmpdir(), "repeated-run-"));
  const clone = join(folder, "clone");
  const report = join(folder, "report.json");
  try {
    const ended = spawnSync("git", ["clone", "--quiet", "--no-hardlinks", root, clone], { stdio: "inherit" });
    if (ended.status !== 0) throw new Error("the checkout could not be cloned");
    takePackages(clone);
    const setup = timed(() => npm(["run", "pretest"], clone));
    const busy = isBusy ? startLoops() : [];
    const words = ["test", "--", "--reporter=dot", "--reporter=json", `--outputFile.json=${report}`, ...files];
    const tests = timed(() => npm(words, clone));
    for (const loop of busy) loop.kill("SIGKILL");
    const { subject, holds, ...counts } = readReport(
      `run ${number}${isBusy ? " beside busy loops" : ""}`,
      report,
      clone,
    );
    return { subject, holds, setupSeconds: setup, seconds: tests, ...counts };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Those that are installed here: the runs are about the tests, not about the package registry. */
function takePackages(clone) {
  for (const place of packages) {
    const installed = join(root, place);
    if (!existsSync(installed)) continue;
    const copied = spawnSync("cp", ["-al", installed, dirname(join(clone, place))], { stdio: "ignore" });
    if (copied.status !== 0) cpSync(installed, join(clone, place), { recursive: true, verbatimSymlinks: true });
  }
}

function npm(words, cwd) {
  return spawnSync("npm", words, { cwd, stdio: "inherit" });
}

function timed(work) {
  const startedAt = performance.now();
  work();
  return Math.round((performance.now() - startedAt) / 1000);
}

function startLoops() {
  const program = `const end = Date.now() + ${longestLoopMinutes} * 60_000; while (Date.now() < end);`;
  return Array.from({ length: loops }, () => spawn(process.execPath, ["-e", program], { stdio: "ignore" }));
}
