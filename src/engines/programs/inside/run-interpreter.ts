// A program of another language, where the operator allows it. It has no `page`: CDP_URL says where its session is.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { addressOf } from "./session.ts";
import type { ProcessAnswer, ProgramWork } from "./work.ts";

const commands = { bash: "bash", python: "python3" };
const notFound = 127;

export async function runInterpreter(
  { language, code }: Extract<ProgramWork, { kind: "interpreter" }>,
  devtoolsSocket: string,
  tellStart: () => void,
): Promise<ProcessAnswer> {
  tellStart();
  const environment = {
    HOME: "/tmp",
    LANG: "C.UTF-8",
    PATH: "/usr/local/bin:/usr/bin:/bin",
    CDP_URL: addressOf(devtoolsSocket),
  };
  const program = spawn(commands[language], ["-c", code], {
    env: environment,
    stdio: ["ignore", "inherit", "inherit"],
  });
  process.exitCode = await new Promise<number>((done) => {
    program.once("error", (error) => {
      process.stderr.write(`${commands[language]} could not be started: ${error.message}\n`);
      done(notFound);
    });
    program.once("exit", (code, signal) => done(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
  return {};
}
