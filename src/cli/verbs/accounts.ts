// `trawl keys` and `trawl teams`.
import { commandLine, type KeyLimits } from "../../accounts/index.ts";
import { createSignInUrl, openAccounts } from "../../app.ts";
import { dayMs, hourMs, isoTime, splitList } from "../../base/index.ts";
import { loadConfig } from "../../config.ts";
import { keyLimits } from "../../contract/index.ts";
import type { Invocation } from "../service/invocation.ts";
import { localUrl } from "../service/open-service.ts";
import { UsageError } from "../service/usage-error.ts";
import { print, printRows } from "../terminal/printing.ts";

export async function createKey({ flags }: Invocation): Promise<void> {
  const { team: teamName = "default", name = "CLI" } = flags;
  checkName(teamName);
  checkName(name);
  const limits = readKeyFlags(flags);
  await withAccounts(async (accounts) => {
    const team = await accounts.teams.findOrCreate(teamName);
    const { key, id } = await accounts.keys.create(team.id, name, commandLine, limits);
    print(`${key}\nKey ${id} "${name}" of team ${team.name}. It is shown only once: save it.`);
  });
}

const dayUnits = { d: dayMs, h: hourMs } as const;

/** As the dashboard takes them. */
function readKeyFlags({ endpoints, formats, expires, ips, credits }: Invocation["flags"]): KeyLimits {
  const [, count, unit] = /^(\d{1,5})([dh])$/.exec(expires ?? "") ?? [];
  const ms = count === undefined ? null : Number(count) * dayUnits[unit as keyof typeof dayUnits];
  const reading = keyLimits.safeParse({
    allowedEndpoints: endpoints === undefined ? undefined : splitList(endpoints),
    allowedFormats: formats === undefined ? undefined : splitList(formats),
    allowedIps: ips === undefined ? undefined : splitList(ips),
    creditsPerMonth: credits === undefined ? undefined : Number(credits),
    expiresAt: ms === null ? expires : isoTime(Date.now() + ms),
  });
  if (reading.success) return reading.data;
  const [issue] = reading.error.issues;
  throw new UsageError(`${issue?.path.join(".")}: ${issue?.message}`);
}

export async function listKeys({ flags: { team: teamName, json } }: Invocation): Promise<void> {
  await withAccounts(async (accounts) => {
    const team = teamName === undefined ? null : await accounts.teams.find(teamName);
    if (teamName !== undefined && !team) throw new UsageError(`There is no team ${teamName}. See trawl teams list.`);
    const keys = (await accounts.keys.list(team?.id)).map((key) => ({
      id: key.id,
      team: key.teamName,
      name: key.name,
      lastFour: key.lastFour,
      created: isoTime(key.createdAt),
      lastUsed: key.lastUsedAt === null ? null : isoTime(key.lastUsedAt),
      revoked: key.revokedAt === null ? null : isoTime(key.revokedAt),
    }));
    printRows(keys, json);
  });
}

export async function revokeKey({ words: [which] }: Invocation): Promise<void> {
  if (which === undefined)
    throw new UsageError("trawl keys revoke needs the id of a key, the key itself, or its last four characters.");
  await withAccounts(async (accounts) => {
    const key = await accounts.keys.revoke(which, commandLine);
    if (!key) throw new UsageError("No active key matches, or more than one does. See trawl keys list.");
    print(`Revoked key ${key.id} "${key.name}" (…${key.lastFour}) of team ${key.teamName}.`);
  });
}

export async function createDashboardLink({ flags: { team: teamName = "default" } }: Invocation): Promise<void> {
  await withAccounts(async (accounts) => {
    const team = await accounts.teams.find(teamName);
    if (!team) throw new UsageError(`There is no team ${teamName}. See trawl teams list.`);
    const config = loadConfig();
    print(await createSignInUrl(config.publicUrl ?? localUrl(config), accounts, team));
    print(`It signs in to the dashboard of the team ${team.name}, once, within 15 minutes.`);
  });
}

export async function createTeam({ words: [name] }: Invocation): Promise<void> {
  if (name === undefined) throw new UsageError("trawl teams create needs a name.");
  checkName(name);
  await withAccounts(async (accounts) => {
    const team = await accounts.teams.create(name);
    if (!team) throw new UsageError(`A team ${name} already exists.`);
    print(`Created team ${team.name} (${team.id}). Create a key for it: trawl keys create --team ${team.name}`);
  });
}

export async function listTeams({ flags: { json } }: Invocation): Promise<void> {
  await withAccounts(async (accounts) => {
    const teams = (await accounts.teams.list()).map((team) => ({
      id: team.id,
      name: team.name,
      requestsPerMinute: team.requestsPerMinute,
      created: isoTime(team.createdAt),
    }));
    printRows(teams, json);
  });
}

type OpenAccounts = Awaited<ReturnType<typeof openAccounts>>["accounts"];

async function withAccounts(work: (accounts: OpenAccounts) => Promise<void>): Promise<void> {
  const { store, accounts } = await openAccounts(loadConfig());
  try {
    await work(accounts);
  } finally {
    await store.close();
  }
}

/** Names appear in tables and in settings as team:key, so they must not break either. */
function checkName(name: string): void {
  if (/^[^\s:,\p{C}][^:,\p{C}]{0,63}$/u.test(name)) return;
  throw new UsageError("A name must have 1 to 64 characters, without colons, commas and control characters.");
}
