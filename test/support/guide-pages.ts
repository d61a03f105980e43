// A guide as its reader follows it: programs that it lists are saved, its commands run one after the other against a real server and
// the site of scripts/example-site.mjs, and what they print is compared with the answer that the page shows below them.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { endProcess } from "./cleanup.ts";
import { runCommand } from "./command.ts";
import { compareShown, type ShownIds } from "./shown-answers.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);

interface GuideBlock {
  language: string;
  text: string;
}

export const readGuide = (file: string) => readFileSync(join(root, file), "utf8");

function blocksOf(page: string): GuideBlock[] {
  const fences = page.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm);
  return Array.from(fences, ([, language = "", text = ""]) => ({ language, text }));
}

/** Lines with which a block begins that its reader enters elsewhere: the test has done that. */
const before = ["OPEN_SEARCH=0 ", "WEBHOOK_SECRET=", "node scripts/example-site.mjs", "export TRAWL_API_URL="];

export interface ExampleSite {
  url: string;
  stop(): Promise<void>;
}

export async function startExampleSite(): Promise<ExampleSite> {
  const child = spawn(process.execPath, [join(root, "scripts/example-site.mjs"), "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(child.stdout, "data");
  return { url: /http:\S+/.exec(String(line))?.[0] ?? "", stop: () => endProcess(child) };
}

export interface GuideWorld {
  site: string;
  server: string;
  key: string;
  /** More of the page's words, and what they are here. */
  words?: Record<string, string>;
}

/** What programs of the pages import: the clone has all but the SDK, which its reader installs. */
function linkPackages(folder: string): void {
  mkdirSync(folder);
  for (const name of ["libsql", "@modelcontextprotocol"])
    symlinkSync(join(root, "node_modules", name), join(folder, name));
  symlinkSync(join(root, "test/clients/node_modules/firecrawl"), join(folder, "firecrawl"));
  symlinkSync(root, join(folder, "trawl"));
}

let latestTurn: Promise<unknown> = Promise.resolve();

/** Pages are followed at the same time, and a command has the folder, settings and output of the whole process. */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = latestTurn.then(work, work);
  latestTurn = turn;
  return turn;
}

/** The reader's terminal, in a folder with what the page has them save. Commands and what they print are as the page has them. */
function openTerminal(world: GuideWorld, ids: ShownIds) {
  const folder = temporaryFolder();
  linkPackages(join(folder, "node_modules"));
  const cli = join(root, "dist/cli.js");
  writeFileSync(join(folder, "trawl"), `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`);
  chmodSync(join(folder, "trawl"), 0o755);
  const own = { TRAWL_API_URL: world.server, TRAWL_API_KEY: world.key };
  const env = { PATH: `${folder}:${process.env.PATH}`, ...own };
  const places = Object.entries({ "127.0.0.1:8080": world.site, "127.0.0.1:3002": world.server }).flatMap(
    ([shown, url]) => {
      const { host } = new URL(url);
      // Names of files have a dash before the port.
      return [[shown, host] as const, [shown.replace(":", "-"), host.replace(":", "-")] as const];
    },
  );
  const words = Object.entries({ ...world.words, "fc-your-key": world.key });
  const replace = (text: string, pairs: readonly (readonly [string, string])[]) =>
    pairs.reduce((result, [from, to]) => result.replaceAll(from, to), text);
  const toReal = (text: string) => replace(text, [...places, ...words, ...ids]);
  const left: ChildProcess[] = [];

  async function shell(lines: string): Promise<string> {
    const child = spawn("sh", ["-ec", lines], { cwd: folder, env, detached: true });
    left.push(child);
    const output = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const)
      child[stream].on("data", (text) => {
        output[stream] += text;
      });
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`${lines} ended with ${code}: ${output.stdout}${output.stderr}`);
    return output.stdout;
  }

  /** In this process, which saves the start of one. */
  async function command(line: string): Promise<string> {
    const { stdout: args } = await run("sh", ["-c", `printf '%s\\n' ${line.slice("trawl ".length)}`], { env });
    const { code, stdout, stderr } = await inTurn(async () => {
      const here = process.cwd();
      process.chdir(folder);
      const words = args.trimEnd().split("\n");
      return runCommand(words, { PATH: env.PATH, ...own }).finally(() => process.chdir(here));
    });
    if (code !== 0) throw new Error(`${line} ended with ${code}: ${stderr}`);
    return stdout;
  }

  return {
    save: (name: string, text: string) => writeFileSync(join(folder, name), toReal(text)),
    async enter(text: string): Promise<string> {
      let printed = "";
      for (const part of partsOf(toReal(text))) printed += await (isCommand(part) ? command(part) : shell(part));
      return places.reduce((result, [shown, real]) => result.replaceAll(real, shown), printed);
    },
    /** Ends what commands have left in the background. */
    close() {
      for (const { pid } of left) endGroup(pid);
    },
  };
}

type Terminal = ReturnType<typeof openTerminal>;

/** Resolves when every command of the page has printed what the page shows; `answers` counts those. */
export async function followGuide(page: string, world: GuideWorld): Promise<{ answers: number }> {
  const ids: ShownIds = new Map();
  const terminal = openTerminal(world, ids);
  let answers = 0;
  let latest = { text: "", printed: "" };
  try {
    for (const { language, text } of blocksOf(page)) {
      const file = /^(?:\/\/|#) (\S+\.(?:mjs|py))\b/.exec(text)?.[1];
      if (file !== undefined) terminal.save(file, text);
      else if (language === "sh")
        latest = { text, printed: isEnteredElsewhere(text) ? "" : await terminal.enter(text) };
      else if (["json", "text", "markdown"].includes(language)) {
        await untilShown(terminal, latest, (real) => compareShown(language, text, real, ids));
        answers += 1;
      }
    }
  } finally {
    terminal.close();
  }
  return { answers };
}

const isEnteredElsewhere = (text: string) => before.some((begin) => text.startsWith(begin));

async function untilShown(
  terminal: Terminal,
  { text, printed }: { text: string; printed: string },
  compare: (real: string) => void,
): Promise<void> {
  const end = Date.now() + 60_000;
  for (let real = printed; ; real = await terminal.enter(text)) {
    try {
      compare(real);
      return;
    } catch (error) {
      // What a reader looks for may be on its way, and looking twice changes nothing.
      if (!/^(?:cat|trawl search) /.test(text) || Date.now() > end) throw error;
    }
    await setTimeout(100);
  }
}

const isCommand = (part: string) => /^trawl [^|><;&`]*$/.test(part) && !part.includes("$(");

/** Commands of trawl one by one, and what is between them. */
function partsOf(text: string): string[] {
  const lines = text.trimEnd().replaceAll("\\\n", " ").split("\n");
  const parts: string[] = [];
  for (const line of lines) {
    const last = parts.at(-1);
    if (last === undefined || isCommand(line) || isCommand(last)) parts.push(line);
    else parts[parts.length - 1] = `${last}\n${line}`;
  }
  return parts;
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGTERM");
  } catch {
    // All of it has ended.
  }
}
