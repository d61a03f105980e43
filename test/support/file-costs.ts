// Counts what each test file starts and how much CPU it takes, for the report at the end of a run. Vitest runs this before every file.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { costsFolder, costsOf } from "./cost-counters.ts";

const costs = costsOf();
Object.assign(costs, { apps: 0, databases: 0, processes: 0, browsers: 0 });
const cpuBefore = process.cpuUsage();

function countProcess(message: unknown): void {
  const { process: child } = message as { process: { spawnfile?: string } };
  // The name of the program is known once it has been started.
  queueMicrotask(() => {
    costs.processes += 1;
    if (/chrom/i.test(child.spawnfile ?? "")) costs.browsers += 1;
  });
}

subscribe("child_process", countProcess);

afterAll(() => {
  unsubscribe("child_process", countProcess);
  const { user, system } = process.cpuUsage(cpuBefore);
  const file = expect.getState().testPath ?? "";
  const folder = join(tmpdir(), costsFolder);
  mkdirSync(folder, { recursive: true });
  const cpuMs = Math.round((user + system) / 1000);
  writeFileSync(join(folder, `${file.replaceAll(/[^\w.-]/g, "_")}.json`), JSON.stringify({ file, cpuMs, ...costs }));
});
