// Runs a TypeScript module of the tests in a process of its own, which a test may kill and which never outlives it.
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { onTestFinished } from "vitest";
import { endProcess } from "./cleanup.ts";

export interface Child {
  process: ChildProcess;
  /** What the module writes to standard output, line by line. */
  lines: AsyncIterableIterator<string>;
}

/** The module finds `input` as JSON in the environment variable CHILD_INPUT. */
export function startChild(module: URL, input: unknown): Child {
  const child = spawn(process.execPath, ["--input-type=module", "-"], {
    cwd: new URL("../..", import.meta.url),
    env: { ...process.env, CHILD_INPUT: JSON.stringify(input) },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(programOf(fileURLToPath(module)));
  onTestFinished(() => endProcess(child));
  return { process: child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

const programs = new Map<string, string>();

/** The module and all that it imports as one text: node itself reads no TypeScript, and a loader takes seconds to start. */
function programOf(file: string): string {
  const known = programs.get(file);
  if (known !== undefined) return known;
  const { outputFiles } = buildSync({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    packages: "external",
  });
  const made = outputFiles.map(({ text }) => text).join("");
  programs.set(file, made);
  return made;
}
