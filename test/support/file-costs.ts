// Counts what each test file starts, how much CPU it takes and how long it waits, for the report at the end of a run. Vitest runs
// this before every file.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { costsFolder, costsOf, type FileCosts, forgetCosts } from "./cost-counters.ts";
import { endedChildrenSeconds, mainThreadSeconds } from "./cpu-time.ts";

forgetCosts();
const before = readClocks();

function readClocks() {
  const { user, system } = process.cpuUsage();
  const thread = mainThreadSeconds();
  // What is neither running nor waiting for a core is idle.
  const idle = thread ? performance.now() / 1000 - thread.running - thread.queued : 0;
  return { own: (user + system) / 1e6, children: endedChildrenSeconds(), idle };
}

function countProcess(message: unknown): void {
  const { process: child } = message as { process: { spawnargs?: string[] } };
  // What it was started with is known once it has been started.
  queueMicrotask(() => {
    const costs = costsOf();
    costs.processes += 1;
    const words = child.spawnargs ?? [];
    if (words.some((word) => word.startsWith("--remote-debugging-"))) costs.browsers += 1;
    // A caller's program in its sandbox, or outside of it.
    else if (words.some((word) => word.endsWith("/program-main.js"))) costs.programs += 1;
  });
}

subscribe("child_process", countProcess);

afterAll(() => {
  unsubscribe("child_process", countProcess);
  const after = readClocks();
  const file = expect.getState().testPath ?? "";
  const folder = join(tmpdir(), costsFolder);
  mkdirSync(folder, { recursive: true });
  const costs: FileCosts = {
    ...costsOf(),
    ownSeconds: after.own - before.own,
    childSeconds: after.children - before.children,
    idleSeconds: after.idle - before.idle,
  };
  writeFileSync(join(folder, `${file.replaceAll(/[^\w.-]/g, "_")}.json`), JSON.stringify({ file, ...costs }));
});
