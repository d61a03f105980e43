// Ends a run with its slowest files and what they spend their time on. With KEEP_SUITE_REPORT=1 the list is kept in bench/results.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { arch, cpus, platform, tmpdir } from "node:os";
import { join } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { costsFolder, type FileCosts } from "./cost-counters.ts";

interface FileReport extends FileCosts {
  file: string;
  tests: number;
  seconds: number;
  cpuSeconds: number;
}

const listed = 40;
/** Faster files say nothing. */
const leastSeconds = 1;
const noCosts = { apps: 0, databases: 0, processes: 0, browsers: 0, cpuMs: 0 };
const resultFile = join(import.meta.dirname, "../../bench/results/suite.json");

export class SlowFilesReporter implements Reporter {
  readonly #startedAt = Date.now();
  readonly #write: (text: string) => void;

  constructor(write: (text: string) => void = (text) => void process.stdout.write(text)) {
    this.#write = write;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const costs = readCosts(join(tmpdir(), costsFolder));
    const files = modules
      .map((module) => reportOf(module, costs))
      .toSorted((one, other) => other.seconds - one.seconds);
    const slow = files.filter(({ seconds }) => seconds >= leastSeconds).slice(0, listed);
    if (slow.length > 0) this.#write(`\nSlowest files (of ${files.length}):\n${slow.map(lineOf).join("\n")}\n`);
    if (process.env.KEEP_SUITE_REPORT !== "1") return;
    const seconds = Math.round((Date.now() - this.#startedAt) / 1000);
    const machine = `${platform()} ${arch()}, ${cpus().length} cores, Node ${process.versions.node}`;
    const report = { date: new Date().toISOString().slice(0, 10), machine, seconds, totals: totalsOf(files), slow };
    writeFileSync(resultFile, `${JSON.stringify(report, null, 2)}\n`);
  }
}

function readCosts(folder: string): Map<string, FileCosts & { cpuMs: number }> {
  if (!existsSync(folder)) return new Map();
  const all = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
  return new Map(all.map(({ file, ...costs }) => [file, costs]));
}

function reportOf(module: TestModule, costs: ReadonlyMap<string, FileCosts & { cpuMs: number }>): FileReport {
  const { cpuMs, ...started } = costs.get(module.moduleId) ?? noCosts;
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  const seconds = round((duration + collectDuration + setupDuration) / 1000);
  const tests = [...module.children.allTests()].length;
  return { file: module.relativeModuleId, tests, seconds, cpuSeconds: round(cpuMs / 1000), ...started };
}

function totalsOf(
  files: readonly FileReport[],
): FileCosts & { tests: number; fileSeconds: number; cpuSeconds: number } {
  const sum = (of: (file: FileReport) => number) => round(files.reduce((total, file) => total + of(file), 0));
  return {
    tests: sum(({ tests }) => tests),
    fileSeconds: sum(({ seconds }) => seconds),
    cpuSeconds: sum(({ cpuSeconds }) => cpuSeconds),
    apps: sum(({ apps }) => apps),
    databases: sum(({ databases }) => databases),
    processes: sum(({ processes }) => processes),
    browsers: sum(({ browsers }) => browsers),
  };
}

function lineOf({ file, seconds, cpuSeconds, apps, databases, processes, browsers }: FileReport): string {
  const started = Object.entries({ apps, databases, processes, browsers }).filter(([, count]) => count > 0);
  const what = started.map(([name, count]) => `${count} ${name}`).join(", ");
  const times = `${seconds.toFixed(1).padStart(7)} s  ${cpuSeconds.toFixed(1).padStart(6)} s CPU`;
  return `${times}  ${file}${what ? `  (${what})` : ""}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
