// The real app on port 0 over a fresh store of either engine, and short ways to call it.
import { type App, openThreads, type Parts, start, type Threads } from "../../src/app.ts";
import { type Clock, createLog } from "../../src/base/index.ts";
import { type Config, loadConfig } from "../../src/config.ts";
import { withStrictAnswers } from "./answers/strict-answers.ts";
import { viewerPath } from "./browser.ts";
import { costsOf } from "./cost-counters.ts";
import type { FreshStore, TestEngine } from "./engines.ts";

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any;
  text: string;
}

export interface CallOptions {
  /** null: no Authorization header. */
  key?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface TestApp extends App, Omit<Parts, "close"> {
  fresh: FreshStore;
  /** A key of the team that `call` and `get` use unless told otherwise. */
  key: string;
  /** A key of another team. */
  otherKey: string;
  /** The name of the first team. */
  team: string;
  /** Every line that was logged. */
  logLines: string[];
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  get(path: string, options?: CallOptions): Promise<Answer>;
}

export const testKey = "fc-00000000000000000000000000000001";
export const otherKey = "fc-00000000000000000000000000000002";

/**
 * An app of its own, for tests with settings or a clock of their own and for those whose subject is the whole server; `useApp`
 * hands out one that others use, too. Its keys are those of the teams `acme` and `other`. `stop` removes its store.
 */
export async function startApp(
  engine: TestEngine,
  env: Record<string, string> = {},
  clock?: Clock,
  given?: FreshStore,
): Promise<TestApp> {
  const logLines: string[] = [];
  const keys = { TRAWL_API_KEYS: `acme:${testKey}:0,other:${otherKey}:0` };
  const opened = await openApp(engine, { ...keys, ...env }, (line) => void logLines.push(line), clock, given);
  return { ...opened, ...callerOf(opened, { key: testKey, otherKey, team: "acme" }), logLines };
}

export type OpenedApp = App & Omit<Parts, "close"> & Pick<TestApp, "fresh">;

/** Without keys but those of `env`, and with Chromium itself only for those that give a PATH; log lines go to `write`. */
export async function openApp(
  engine: TestEngine,
  env: Readonly<Record<string, string>>,
  write: (line: string) => void,
  clock?: Clock,
  given?: FreshStore,
): Promise<OpenedApp> {
  const fresh = given ?? (await engine.fresh());
  const store = given ? await given.openAnother() : fresh.store;
  const config = loadConfig({
    PORT: "0",
    HOST: "127.0.0.1",
    TRAWL_SECRET: "a secret of the tests, long enough to be one",
    // No test asks a live source; those of open search set theirs.
    OPEN_SEARCH: "0",
    ...("PATH" in env || viewerPath === "" ? {} : { CHROMIUM_PATH: viewerPath }),
    ...env,
  });
  costsOf().apps += 1;
  const threads = await shareThreads(config);
  const deps = { log: createLog("info", { write }), store, threads, ...(clock ? { clock } : {}) };
  const app = await withStrictAnswers(() => start(config, deps));
  return {
    ...app.parts,
    ...app,
    fresh,
    async stop() {
      await app.stop();
      if (!given) await fresh.cleanup();
    },
  };
}

// Files that share a process load this module anew, and the threads stay.
const holder = globalThis as { trawlThreads?: Map<string, Promise<Threads>> };

/** Threads of all apps of this process whose settings for them are the same: starting one takes a fifth of a second of CPU. */
function shareThreads(config: Config): Promise<Threads> {
  holder.trawlThreads ??= new Map();
  const name = JSON.stringify([config.contentThreads, config.contentTimeoutMs, config.contentMemoryMb]);
  const threads = holder.trawlThreads.get(name) ?? openThreads(config);
  holder.trawlThreads.set(name, threads);
  return threads;
}

export type TestCaller = Pick<TestApp, "key" | "otherKey" | "team" | "call" | "get">;

/** Calls an app with the key of a team. */
export function callerOf(
  app: Pick<App, "url">,
  { key, otherKey, team }: Pick<TestApp, "key" | "otherKey" | "team">,
): TestCaller {
  const call: TestApp["call"] = (method, path, options = {}) => {
    const answer = request(app.url + path, method, { key, ...options });
    // A test that failed before it looked at the answer has said what is wrong; the run must not end for this, too.
    answer.catch(() => undefined);
    return answer;
  };
  return { key, otherKey, team, call, get: (path, options) => call("GET", path, options) };
}

async function request(url: string, method: string, { key, body, headers }: CallOptions): Promise<Answer> {
  const isRaw = typeof body === "string" || body instanceof Uint8Array || body instanceof FormData;
  const response = await fetch(url, {
    method,
    headers: {
      ...(typeof key === "string" ? { authorization: `Bearer ${key}` } : {}),
      ...(body === undefined || body instanceof FormData || body instanceof Uint8Array
        ? {}
        : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw ? (body as NonNullable<RequestInit["body"]>) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
}

/** A clock that stands still until it is set. */
export function createTestClock(iso: string): Clock & { set(iso: string): void; advance(ms: number): void } {
  let time = Date.parse(iso);
  return {
    now: () => time,
    set(next) {
      time = Date.parse(next);
    },
    advance(ms) {
      time += ms;
    },
  };
}

/** A clock that moves a millisecond whenever it is read: what comes later is later, and no minute passes on a slow machine. */
export function createCountingClock(iso: string): Clock {
  let time = Date.parse(iso);
  return {
    now() {
      time += 1;
      return time;
    },
  };
}

/** The time of day, whose pauses pass at once: what waits before it tries again does not wait. */
export const hurriedClock: Clock = {
  now: () => Date.now(),
  async wait(_ms, signal) {
    signal.throwIfAborted();
  },
};

/** A clock that begins at a time and goes on, and can be moved. */
export function createMovableClock(iso: string): Clock & { advance(ms: number): void } {
  let offset = Date.parse(iso) - Date.now();
  return {
    now: () => Date.now() + offset,
    advance(ms) {
      offset += ms;
    },
  };
}
