// `trawl browser`: sessions of a team. A session runs in the server, so the running server is asked to start one; the
// other commands read and end it in the database, where its server sees it.
import type { Caller } from "../accounts/index.ts";
import type { Parts } from "../app.ts";
import { ServiceError, secondMs } from "../base/index.ts";
import { type Config, loadConfig } from "../config.ts";
import { numberOption, readInput, UsageError, withParts } from "./command.ts";
import { print, printRows } from "./printing.ts";

interface BrowserOptions {
  team?: string | undefined;
  ttl?: string | undefined;
  profile?: string | undefined;
  json?: boolean | undefined;
}

const createMs = 60 * secondMs;

export function listSessions(_words: string[], { team, json }: BrowserOptions): Promise<void> {
  return withParts(async ({ operations }, caller) => {
    const { sessions } = await operations.listSessions({}, caller);
    const rows = sessions.map(({ id, status, createdAt, lastActivity, cdpUrl = null }) => ({
      id,
      status,
      created: createdAt,
      lastActivity,
      cdpUrl,
    }));
    printRows(rows, json);
  }, team);
}

export async function createSession(_words: string[], { team, ttl, profile, json }: BrowserOptions): Promise<void> {
  const input = readInput<"createSession">("createSession", {
    ...numberOption("ttl", ttl),
    ...(profile === undefined ? {} : { profile: { name: profile } }),
    origin: "cli",
  });
  await withParts(async (parts, caller) => {
    const { id, cdpUrl, liveViewUrl, expiresAt } = await askServer(parts, caller, input);
    const rows = { id, cdpUrl, liveViewUrl, expiresAt };
    if (json) return print(JSON.stringify(rows, null, 2));
    for (const [name, value] of Object.entries(rows)) if (value !== undefined) print(`${name.padEnd(12)} ${value}`);
  }, team);
}

export async function deleteSession([id]: string[], { team, json }: BrowserOptions): Promise<void> {
  if (id === undefined) throw new UsageError("trawl browser delete needs the id of a session. See trawl browser list.");
  await withParts(async ({ operations }, caller) => {
    const { sessionDurationMs = 0, creditsBilled = 0 } = await operations.deleteSession({ id }, caller);
    if (json) print(JSON.stringify({ id, sessionDurationMs, creditsBilled }, null, 2));
    else print(`Ended after ${Math.ceil(sessionDurationMs / secondMs)} s. Credits charged: ${creditsBilled}.`);
  }, team);
}

/** With a key that exists only during this request. */
async function askServer({ accounts, net }: Parts, { teamId }: Caller, input: object): Promise<Record<string, string>> {
  const url = serverUrl(loadConfig());
  const { key, id } = await accounts.keys.create(teamId, "trawl browser create");
  try {
    const outcome = await net.fetch({
      url: `${url}/v2/browser`,
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(input),
      signal: AbortSignal.timeout(createMs),
      allowOrigin: url,
    });
    if (!outcome.ok)
      throw new ServiceError("BROWSER_NOT_AVAILABLE", `No server is running at ${url}. Start one with trawl serve.`);
    const answer = JSON.parse(outcome.body.toString());
    if (outcome.status !== 200) throw new ServiceError("BROWSER_NOT_AVAILABLE", answer.error);
    return answer;
  } finally {
    await accounts.keys.revoke(id);
  }
}

/** Where the server that has these settings listens. */
function serverUrl({ host, port }: Config): string {
  const reachable = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}
