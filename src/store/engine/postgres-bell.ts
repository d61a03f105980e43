// LISTEN and NOTIFY over one direct connection: processes that share a database hear at once that there is something to do.
// A ring is a hint and never the only way: where it is refused or goes unheard, everybody finds out by looking.
import pg from "pg";
import type { Bell } from "./engine.ts";

const channel = "trawl";
/** The first ring goes out at once; those that follow it closely go together. */
const gatherMs = 100;
/** How often it is tried whether rings arrive, and how long one may take. */
const beatMs = 10_000;
const answerMs = 5_000;
const longestPauseMs = 30_000;
/** More than these are not worth telling: who hears one looks at everything. */
const maxWords = 1000;

export function createPostgresBell(directUrl: string): Bell {
  const hearers = new Set<(word: string) => void>();
  const own = `beat ${process.pid}.${Math.random().toString(36).slice(2)}`;
  const words = new Set<string>();
  let client: pg.Client | null = null;
  let isHeard = false;
  let isClosed = false;
  let pauseMs = 500;
  let sending: NodeJS.Timeout | undefined;
  let sentAt = 0;
  let reconnecting: NodeJS.Timeout | undefined;
  let silence: NodeJS.Timeout | undefined;
  let beating: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: directUrl,
      application_name: "trawl bell",
      keepAlive: true,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    });
    fresh.on("error", () => lose(fresh));
    fresh.on("end", () => lose(fresh));
    fresh.on("notification", ({ payload = "" }) => hear(payload));
    client = fresh;
    try {
      await fresh.connect();
      await fresh.query(`listen ${channel}`);
    } catch {
      return lose(fresh);
    }
    // Every process heard nothing until now: who waits for something looks.
    for (const hearer of hearers) hearer("");
    beat(fresh);
  }

  /** A pooler between takes LISTEN and stays silent: only an own ring that comes back shows that rings are heard. */
  function beat(current: pg.Client): void {
    if (current !== client || isClosed) return;
    clearTimeout(silence);
    silence = setTimeout(() => lose(current), answerMs).unref();
    notify([own]).catch(() => lose(current));
  }

  function hear(payload: string): void {
    if (payload !== own) {
      if (!payload.startsWith("beat ")) for (const hearer of hearers) hearer(payload);
      return;
    }
    isHeard = true;
    pauseMs = 500;
    clearTimeout(silence);
    clearTimeout(beating);
    const current = client;
    if (current) beating = setTimeout(() => beat(current), beatMs).unref();
  }

  function lose(lost: pg.Client): void {
    if (lost !== client) return;
    client = null;
    isHeard = false;
    clearTimeout(silence);
    clearTimeout(beating);
    lost.end().catch(() => undefined);
    if (isClosed) return;
    reconnecting = setTimeout(() => void connect(), pauseMs).unref();
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }

  async function notify(some: readonly string[]): Promise<void> {
    await client?.query("select pg_notify($1, word) from unnest($2::text[]) as word", [channel, some]);
  }

  function send(): void {
    sending = undefined;
    sentAt = performance.now();
    const some = [...words];
    words.clear();
    if (some.length > 0) notify(some).catch(() => undefined);
  }

  return {
    ring(word) {
      if (isClosed || client === null || words.size >= maxWords) return;
      words.add(word);
      const waitMs = Math.max(0, sentAt + gatherMs - performance.now());
      sending ??= setTimeout(send, waitMs).unref();
    },

    listen(hearer) {
      hearers.add(hearer);
      if (client === null && !isClosed && hearers.size === 1) void connect();
    },

    isHeard: () => isHeard,

    async close() {
      isClosed = true;
      for (const timer of [sending, reconnecting, silence, beating]) clearTimeout(timer);
      const last = client;
      client = null;
      isHeard = false;
      await last?.end().catch(() => undefined);
    },
  };
}
