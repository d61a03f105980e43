// One app for all files of a process that want the same settings. Each caller gets teams of its own, and teams see nothing of
// each other: what a test reads, keeps and pays is its own.
import { callerOf, type OpenedApp, openApp, type TestApp, type TestCaller } from "./app.ts";
import { quickBrowser } from "./browser.ts";
import type { TestEngine } from "./engines.ts";

type Settings = Readonly<Record<string, string>>;

/** Sites on loopback may be read. */
const usual: Settings = { ALLOWED_PRIVATE_HOSTS: "127.0.0.1" };
export const withoutBrowser: Settings = { ...usual, CHROMIUM_PATH: "/nowhere/chromium" };
export const withChromium: Settings = { ...usual, PATH: process.env.PATH ?? "" };
export const withQuickBrowser: Settings = { ...usual, ...quickBrowser };

interface SharedApp {
  app: Promise<OpenedApp>;
  users: number;
  /** Where each user collects what is logged meanwhile. */
  readers: Set<string[]>;
}

/** Idle apps that are kept: the settings of the next file are most likely among the latest. */
const keptIdle = 2;

// Files that share a process load this module anew, and the apps stay.
const holder = globalThis as { trawlSharedApps?: Map<string, SharedApp>; trawlSharedTeams?: number };

function sharedApps(): Map<string, SharedApp> {
  if (holder.trawlSharedApps) return holder.trawlSharedApps;
  const apps = new Map<string, SharedApp>();
  holder.trawlSharedApps = apps;
  // How the runner ends the process; browsers and stores are closed first.
  process.once("SIGTERM", async () => {
    await Promise.allSettled(Array.from(apps.values(), async ({ app }) => (await app).stop()));
    process.exit();
  });
  return apps;
}

/**
 * Two new teams on an app with these settings, which other tests use at other times and may have used before. What is looked up
 * for the whole server (metrics, hosts, keys of other teams) may hold what they left. `stop` ends what the team still runs.
 */
export async function useApp(engine: TestEngine, settings: Settings = usual): Promise<TestApp> {
  const apps = sharedApps();
  const name = JSON.stringify([engine.name, Object.entries(settings).toSorted()]);
  const shared = apps.get(name) ?? launch(engine, settings);
  // Last is latest.
  apps.delete(name);
  apps.set(name, shared);
  shared.users += 1;
  await stopIdle(apps);
  const app = await shared.app;
  const logLines: string[] = [];
  shared.readers.add(logLines);
  const caller = callerOf(app, await createTeams(app));
  return {
    ...app,
    ...caller,
    logLines,
    async stop() {
      await endWork(caller);
      shared.readers.delete(logLines);
      shared.users -= 1;
    },
  };
}

/** The same app with two new teams, for tests that share one with settings or a clock of their own. */
export async function withNewTeams(app: TestApp): Promise<TestApp> {
  return { ...app, ...callerOf(app, await createTeams(app)) };
}

function launch(engine: TestEngine, settings: Settings): SharedApp {
  const readers = new Set<string[]>();
  const write = (line: string) => {
    for (const reader of readers) reader.push(line);
  };
  return { app: openApp(engine, settings, write), users: 0, readers };
}

async function createTeams({ accounts }: OpenedApp): Promise<Pick<TestApp, "key" | "otherKey" | "team">> {
  holder.trawlSharedTeams = (holder.trawlSharedTeams ?? 0) + 1;
  const number = holder.trawlSharedTeams;
  const create = async (name: string) => {
    const { id } = await accounts.teams.findOrCreate(name);
    await accounts.teams.setRequestsPerMinute(id, 0);
    return (await accounts.keys.create(id, "test")).key;
  };
  const team = `acme-${number}`;
  return { team, key: await create(team), otherKey: await create(`other-${number}`) };
}

async function endWork({ key, otherKey, call, get }: TestCaller): Promise<void> {
  for (const each of [key, otherKey]) {
    const { crawls } = (await get("/v2/crawl/active", { key: each })).body;
    for (const { id } of crawls) await call("DELETE", `/v2/crawl/${id}`, { key: each });
    const { sessions } = (await get("/v2/browser?status=active", { key: each })).body;
    for (const { id } of sessions) await call("DELETE", `/v2/browser/${id}`, { key: each });
  }
}

async function stopIdle(apps: Map<string, SharedApp>): Promise<void> {
  const idle = Array.from(apps).filter(([, { users }]) => users === 0);
  for (const [name, { app }] of idle.slice(0, Math.max(0, idle.length - keptIdle))) {
    apps.delete(name);
    await (await app).stop();
  }
}
