// Runs a TypeScript module of the tests in a process of its own, which a test may kill and which never outlives it.
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { endProcess } from "./cleanup.ts";

export interface Child {
  process: ChildProcess;
  /** What the module writes to standard output, line by line. */
  lines: AsyncIterableIterator<string>;
}

/** The module finds `input` as JSON in the environment variable CHILD_INPUT. */
export function startChild(module: URL, input: unknown): Child {
  const program = `import { runnerImport } from "vite"; await runnerImport(${JSON.stringify(module.pathname)}, { configFile: false });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    cwd: new URL("../..", import.meta.url),
    env: { ...process.env, CHILD_INPUT: JSON.stringify(input) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => endProcess(child));
  return { process: child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}
