// Runs programs on the pages of a session: a place in the queue, a gateway to the session, a separate process.
import { createDeadline, createSemaphore, type Logger, type Release, ServiceError } from "../../base/index.ts";
import type { Net } from "../../net/index.ts";
import { type ProcessAnswer, type ProgramWork, pictureMark, type SessionMemory } from "./inside/work.ts";
import type { ProgramPlace } from "./kit.ts";
import { type KillReason, type ProcessEnd, runProcess } from "./program-process.ts";
import { createRuntimes, memoryBytes, type ProgramRuntime, type RuntimeOptions, startMs } from "./program-runtime.ts";

export interface ProgramRequest {
  /** Whose program it is: one team never takes all places. */
  teamId: string;
  work: ProgramWork;
  /** What the program before left; `{}` for the first. */
  memory: SessionMemory;
  /** Where the session's browser is driven. */
  devtoolsSocket: string;
  timeoutMs: number;
  signal: AbortSignal;
  /** Keeps a picture that a verb took, and says where it is. */
  keepPicture(png: Buffer): Promise<string>;
}

/** How a program ended; failing is an answer, too. */
export interface ProgramOutcome {
  stdout: string;
  stderr: string;
  /** The last value as text. */
  result?: string;
  exitCode: number;
  /** It was ended from outside. */
  killed: boolean;
  /** Why it was, in a sentence. */
  error?: string;
  truncated?: true;
  /** For the next program on this session. */
  memory: SessionMemory;
}

export interface ProgramRunner {
  run(request: ProgramRequest): Promise<ProgramOutcome>;
  /** How programs are sandboxed here: tried once. */
  isolation(): Promise<"sandboxed" | "unsandboxed" | "none">;
  close(): void;
}

export interface ProgramRunnerOptions extends RuntimeOptions {
  /** At the same time; more wait. */
  concurrency: number;
}

/** Of one team. */
const maxWaiting = 100;
const maxResultLength = 1024 * 1024;
const maxPageIdLength = 64;

const sentences: Record<Exclude<KillReason, "caller">, string> = {
  time: "The program took too long and was stopped.",
  memory: `The program took more than ${memoryBytes / 1024 / 1024} MB of memory and was stopped.`,
  output: "The program printed too much and was stopped.",
  signal: "The program was killed, or needed more memory than it may use.",
};

export function createProgramRunner(
  { net, log }: { net: Pick<Net, "openDevtoolsGateway">; log: Logger },
  options: ProgramRunnerOptions,
): ProgramRunner {
  const places = createSemaphore({
    places: options.concurrency,
    placesPerKey: Math.max(1, options.concurrency - 1),
  });
  const runtimes = createRuntimes(options, log);

  async function runInPlace(
    runtime: ProgramRuntime,
    place: ProgramPlace,
    request: ProgramRequest,
  ): Promise<ProcessEnd> {
    const { work, memory, timeoutMs, signal } = request;
    const gateway = await net.openDevtoolsGateway({
      socketPath: place.socket,
      browserSocket: request.devtoolsSocket,
      onTraffic: () => undefined,
      signal,
    });
    try {
      place.share(place.socket);
      const command = runtimes.commandFor(runtime, place, work, timeoutMs);
      const input = { work, memory, devtoolsSocket: command.devtoolsSocket, timeoutMs };
      return await runProcess(command, input, { startMs, timeoutMs, memoryBytes }, signal);
    } finally {
      await gateway.close();
    }
  }

  return {
    async run(request) {
      const runtime = await runtimes.open();
      if (runtime.isolation === "none") throw new ServiceError("EXECUTE_NOT_AVAILABLE");
      const leave = await enter(request);
      const place = runtime.kit.createPlace();
      try {
        return await readEnd(await runInPlace(runtime, place, request), request);
      } finally {
        leave();
        place.remove();
      }
    },

    async isolation() {
      return (await runtimes.open()).isolation;
    },

    close: runtimes.close,
  };

  /** A place, within the program's own time. */
  async function enter({ teamId, signal, timeoutMs }: ProgramRequest): Promise<Release> {
    if (places.count(teamId).waiting >= maxWaiting) {
      throw new ServiceError("QUEUE_FULL", "Too many programs are waiting on this server.");
    }
    const deadline = createDeadline(signal, timeoutMs);
    try {
      return await places.acquire(deadline.signal, teamId);
    } catch {
      if (signal.aborted) throw new ServiceError("ABORTED");
      throw new ServiceError(
        "CONCURRENCY_QUEUE_TIMEOUT",
        "The program timed out while it waited for other programs to end.",
      );
    } finally {
      deadline.clear();
    }
  }
}

async function readEnd(end: ProcessEnd, { work, keepPicture }: ProgramRequest): Promise<ProgramOutcome> {
  const { killedFor, exitCode } = end;
  if (killedFor === "caller") throw new ServiceError("ABORTED");
  const answer = work.kind === "code" ? ownWords(end.answer) : end.answer;
  const pictures: string[] = [];
  for (const png of answer?.pictures ?? []) pictures.push(await keepPicture(Buffer.from(png, "base64")));
  const show = (text: string, links: string[]) => text.replaceAll(pictureMark, () => links.shift() ?? "");
  const { result, memory = {} } = answer ?? {};
  const error = killedFor === null ? answer?.failure : sentences[killedFor];
  const isCut = result !== undefined && result.length > maxResultLength;
  return {
    stdout: show(end.stdout, [...pictures]),
    stderr: end.stderr,
    ...(result === undefined ? {} : { result: show(result, pictures.slice(-1)).slice(0, maxResultLength) }),
    exitCode: exitCode === 0 && answer?.failure !== undefined ? 1 : exitCode,
    killed: killedFor !== null,
    ...(error === undefined ? {} : { error }),
    ...(end.isTruncated || isCut ? { truncated: true as const } : {}),
    memory,
  };
}

/** What a caller's own program may have written there: two texts at most. */
function ownWords(answer: ProcessAnswer | null): ProcessAnswer {
  const { result, memory } = answer ?? {};
  const pageId: unknown = memory?.pageId;
  return {
    ...(typeof result === "string" ? { result } : {}),
    ...(typeof pageId === "string" && pageId.length <= maxPageIdLength ? { memory: { pageId } } : {}),
  };
}
