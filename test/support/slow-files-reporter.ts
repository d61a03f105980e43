// Ends a run with its slowest files and what they spend their time on. With KEEP_SUITE_REPORT=1 the list of all files is kept in
// bench/results; with KEEP_SUITE_REPORT=FILE, in that file.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { arch, cpus, platform, tmpdir } from "node:os";
import { join } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { costsFolder, type FileCosts } from "./cost-counters.ts";
import { treeSeconds } from "./cpu-time.ts";

interface FileReport extends FileCosts {
  file: string;
  tests: number;
  seconds: number;
}

const listed = 40;
/** Faster files say nothing. */
const leastSeconds = 1;
/** Tests that take longer have their reason in test/acceptance/suite.md. */
const longTestSeconds = 5;
const noCosts: FileCosts = {
  apps: 0,
  databases: 0,
  processes: 0,
  browsers: 0,
  programs: 0,
  ownSeconds: 0,
  childSeconds: 0,
  idleSeconds: 0,
};
const resultFile = join(import.meta.dirname, "../../bench/results/suite.json");

export class SlowFilesReporter implements Reporter {
  readonly #startedAt = Date.now();
  /** Files that a process has begun and not ended. */
  readonly #begun = new Set<string>();
  readonly #write: (text: string) => void;
  readonly #keptIn: string | undefined;

  constructor(
    write: (text: string) => void = (text) => void process.stdout.write(text),
    keptIn = process.env.KEEP_SUITE_REPORT,
  ) {
    this.#write = write;
    this.#keptIn = keptIn;
  }

  onTestModuleQueued({ relativeModuleId }: TestModule): void {
    this.#begun.add(relativeModuleId);
  }

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    this.#begun.delete(relativeModuleId);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // A process that dies takes its file with it: Vitest says that a process ended, but not in which file.
    for (const file of this.#begun) this.#write(`\nBegun and not ended: ${file}\n`);
    const costs = readCosts(join(tmpdir(), costsFolder));
    const files = modules
      .map((module) => reportOf(module, costs))
      .toSorted((one, other) => other.seconds - one.seconds);
    const slow = files.filter(({ seconds }) => seconds >= leastSeconds).slice(0, listed);
    const totals = totalsOf(files);
    if (slow.length > 0) {
      this.#write(
        `\nSlowest files (of ${files.length}):\n${[...slow, { ...totals, file: "all" }].map(lineOf).join("\n")}\n`,
      );
    }
    const keptIn = this.#keptIn;
    if (!keptIn) return;
    const report = {
      date: new Date().toISOString().slice(0, 10),
      machine: `${platform()} ${arch()}, ${cpus().length} cores, Node ${process.versions.node}`,
      seconds: Math.round((Date.now() - this.#startedAt) / 1000),
      totals,
      longTests: modules.flatMap(listLongTests),
      files,
    };
    writeFileSync(keptIn === "1" ? resultFile : keptIn, `${JSON.stringify(report, null, 2)}\n`);
  }
}

function readCosts(folder: string): Map<string, FileCosts> {
  if (!existsSync(folder)) return new Map();
  const all = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")));
  return new Map(all.map(({ file, ...costs }) => [file, costs]));
}

function reportOf(module: TestModule, costs: ReadonlyMap<string, FileCosts>): FileReport {
  const { ownSeconds, childSeconds, idleSeconds, ...started } = costs.get(module.moduleId) ?? noCosts;
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  return {
    file: module.relativeModuleId,
    tests: [...module.children.allTests()].length,
    seconds: round((duration + collectDuration + setupDuration) / 1000),
    ownSeconds: round(ownSeconds),
    childSeconds: round(childSeconds),
    idleSeconds: round(idleSeconds),
    ...started,
  };
}

/** The whole run takes more CPU than its files: the runner itself, PostgreSQL, processes that end after the tests of their file. */
function totalsOf(files: readonly FileReport[]) {
  const sum = (of: (file: FileReport) => number) => round(files.reduce((total, file) => total + of(file), 0));
  const run = treeSeconds();
  return {
    files: files.length,
    tests: sum(({ tests }) => tests),
    seconds: sum(({ seconds }) => seconds),
    ownSeconds: sum(({ ownSeconds }) => ownSeconds),
    childSeconds: sum(({ childSeconds }) => childSeconds),
    idleSeconds: sum(({ idleSeconds }) => idleSeconds),
    apps: sum(({ apps }) => apps),
    databases: sum(({ databases }) => databases),
    processes: sum(({ processes }) => processes),
    browsers: sum(({ browsers }) => browsers),
    programs: sum(({ programs }) => programs),
    ...(run ? { runCpuSeconds: round(run.all), postgresCpuSeconds: round(run.postgres) } : {}),
  };
}

function listLongTests(module: TestModule) {
  return [...module.children.allTests()].flatMap((test) => {
    const seconds = round((test.diagnostic()?.duration ?? 0) / 1000);
    if (seconds < longTestSeconds) return [];
    return [{ test: `${module.relativeModuleId} > ${test.fullName}`, seconds }];
  });
}

function lineOf({ file, seconds, ownSeconds, childSeconds, idleSeconds, ...more }: FileReport): string {
  const { apps, databases, processes, browsers, programs } = more;
  const started = Object.entries({ apps, databases, processes, browsers, programs }).filter(([, count]) => count > 0);
  const what = started.map(([name, count]) => `${count} ${name}`).join(", ");
  const padded = (value: number) => value.toFixed(1).padStart(7);
  const times = `${padded(seconds)} s  CPU${padded(ownSeconds)} s, children${padded(childSeconds)} s, idle${padded(idleSeconds)} s`;
  return `${times}  ${file}${what ? `  (${what})` : ""}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
