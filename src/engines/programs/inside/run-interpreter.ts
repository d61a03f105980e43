// A program of another language, where the operator allows it. It has no `page`: CDP_URL says where its session is.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { addressOf } from "./program-session.ts";
import type { ProcessAnswer, ProgramWork } from "./work.ts";

const commands = { bash: "bash", python: "python3" };
const places = "/usr/local/bin:/usr/bin:/bin";
const notFound = 127;

/** Python for such sessions elsewhere expects a `page`; Python itself would only report an unknown name. */
const noPage =
  "There is no page, context or browser in python programs here. CDP_URL says where the session is, for a library that is " +
  "installed in /usr and speaks the DevTools protocol over a unix socket; in language node they are there.";
const pythonStart = `
import sys
def tell(kind, error, trace):
    import re, traceback
    traceback.print_exception(kind, error, trace and trace.tb_next)
    if re.search(r"name '(page|context|browser)' is not defined|No module named 'playwright|'await' outside", str(error)):
        print(${JSON.stringify(noPage)}, file=sys.stderr)
sys.excepthook = tell
exec(compile(sys.stdin.read(), "program", "exec"), {"__name__": "__main__"})
`;

export async function runInterpreter(
  { language, code }: Extract<ProgramWork, { kind: "interpreter" }>,
  devtoolsSocket: string,
  tellStart: () => void,
): Promise<ProcessAnswer> {
  tellStart();
  const environment = {
    HOME: "/tmp",
    LANG: "C.UTF-8",
    PATH: places,
    CDP_URL: addressOf(devtoolsSocket),
  };
  const isPython = language === "python";
  const program = spawn(commands[language], ["-c", isPython ? pythonStart : code], {
    env: environment,
    stdio: [isPython ? "pipe" : "ignore", "inherit", "inherit"],
  });
  program.stdin?.on("error", () => undefined);
  program.stdin?.end(code);
  process.exitCode = await new Promise<number>((done) => {
    program.once("error", (error) => {
      const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
      const why = isMissing ? `it is in none of ${places}` : error.message;
      process.stderr.write(`${commands[language]} could not be started: ${why}\n`);
      done(notFound);
    });
    program.once("exit", (code, signal) => done(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
  return {};
}
