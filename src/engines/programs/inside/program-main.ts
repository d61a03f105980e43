// The first file of a program's process. The work comes over stdin, its answer goes out over the fourth pipe, what the
// program prints over the usual two. Only this folder, playwright-core and node are there.
import { readFileSync, writeSync } from "node:fs";
import { openProgramSession } from "./program-session.ts";
import { reopen } from "./reopen.ts";
import { runCode } from "./run-code.ts";
import { runInterpreter } from "./run-interpreter.ts";
import { runVerbs } from "./run-verbs.ts";
import type { ProcessAnswer, ProcessInput } from "./work.ts";

const answerPipe = 3;

let answer: ProcessAnswer = {};

async function perform({ work, memory, devtoolsSocket, timeoutMs }: ProcessInput): Promise<ProcessAnswer> {
  if (work.kind === "probe") return { result: "ready" };
  if (work.kind === "interpreter") return runInterpreter(work, devtoolsSocket, tellStart);
  const session = await openProgramSession(devtoolsSocket, timeoutMs, memory.pageId);
  const { pageId } = session;
  // Even a program that ends itself leaves this.
  answer = { memory: { pageId } };
  tellStart();
  switch (work.kind) {
    case "code":
      return { ...answer, ...(await runCode(work.code, session)) };
    case "verbs":
      return runVerbs(work, session, memory, timeoutMs);
    case "reopen":
      return { ...answer, ...(await reopen(work, session, timeoutMs)) };
  }
}

/** From here on it is the program's own time. JSON may begin with a space. */
function tellStart(): void {
  writeSync(answerPipe, " ");
}

/** What is printed goes out in the order of its printing, so behind this everything has. */
function flush(to: NodeJS.WriteStream): Promise<void> {
  return new Promise((done) => to.write("", () => done()));
}

// Said however the process ends by itself: one that says nothing was killed.
process.on("exit", () => {
  const bytes = Buffer.from(JSON.stringify(answer));
  for (let at = 0; at < bytes.length; ) at += writeSync(answerPipe, bytes, at);
});

const input = JSON.parse(readFileSync(0, "utf8")) as ProcessInput;
try {
  answer = await perform(input);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error)}\n`);
  process.exitCode = 1;
}
await Promise.all([flush(process.stdout), flush(process.stderr)]);
// Timers that a program left behind do not keep its caller waiting.
process.exit();
