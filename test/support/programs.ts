// Programs in a real sandbox on a real session, without a server around them.
import { createLog } from "../../src/base/index.ts";
import {
  type BrowserSession,
  createProgramRunner,
  type ProgramOutcome,
  type ProgramRequest,
  type ProgramRunner,
  type ProgramRunnerOptions,
} from "../../src/engines/index.ts";
import { openTestBrowser, type TestBrowser } from "./browser.ts";
import { descendantsOf } from "./sessions.ts";

/** Processes of programs that this process runs, from the launcher to the program itself. */
export function programProcesses(): number[] {
  return descendantsOf(process.pid)
    .filter(({ command }) => command.includes("/kit/engines/programs/inside/program-main.js"))
    .map(({ pid }) => pid);
}

export interface TestPrograms {
  browser: TestBrowser;
  session: BrowserSession;
  runner: ProgramRunner;
  /** A second one of the same session. */
  createRunner(options?: Partial<ProgramRunnerOptions>): ProgramRunner;
  run(work: ProgramRequest["work"], more?: Partial<ProgramRequest>): Promise<ProgramOutcome>;
  /** JavaScript. */
  code(code: string, more?: Partial<ProgramRequest>): Promise<ProgramOutcome>;
  close(): Promise<void>;
}

export async function openTestPrograms(allow: string): Promise<TestPrograms> {
  const browser = openTestBrowser({ allow });
  const opened = await browser.openSession({ id: "test", signal: AbortSignal.timeout(60_000) });
  if (!opened.ok) throw new Error(opened.message);
  const { session } = opened;
  const log = createLog("debug", { write: (line) => void browser.logLines.push(line) });
  const createRunner: TestPrograms["createRunner"] = (options = {}) =>
    createProgramRunner(
      { net: browser.net, log },
      {
        concurrency: 3,
        mayRunUnsandboxed: false,
        searchPath: process.env.PATH ?? "",
        hiddenFolders: [],
        ...options,
      },
    );
  const runner = createRunner();
  const run: TestPrograms["run"] = (work, more = {}) =>
    runner.run({
      teamId: "team",
      work,
      memory: {},
      devtoolsSocket: session.devtoolsSocket,
      timeoutMs: 60_000,
      signal: new AbortController().signal,
      keepPicture: async (png) => `picture of ${png.length} bytes`,
      ...more,
    });
  return {
    browser,
    session,
    runner,
    createRunner,
    run,
    code: (code, more) => run({ kind: "code", code }, more),
    async close() {
      await session.close();
      runner.close();
      await browser.close();
    },
  };
}
