// A command in the process of its test: the same words, settings and output, without the second that a process takes to start.
// It does not show that a process ends by itself or with which code: runCli of server-process.ts does.
import { tmpdir } from "node:os";
import { vi } from "vitest";
import { run } from "../../src/cli/command/run-command.ts";
import type { Finished } from "./server-process.ts";

/** One at a time: the settings are those of the whole process. `isTerminal`: standard error is one. */
export async function runCommand(args: string[], env: Record<string, string>, isTerminal = false): Promise<Finished> {
  const output = { stdout: "", stderr: "" };
  const collect = (stream: "stdout" | "stderr") =>
    vi.spyOn(process[stream], "write").mockImplementation((text) => {
      output[stream] += text;
      return true;
    });
  const collectors = [collect("stdout"), collect("stderr")];
  const { env: ownEnv, exitCode: ownCode } = process;
  const { isTTY } = process.stderr;
  process.stderr.isTTY = isTerminal;
  const streams = [process.stdout, process.stderr];
  const ownListeners = streams.flatMap((stream) => stream.listeners("error"));
  process.env = { PATH: ownEnv["PATH"], TMPDIR: tmpdir(), OPEN_SEARCH: "0", ...env };
  process.exitCode = 0;
  try {
    await run(args);
    return { code: Number(process.exitCode), ...output };
  } finally {
    process.env = ownEnv;
    process.exitCode = ownCode;
    process.stderr.isTTY = isTTY;
    for (const collector of collectors) collector.mockRestore();
    for (const stream of streams) {
      for (const listener of stream.listeners("error")) {
        if (!ownListeners.includes(listener)) stream.off("error", listener as () => void);
      }
    }
  }
}
