// Backups that the server makes by itself, and how the last one went. The embedded database has one server, so no
// election is needed. What is known of the last backup lies beside the database: `trawl doctor` reads it, too.
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, isoTime, type Logger, logFailure, type Repetition, repeat, secondMs } from "../base/index.ts";
import { type Config, ConfigError } from "../config.ts";
import { nextRun, readSchedule, type Schedule } from "../monitors/index.ts";
import type { Store } from "../store/index.ts";
import { makeBackup, nameOfBackup, notEmbedded, openBackupPlace, removeOldBackups } from "./backup-files.ts";
import type { BackupPlace } from "./backup-place.ts";

/** The one place that says how backups are doing. */
export interface BackupState {
  /** Milliseconds since 1970. */
  lastTriedAt: number;
  lastSuccessAt: number | null;
  /** Of the last whole backup. */
  lastName: string | null;
  sizeBytes: number | null;
  /** Why the last one failed; null: it did not. */
  error: string | null;
}

type LastBackup = Pick<BackupState, "lastSuccessAt" | "lastName" | "sizeBytes">;

export interface BackupPlan {
  to: string;
  keep: number;
  schedule: Schedule;
}

const lookMs = 10 * secondMs;
const stateFile = "backups.json";

/** Null when none are wanted. Throws a sentence about the setting that is wrong. */
export function planBackups(config: Config, now: number): BackupPlan | null {
  const { backupTo: to, backupSchedule, backupKeep: keep, databaseUrl } = config;
  if (to === null) return null;
  if (databaseUrl !== null) throw new ConfigError(`BACKUP_TO cannot be used with DATABASE_URL. ${notEmbedded}`);
  return { to, keep, schedule: requireSchedule(backupSchedule ?? "daily", now, "BACKUP_SCHEDULE") };
}

/** `name`: of the setting or flag it comes from. */
export function requireSchedule(text: string, now: number, name: string): Schedule {
  const isCron = text.trim().split(/\s+/).length === 5 && /^[\d*/,-]+\s/.test(text.trim());
  const reading = readSchedule({ ...(isCron ? { cron: text } : { text }), timezone: "UTC" }, "backups", now);
  if (!reading.ok) throw new ConfigError(`${name} is no schedule. ${reading.message}.`.replace(/\.\.$/, "."));
  return reading.schedule;
}

/** Null when none was made so far. */
export async function readBackupState(dataDir: string): Promise<BackupState | null> {
  const text = await readFile(join(dataDir, stateFile), "utf8").catch(() => null);
  return text === null ? null : JSON.parse(text);
}

async function keepState(dataDir: string, state: BackupState): Promise<void> {
  const file = join(dataDir, stateFile);
  await writeFile(`${file}.part`, JSON.stringify(state), { mode: 0o600 });
  await rename(`${file}.part`, file);
}

export interface BackupDeps {
  store: Pick<Store, "backUp">;
  clock: Clock;
  log: Logger;
}

export type ScheduledBackups = Awaited<ReturnType<typeof openScheduledBackups>>;

export async function openScheduledBackups(
  { store, clock, log }: BackupDeps,
  { to, keep, schedule }: BackupPlan,
  config: Config,
) {
  const { dataDir } = config;
  const place = await requirePlace(to, config);
  let state = await readBackupState(dataDir);

  /** One that was missed while the server was down is made up for; the first is made at once. */
  const dueAt = () => (state === null ? 0 : (nextRun(schedule, state.lastTriedAt) ?? Number.POSITIVE_INFINITY));

  async function make(): Promise<void> {
    const now = clock.now();
    const name = nameOfBackup(now);
    let known: LastBackup = state ?? { lastSuccessAt: null, lastName: null, sizeBytes: null };
    try {
      const { sizeBytes } = await makeBackup(store, place, { name, dataDir, now });
      known = { lastSuccessAt: now, lastName: name, sizeBytes };
      log.info({ backup: name, to: place.name, sizeBytes }, "saved a backup");
      const removed = await removeOldBackups(place, keep);
      if (removed.length > 0) log.info({ removed }, "deleted old backups");
      state = { ...known, lastTriedAt: now, error: null };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      state = { ...known, lastTriedAt: now, error: message };
      log.error({ err: error, to: place.name }, "a backup failed");
    }
    await keepState(dataDir, state).catch(logFailure(log, "noting how a backup went"));
  }

  let running: Promise<void> | null = null;
  function run(): Promise<void> {
    running ??= make().finally(() => {
      running = null;
    });
    return running;
  }

  let duty: Repetition | null = null;
  return {
    state: () => state,
    run,
    start(): void {
      const look = async () => {
        if (clock.now() >= dueAt()) await run();
      };
      duty = repeat(lookMs, look, logFailure(log, "making a backup"));
    },
    async stop(): Promise<void> {
      await duty?.stop();
      await place.close();
    },
  };
}

/** As the settings say; null when they want none. */
export async function openPlannedBackups(deps: BackupDeps, config: Config): Promise<ScheduledBackups | null> {
  const plan = planBackups(config, deps.clock.now());
  return plan === null ? null : openScheduledBackups(deps, plan, config);
}

export async function requirePlace(to: string, config: Config): Promise<BackupPlace> {
  const place = await openBackupPlace(to, config);
  if (typeof place === "string") throw new ConfigError(place);
  return place;
}

/** One sentence about how backups are doing. */
export function describeBackups(to: string, state: BackupState | null): { isFailing: boolean; message: string } {
  if (state === null) return { isFailing: false, message: `None has been made yet in ${to}.` };
  const last =
    state.lastSuccessAt === null ? "there is no earlier one" : `the last one is of ${isoTime(state.lastSuccessAt)}`;
  if (state.error === null) return { isFailing: false, message: `In ${to}: ${last}.` };
  return { isFailing: true, message: `The last backup to ${to} failed: ${state.error}; ${last}.` };
}
