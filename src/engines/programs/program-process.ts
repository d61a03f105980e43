// One program's process: its work goes in, its output is kept up to a bound, and it ends when it should, with all it started.
import { spawn } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { killProcess, readProcessTree } from "../browser/process-tree.ts";
import type { ProcessAnswer, ProcessInput } from "./inside/work.ts";
import type { ProgramCommand } from "./sandbox.ts";

export interface ProcessEnd {
  stdout: string;
  stderr: string;
  /** Null when the process was killed before it could give one. */
  answer: ProcessAnswer | null;
  exitCode: number;
  /** Why it was ended before its time; null when it ended by itself. */
  killedFor: KillReason | null;
  isTruncated: boolean;
}

export type KillReason = "time" | "memory" | "output" | "caller" | "signal";

export interface ProcessBounds {
  /** Until the program itself begins. */
  startMs: number;
  /** From then on. */
  timeoutMs: number;
  /** Resident memory of all its processes together. */
  memoryBytes: number;
}

const megabyte = 1024 * 1024;
const maxOutputBytes = 1 * megabyte;
/** Pictures are in it. */
const maxAnswerBytes = 32 * megabyte;
/** Output far beyond what is kept is not meant to be read. */
const maxFloodBytes = 64 * megabyte;
const watchMs = 200;
/** What unshare says when its child was killed by a signal that it cannot send to itself. */
const launcherNotice = /unshare: sigprocmask[^\n]*\n$/;

export function runProcess(
  command: ProgramCommand,
  input: ProcessInput,
  { startMs, timeoutMs, memoryBytes }: ProcessBounds,
  signal: AbortSignal,
): Promise<ProcessEnd> {
  const { file, words, environment, uid } = command;
  const child = spawn(file, words, {
    cwd: "/",
    env: environment,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    detached: true,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let killedFor: KillReason | null = null;
  const kill = (reason: KillReason) => {
    killedFor ??= reason;
    if (child.pid !== undefined) killProcess(-child.pid);
  };
  const [stdout, stderr, answer] = [
    collect(child.stdout, maxOutputBytes, kill),
    collect(child.stderr, maxOutputBytes, kill),
    collect(child.stdio[3] as Readable, maxAnswerBytes, kill),
  ];
  child.stdin.on("error", () => undefined);
  child.stdin.end(JSON.stringify(input));

  let timer = setTimeout(kill, startMs, "time");
  child.stdio[3]?.once("data", () => {
    clearTimeout(timer);
    timer = setTimeout(kill, timeoutMs, "time");
  });
  const watch = setInterval(() => {
    const total = readProcessTree(child.pid ?? -1).reduce((sum, each) => sum + each.residentBytes, 0);
    if (total > memoryBytes) kill("memory");
  }, watchMs);
  const giveUp = () => kill("caller");
  signal.addEventListener("abort", giveUp);
  if (signal.aborted) giveUp();

  return new Promise((done, fail) => {
    const end = () => {
      clearTimeout(timer);
      clearInterval(watch);
      signal.removeEventListener("abort", giveUp);
    };
    child.once("error", (error) => {
      end();
      fail(error);
    });
    child.once("close", (code, endSignal) => {
      end();
      const said = readAnswer(answer.text());
      const reason = killedFor ?? (said === null ? "signal" : null);
      done({
        stdout: stdout.text(),
        stderr: stderr.text().replace(launcherNotice, ""),
        answer: said,
        exitCode: reason === null ? (code ?? 1) : 128 + constants.signals[endSignal ?? "SIGKILL"],
        killedFor: reason,
        isTruncated: stdout.isTruncated() || stderr.isTruncated(),
      });
    });
  });
}

function collect(from: Readable, maxBytes: number, kill: (reason: KillReason) => void) {
  const pieces: Buffer[] = [];
  let kept = 0;
  let seen = 0;
  from.on("error", () => undefined);
  from.on("data", (piece: Buffer) => {
    seen += piece.length;
    if (seen > maxFloodBytes) kill("output");
    const taken = piece.subarray(0, maxBytes - kept);
    if (taken.length === 0) return;
    kept += taken.length;
    pieces.push(taken);
  });
  return { text: () => Buffer.concat(pieces).toString("utf8"), isTruncated: () => seen > kept };
}

/** Null when nothing was said. The pipe is the program's own: what it wrote there itself is no answer. */
function readAnswer(text: string): ProcessAnswer | null {
  if (text.trim() === "") return null;
  try {
    const answer = JSON.parse(text);
    return typeof answer === "object" && answer !== null ? answer : {};
  } catch {
    return {};
  }
}
