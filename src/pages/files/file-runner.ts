// Files are read in separate processes, with bounds on time, memory and output: whatever a file does to its reader, it costs
// no other request. Processes start with the first file, serve one file at a time, and end when idle.
import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compiledFile, createSemaphore } from "../../base/index.ts";
import type { FileFaultKind, ParsedFile, Transcribe } from "../../documents/index.ts";
import type { FileMessage, FileTask, SeenImage } from "./file-messages.ts";

export interface FileRunnerOptions {
  processes: number;
  /** Of one process, its heap and everything else. */
  maxMemoryMb: number;
}

export interface FileFailure {
  fault: FileFaultKind;
  message: string;
}

export interface FileRun {
  teamId: string;
  signal: AbortSignal;
  onPage?: ((page: number, total: number) => void) | undefined;
  /** Reads the image of a page; null when it cannot. */
  transcribe?: Transcribe | undefined;
}

export interface FileRunner {
  /** Rejects only with the signal's reason. */
  read(task: Omit<FileTask, "showsImages">, run: FileRun): Promise<ParsedFile | FileFailure>;
  /** Of the processes that run now. */
  pids(): number[];
  /** Files being read, and those that wait for a process. */
  load(): { active: number; waiting: number };
  close(): Promise<void>;
}

/** What Node itself takes before it reads anything. */
const ownMemoryMb = 160;
const idleMs = 30_000;
const memoryCheckMs = 100;
const pageSize = 4096;

const childFile = compiledFile(import.meta.url, "./file-child.ts");

class Child {
  readonly process: ChildProcess;
  private idle: NodeJS.Timeout | null = null;

  constructor(maxMemoryMb: number) {
    this.process = fork(fileURLToPath(childFile), {
      serialization: "advanced",
      execArgv: [`--max-old-space-size=${maxMemoryMb}`],
      env: {},
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.process.on("error", () => this.end());
    // A server that stops does not wait for them.
    this.process.unref();
    this.process.channel?.unref();
  }

  rest(onIdle: () => void): void {
    this.idle = setTimeout(onIdle, idleMs);
    this.idle.unref();
  }

  wake(): void {
    if (this.idle) clearTimeout(this.idle);
    this.process.channel?.ref();
  }

  end(): void {
    if (this.idle) clearTimeout(this.idle);
    this.process.kill("SIGKILL");
  }

  /** 0 where the system does not say. */
  memoryMb(): number {
    try {
      const pages = readFileSync(`/proc/${this.process.pid}/statm`, "utf8").split(" ")[1];
      return (Number(pages) * pageSize) / 1024 ** 2;
    } catch {
      return 0;
    }
  }
}

export function createFileRunner({ processes, maxMemoryMb }: FileRunnerOptions): FileRunner {
  const turns = createSemaphore({ places: processes });
  const resting: Child[] = [];
  const all = new Set<Child>();
  let isClosed = false;

  function start(): Child {
    const child = new Child(maxMemoryMb);
    all.add(child);
    child.process.once("exit", () => {
      all.delete(child);
      forget(child);
    });
    return child;
  }

  /** A process that still receives messages: it may be ending by itself. */
  function rested(): Child | undefined {
    let child = resting.pop();
    while (child && (!child.process.connected || child.process.killed)) child = resting.pop();
    return child;
  }

  /** At once: a process that was told to end serves no further file, although it takes a moment. */
  function forget(child: Child): void {
    const place = resting.indexOf(child);
    if (place >= 0) resting.splice(place, 1);
  }

  function giveBack(child: Child, isSound: boolean): void {
    const isLarge = child.memoryMb() > maxMemoryMb / 2 + ownMemoryMb;
    if (!isSound || isLarge || isClosed || !child.process.connected) {
      child.end();
      return;
    }
    child.process.channel?.unref();
    resting.push(child);
    child.rest(() => {
      forget(child);
      child.end();
    });
  }

  return {
    async read(given, { teamId, signal, onPage, transcribe }) {
      const task = { ...given, showsImages: transcribe !== undefined };
      const release = await turns.acquire(signal, teamId);
      const child = rested() ?? start();
      child.wake();
      let isSound = false;
      try {
        const outcome = await ask(child, task, { signal, onPage, transcribe, maxMemoryMb });
        isSound = "file" in outcome || (outcome.fault !== "internal" && outcome.isAnswered);
        if ("file" in outcome) return outcome.file;
        const { fault, message } = outcome;
        return fault === "internal" ? brokenBy(message) : { fault, message };
      } finally {
        giveBack(child, isSound);
        release();
      }
    },
    load: () => turns.count(),
    pids: () => [...all].flatMap(({ process }) => process.pid ?? []),
    async close() {
      isClosed = true;
      for (const child of all) child.end();
    },
  };
}

/** A fault that no reader expects: the file is the likely cause, and the message helps to report it. */
function brokenBy(message: string): FileFailure {
  return { fault: "broken", message: `The file cannot be read: ${message.slice(0, 200)}` };
}

type Outcome = { file: ParsedFile } | { fault: FileFaultKind | "internal"; message: string; isAnswered: boolean };
type AskOptions = Pick<FileRun, "signal" | "onPage" | "transcribe"> & { maxMemoryMb: number };

function ask(child: Child, task: FileTask, options: AskOptions): Promise<Outcome> {
  const { signal, onPage, transcribe, maxMemoryMb } = options;
  const { process } = child;
  const look = async ({ show, image, page }: Extract<FileMessage, { show: number }>) => {
    const markdown = (await transcribe?.(image, page).catch(() => null)) ?? null;
    const seen: SeenImage = { seen: show, markdown };
    if (process.connected) process.send(seen, () => {});
  };
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearInterval(watch);
      process.off("message", receive);
      process.off("exit", lose);
      signal.removeEventListener("abort", stop);
    };
    const finish = (outcome: Outcome) => {
      leave();
      resolve(outcome);
    };
    const receive = (said: unknown) => {
      const message = said as FileMessage;
      if ("show" in message) void look(message);
      else if ("page" in message) onPage?.(message.page, message.total);
      else if ("file" in message) finish(message);
      else finish({ ...message, isAnswered: true });
    };
    const tooLarge = `Reading the file takes more than ${maxMemoryMb} MB of memory`;
    const lose = (_code: number | null, how: NodeJS.Signals | null) => {
      // V8 aborts when its heap is full.
      if (how === "SIGABRT") finish({ fault: "limit", message: tooLarge, isAnswered: false });
      else finish({ fault: "broken", message: "The process that read the file was lost", isAnswered: false });
    };
    const stop = () => {
      leave();
      reject(signal.reason);
    };
    const watch = setInterval(() => {
      if (child.memoryMb() > maxMemoryMb + ownMemoryMb)
        finish({ fault: "limit", message: tooLarge, isAnswered: false });
    }, memoryCheckMs);
    process.on("message", receive);
    process.once("exit", lose);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) return stop();
    // A process that is gone answers by its exit.
    process.send(task, () => {});
    if (!process.connected) lose(null, null);
  });
}
