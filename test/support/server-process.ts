// The built command in a process of its own, as a user runs it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { endProcess } from "./cleanup.ts";

const cli = join(import.meta.dirname, "../../dist/cli.js");

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface ServerProcess {
  url: string;
  pid: number;
  stdout(): string;
  kill(signal: NodeJS.Signals): void;
  /** Nobody reads what it writes from now on. */
  closeOutput(): void;
  finished: Promise<Finished>;
}

type Environment = Record<string, string>;

/** Killed when the test ends, should it still run then. */
function launch(args: string[], env: Environment, node = process.execPath) {
  const child = spawn(node, [cli, ...args], {
    env: { PATH: process.env["PATH"] ?? "", TMPDIR: tmpdir(), OPEN_SEARCH: "0", ...env },
  });
  onTestFinished(() => endProcess(child));
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (text) => {
    output.stdout += text;
  });
  child.stderr.on("data", (text) => {
    output.stderr += text;
  });
  const finished = once(child, "close").then(([code]) => ({ code, ...output }) as Finished);
  return { child, output, finished };
}

/** A command that is interrupted before its end. */
export function startCli(args: string[], env: Environment) {
  const { child, output, finished } = launch(args, env);
  return { kill: (signal: NodeJS.Signals) => child.kill(signal), stderr: () => output.stderr, finished };
}

export function runCli(args: string[], env: Environment, node?: string): Promise<Finished> {
  return launch(args, env, node).finished;
}

/** Resolves once the server says that it is ready. */
export async function startServer(
  env: Environment,
  role?: "api" | "worker" | "browser",
  node?: string,
): Promise<ServerProcess> {
  const words = ["serve", ...(role ? ["--role", role] : [])];
  const { child, output, finished } = launch(words, { PORT: "0", ...env }, node);
  const url = await new Promise<string>((ready, failed) => {
    child.stdout.on("data", () => {
      const page = /(?:API page\s+|is processing.*)(http:\S+)\/(?:docs[\s\S]*Try it.*|health.*)\n/.exec(output.stdout);
      if (page) ready(page[1] as string);
    });
    void finished.then(({ stderr }) => failed(new Error(`the server ended: ${stderr}`)));
  });
  const closeOutput = () => {
    child.stdout.destroy();
    child.stderr.destroy();
  };
  return {
    url,
    pid: child.pid ?? 0,
    stdout: () => output.stdout,
    kill: (signal) => child.kill(signal),
    closeOutput,
    finished,
  };
}
