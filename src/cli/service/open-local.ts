// The parts of a server in this process, and who calls them.
import { type Caller, defaultTeamName, keylessName } from "../../accounts/index.ts";
import { openParts, type Parts } from "../../app.ts";
import { createLog } from "../../base/index.ts";
import { loadConfig } from "../../config.ts";
import { printable } from "../terminal/printing.ts";
import type { Local } from "./open-service.ts";
import { UsageError } from "./usage-error.ts";

export async function openLocal<Result>(
  teamName: string | undefined,
  work: (local: Local) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig();
  const parts = await openParts(config, { log: createLog("silent") });
  try {
    return await work({ config, parts, caller: await localCaller(parts, teamName ?? defaultTeamName) });
  } finally {
    await parts.close();
  }
}

/** Commands run for the default team unless another is given, without a key. */
async function localCaller({ accounts }: Parts, name: string): Promise<Caller> {
  const team = name === defaultTeamName ? await accounts.teams.findOrCreate(name) : await accounts.teams.find(name);
  if (!team) throw new UsageError(`The team ${printable(name)} does not exist. See trawl teams list.`);
  const { id: teamId, name: teamName } = team;
  return {
    teamId,
    teamName,
    keyId: null,
    keyName: keylessName,
    requestsPerMinute: null,
    apiVersion: "v2",
    baseUrl: "",
    idempotencyKey: null,
    externalRequestId: null,
  };
}
