// The first file of a program's process. The work comes over stdin, its answer goes out over the fourth pipe, what the
// program prints over the usual two. Only this folder, playwright-core and node are there.
import { readFileSync, writeSync } from "node:fs";
import { reopen } from "./reopen.ts";
import { runCode } from "./run-code.ts";
import { runInterpreter } from "./run-interpreter.ts";
import { runVerbs } from "./run-verbs.ts";
import { openSession } from "./session.ts";
import type { ProcessAnswer, ProcessInput } from "./work.ts";

const answerPipe = 3;

async function perform({ work, devtoolsSocket, timeoutMs }: ProcessInput): Promise<ProcessAnswer> {
  switch (work.kind) {
    case "probe":
      return { result: "ready" };
    case "code":
      return runCode(work.code, await openSession(devtoolsSocket, timeoutMs));
    case "verbs":
      return runVerbs(work, await openSession(devtoolsSocket, timeoutMs));
    case "reopen":
      return reopen(work, await openSession(devtoolsSocket, timeoutMs), timeoutMs);
    case "interpreter":
      return runInterpreter(work, devtoolsSocket);
  }
}

function say(answer: ProcessAnswer): void {
  const bytes = Buffer.from(JSON.stringify(answer));
  for (let at = 0; at < bytes.length; ) at += writeSync(answerPipe, bytes, at);
}

const input = JSON.parse(readFileSync(0, "utf8")) as ProcessInput;
try {
  say(await perform(input));
  // Timers that a program left behind do not keep its caller waiting.
  process.exit();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error)}\n`);
  process.exit(1);
}
