// LISTEN and NOTIFY over one direct connection: processes that share a database learn at once that there is something to do.
// A notification is only a hint: where LISTEN is refused or a notification is lost, polling finds the work.
import pg from "pg";
import type { Notifier } from "./store-engine.ts";

const channel = "trawl";
/** The first notification goes out at once; those that follow closely are sent together. */
const gatherMs = 100;
/** How often a notification to this process tests the connection, and how long it may take. */
const testMs = 10_000;
const answerMs = 5_000;
const longestPauseMs = 30_000;
/** Further words are dropped: a subscriber looks at everything anyway. */
const maxWords = 1000;

export function createPostgresNotifier(directUrl: string): Notifier {
  const subscribers = new Set<(word: string) => void>();
  const own = `test ${process.pid}.${Math.random().toString(36).slice(2)}`;
  const words = new Set<string>();
  let client: pg.Client | null = null;
  let isConnected = false;
  let isClosed = false;
  let pauseMs = 500;
  let sending: NodeJS.Timeout | undefined;
  let sentAt = 0;
  let reconnecting: NodeJS.Timeout | undefined;
  let silence: NodeJS.Timeout | undefined;
  let testing: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: directUrl,
      application_name: "trawl notifier",
      keepAlive: true,
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
    });
    fresh.on("error", () => lose(fresh));
    fresh.on("end", () => lose(fresh));
    fresh.on("notification", ({ payload = "" }) => receive(payload));
    client = fresh;
    try {
      await fresh.connect();
      await fresh.query(`listen ${channel}`);
    } catch {
      return lose(fresh);
    }
    // Notifications sent before this moment are lost.
    for (const subscriber of subscribers) subscriber("");
    test(fresh);
  }

  /** A pooler accepts LISTEN and delivers nothing: only a notification that comes back shows that the connection works. */
  function test(current: pg.Client): void {
    if (current !== client || isClosed) return;
    clearTimeout(silence);
    silence = setTimeout(() => lose(current), answerMs).unref();
    notify([own]).catch(() => lose(current));
  }

  function receive(payload: string): void {
    if (payload !== own) {
      if (!payload.startsWith("test ")) for (const subscriber of subscribers) subscriber(payload);
      return;
    }
    isConnected = true;
    pauseMs = 500;
    clearTimeout(silence);
    clearTimeout(testing);
    const current = client;
    if (current) testing = setTimeout(() => test(current), testMs).unref();
  }

  function lose(lost: pg.Client): void {
    if (lost !== client) return;
    client = null;
    isConnected = false;
    clearTimeout(silence);
    clearTimeout(testing);
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
    publish(word) {
      if (isClosed || client === null || words.size >= maxWords) return;
      words.add(word);
      const waitMs = Math.max(0, sentAt + gatherMs - performance.now());
      sending ??= setTimeout(send, waitMs).unref();
    },

    subscribe(receiver) {
      subscribers.add(receiver);
      if (client === null && !isClosed && subscribers.size === 1) void connect();
    },

    isConnected: () => isConnected,

    async close() {
      isClosed = true;
      for (const timer of [sending, reconnecting, silence, testing]) clearTimeout(timer);
      const last = client;
      client = null;
      isConnected = false;
      await last?.end().catch(() => undefined);
    },
  };
}
