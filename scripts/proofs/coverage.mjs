// Which lines and branches of src the whole suite runs, in test processes, their threads, servers and child processes.
//
//   npm run prove -- coverage               this checkout; rows are named "now"
//   npm run prove -- coverage before DIR    another checkout with installed packages
//   npm run prove -- coverage now . PARTS   only test files whose paths contain these
//
// V8 counts; the counts of all processes are joined on the compiled files, which keep the statements and branches of their sources.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Counts } from "../run-counts/counts.mjs";
import { measureFile } from "../run-counts/measure-file.mjs";
import { root } from "../vitest-report.mjs";

/** Rows of another checkout stay. */
export const keepsOtherRows = true;

export async function prove([label = "now", folder = root, ...parts]) {
  const checkout = resolve(folder);
  const run = (words) => spawnSync(process.execPath, words, { cwd: checkout, stdio: "inherit" }).status === 0;
  if (!run(["scripts/setup.mjs", "--tests"])) throw new Error("the set-up failed");
  // In place of the bundles, so that every process runs the same compiled files.
  const compile = ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json", "--noCheck", "--checkers", "1"];
  if (!run(compile)) throw new Error("the sources could not be compiled");
  try {
    const counts = await runTests(checkout, parts);
    return rowsOf(label, counts);
  } finally {
    // The next set-up bundles again.
    rmSync(join(checkout, "dist/.trawl-setup"), { force: true });
  }
}

/** Reads what processes leave while others still run: together it is more than a disk may hold. */
async function runTests(checkout, parts) {
  const folder = mkdtempSync(join(tmpdir(), "coverage-"));
  const dumps = join(folder, "dumps");
  mkdirSync(dumps, { mode: 0o777 });
  const counts = new Counts(join(checkout, "dist"));
  const hook = new URL("../run-counts/hook.mjs", import.meta.url).href;
  const env = { ...process.env, NODE_V8_COVERAGE: dumps, NODE_OPTIONS: `--import=${hook}` };
  try {
    const words = ["node_modules/vitest/vitest.mjs", "run", ...parts];
    const tests = spawn(process.execPath, words, { cwd: checkout, env, stdio: "inherit" });
    const ended = new Promise((done) => tests.once("close", done));
    const reading = setInterval(() => counts.takeFrom(dumps), 5000);
    const code = await ended;
    clearInterval(reading);
    counts.takeFrom(dumps, { isOver: true });
    if (code !== 0) console.error(`the tests ended with ${code}; what they ran is counted all the same`);
    return counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowsOf(label, counts) {
  const rooms = new Map();
  const all = emptySum();
  for (const file of counts.listFiles()) {
    const measured = measureFile(file.path, file.countAt);
    const [first, second] = file.name.split("/");
    const room = second === undefined ? "(top)" : first;
    if (!rooms.has(room)) rooms.set(room, emptySum());
    for (const sum of [rooms.get(room), all]) for (const name of Object.keys(sum)) sum[name] += measured[name];
  }
  const rowOf = (room, sum) => ({
    subject: `${label}: ${room}`,
    holds: true,
    ...sum,
    "lines %": percent(sum.linesRun, sum.lines),
    "branches %": percent(sum.branchesRun, sum.branches),
  });
  const sorted = [...rooms].toSorted(([one], [other]) => one.localeCompare(other));
  return [...sorted.map(([room, sum]) => rowOf(room, sum)), rowOf("all", all)];
}

const emptySum = () => ({ lines: 0, linesRun: 0, branches: 0, branchesRun: 0 });

function percent(part, whole) {
  return whole === 0 ? 100 : Math.round((part / whole) * 10_000) / 100;
}
