// Tells the operator's channels of faults of this server: each once, when it was seen twice in a row, and once more when it is over.
// A store that cannot be written keeps no notices; then they are sent at once, to the channels that were known last.
import { type Clock, type Logger, logFailure, minuteMs, newId, type Repetition, repeat } from "../base/index.ts";
import type { Config } from "../config.ts";
import type { Net } from "../net/index.ts";
import type { FeatureParts } from "../operations/index.ts";
import type { NoticeKind, Store } from "../store/index.ts";
import type { Finding } from "./doctor-finding.ts";
import { examineCertificates } from "./examine-certificates.ts";
import { examineDisk } from "./examine-machine.ts";
import { backupFinding, examineStore } from "./examine-server.ts";
import type { SearchPart } from "./join-search.ts";
import type { BrowserHealth } from "./open-browser.ts";
import type { ScheduledBackups } from "./scheduled-backups.ts";

export interface ServerHealthParts {
  store: Store;
  clock: Clock;
  log: Logger;
  net: Net;
  browser: BrowserHealth;
  search: Pick<SearchPart, "latestFault">;
  notices: Pick<FeatureParts["notices"], "sendNow" | "listEntries">;
  /** Null where none are made. */
  backups: Pick<ScheduledBackups, "state"> | null;
}

const lookMs = minuteMs;
/** Seen only once, it may be a moment. */
const sightings = 2;
/** Rows of faults of the server, beside those of monitors. */
const prefix = "server:";
const storeSubject = "Store";
/** Pauses of an open search source in a row, each longer than the one before. */
const restsOfFault = 3;

/** What this server depends on, looked at without cost. Only what is `ok` ends a fault. */
export async function* examineHealth(
  config: Config,
  { store, net, browser, search, backups }: Omit<ServerHealthParts, "clock" | "log" | "notices">,
  memory: { hadBrowser: boolean },
  now: number,
): AsyncGenerator<Finding> {
  if (config.databaseUrl === null) yield await examineDisk(config.dataDir);
  for (const { place, works } of store.outside.states()) {
    const subject = `Blob store ${place}`;
    if (works === true) yield { subject, state: "ok", message: "It works." };
    else if (works === false)
      yield { subject, state: "failed", message: "Reading or writing failed; new blobs go into the database." };
  }
  const { available } = browser.status();
  memory.hadBrowser ||= available;
  if (available) yield { subject: "Browser", state: "ok", message: "Chromium works." };
  else if (memory.hadBrowser || config.chromiumPath !== null) {
    const message = browser.whyAbsent() ?? "Chromium does not start any more.";
    yield { subject: "Browser", state: "failed", message };
  }
  for (const { name, rests, lastError } of await store.searchSources.list()) {
    const isDown = rests >= restsOfFault;
    const message = isDown ? `It has failed again and again: ${lastError ?? "no reason is known"}` : "It answers.";
    yield { subject: `Search source ${name}`, state: isDown ? "failed" : "ok", message };
  }
  const fault = search.latestFault();
  if (fault === null) yield { subject: "Search", state: "ok", message: "The latest search was answered." };
  else if (fault !== undefined) yield { subject: "Search", state: "failed", message: fault };
  yield* examineCertificates(config, net, now);
  if (config.backupTo !== null && backups !== null)
    yield { ...backupFinding(config.backupTo, backups.state()), subject: "Backup" };
}

export function createServerHealth(config: Config, parts: ServerHealthParts, findTeamId: () => Promise<string | null>) {
  const { store, clock, log, notices } = parts;
  const memory = { hadBrowser: false };
  let known: Awaited<ReturnType<typeof notices.listEntries>> = [];
  /** Of a store that cannot be written. */
  let unwritten: { since: number; told: boolean; message: string } | null = null;
  let duty: Repetition | null = null;

  async function note(finding: Finding, teamId: string): Promise<void> {
    const { subject, message, fix, state } = finding;
    if (state === "absent") return;
    const id = `${prefix}${subject}`;
    await store.transaction(async (statements) => {
      const now = clock.now();
      const add = (kind: NoticeKind, facts: object) =>
        statements.notices.add([
          {
            id: newId(now),
            teamId,
            ownerId: teamId,
            kind,
            facts: JSON.stringify({ subject, ...facts }),
            createdAt: now,
          },
        ]);
      if (state === "failed") {
        const seen = await statements.troubles.note({ id, teamId, message, since: now });
        if (seen === sightings) await add("server.trouble", { message, fix });
        return;
      }
      const over = await statements.troubles.end(id);
      if (over && over.failures >= sightings)
        await add("server.recovered", { message: over.message, since: over.since });
    });
  }

  async function tellOfStore(finding: Finding, signal: AbortSignal): Promise<void> {
    const { subject, message, fix } = finding;
    if (finding.state === "failed") {
      unwritten ??= { since: clock.now(), told: false, message };
      if (unwritten.told) return;
      unwritten.told = await notices.sendNow(known, "server.trouble", { subject, message, fix }, signal);
    } else if (unwritten !== null) {
      const { since, told, message: earlier } = unwritten;
      unwritten = null;
      if (told) await notices.sendNow(known, "server.recovered", { subject, message: earlier, since }, signal);
    }
  }

  /** Looks once. */
  async function look(signal: AbortSignal): Promise<void> {
    const stored = await examineStore(config, store, clock);
    await tellOfStore({ ...stored, subject: storeSubject }, signal);
    if (stored.state === "failed") return;
    const teamId = await findTeamId();
    if (teamId === null) return;
    known = await notices.listEntries(teamId);
    // What is told to no channel would never be told to one that comes later.
    if (known.length === 0) return;
    for await (const finding of examineHealth(config, parts, memory, clock.now())) await note(finding, teamId);
  }

  return {
    look,
    start(isElected: () => boolean): void {
      // Without its store the elected process cannot keep the office.
      let wasElected = false;
      const lookElected = async (signal: AbortSignal) => {
        const isOurs = isElected();
        if (isOurs || wasElected) await look(signal);
        wasElected = isOurs || unwritten !== null;
      };
      duty = repeat(lookMs, lookElected, logFailure(log, "looking after the server's health"));
    },
    async stop(): Promise<void> {
      await duty?.stop();
    },
  };
}
