// `trawl browser`: sessions of a team. A session runs in a server: without one that is named, the one that has the same
// settings is asked to start it; the other verbs read and end it in the store, where its server sees it.
import { commandLine } from "../../accounts/index.ts";
import { ServiceError, secondMs } from "../../base/index.ts";
import { Trawl, TrawlError } from "../../client/index.ts";
import type { OperationBody, OperationOutput } from "../../contract/index.ts";
import type { Invocation } from "../service/invocation.ts";
import { type Local, localUrl, type WorkPlace, withService } from "../service/open-service.ts";
import { UsageError } from "../service/usage-error.ts";
import { harmless, print, printRows, toText } from "../terminal/printing.ts";

type Request = OperationBody<"createSession">;

export function listSessions({ flags, request }: Invocation): Promise<void> {
  return withService(flags, async ({ client, signal }) => {
    const { sessions } = await client.listBrowsers(request, { signal });
    const rows = sessions.map(({ id, status, createdAt, lastActivity, cdpUrl }) => ({
      id,
      status,
      created: createdAt,
      lastActivity,
      cdpUrl: cdpUrl || null,
    }));
    printRows(rows, flags.json);
  });
}

export function createSession({ flags, request }: Invocation): Promise<void> {
  return withService(flags, async (service) => {
    const body = { ...request, origin: "cli" } as Request;
    const { id, cdpUrl, liveViewUrl, expiresAt } = await startSession(service, body);
    const rows = { id, cdpUrl, liveViewUrl, expiresAt };
    if (flags.json) return print(toText(rows, flags.pretty));
    for (const [name, value] of Object.entries(rows)) if (value !== undefined) print(`${name.padEnd(12)} ${value}`);
  });
}

export async function deleteSession({ words: [id], flags }: Invocation): Promise<void> {
  if (id === undefined) throw new UsageError("trawl browser delete needs the id of a session. See trawl browser list.");
  await withService(flags, async ({ client, signal }) => {
    const { sessionDurationMs = 0, creditsBilled = 0 } = await client.deleteBrowser(id, { signal });
    if (flags.json) print(toText({ id, sessionDurationMs, creditsBilled }, flags.pretty));
    else print(`Ended after ${Math.ceil(sessionDurationMs / secondMs)} s. Credits charged: ${creditsBilled}.`);
  });
}

export async function executeInSession({ words: [id, ...code], flags, request }: Invocation): Promise<void> {
  if (id === undefined || code.length === 0)
    throw new UsageError("trawl browser execute needs the id of a session and the code to run.");
  const body = { ...request, code: code.join(" "), origin: "cli" } as OperationBody<"executeInSession">;
  await withService(flags, async (service) => {
    const answer = await askServer(service, (client) => client.executeInBrowser(id, body, service));
    if (flags.json) return print(toText(answer, flags.pretty));
    if (answer.stdout) print(harmless(answer.stdout.trimEnd()));
    const { result } = answer;
    if (result !== undefined && result !== null) print(typeof result === "string" ? harmless(result) : toText(result));
    if (answer.stderr) process.stderr.write(`${answer.stderr.trimEnd()}\n`);
    if (answer.exitCode) process.exitCode = 1;
  });
}

function startSession(service: WorkPlace, body: Request): Promise<OperationOutput<"createSession">> {
  return askServer(service, (client) => client.createBrowser(body, service));
}

/** The server that is named, or else the one that runs here, with a key that exists only during this request. */
async function askServer<Answer>(
  { client, local }: WorkPlace,
  ask: (client: Trawl) => Promise<Answer>,
): Promise<Answer> {
  if (!local) return ask(client);
  const { config, parts, caller } = local as Local;
  const apiUrl = localUrl(config);
  const { key, id } = await parts.accounts.keys.create(caller.teamId, "trawl browser", commandLine);
  try {
    return await ask(new Trawl({ apiUrl, apiKey: key }));
  } catch (error) {
    if (!(error instanceof TrawlError) || error.status !== 0) throw error;
    throw new ServiceError("BROWSER_NOT_AVAILABLE", `No server is running at ${apiUrl}. Start one with trawl serve.`);
  } finally {
    await parts.accounts.keys.revoke(id, commandLine);
  }
}
