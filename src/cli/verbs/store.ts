// `trawl store`: copies, backs up, restores and checks what is stored.
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import {
  type BackupReport,
  type CopiedTable,
  checkBackup,
  copyStore,
  databaseFile,
  makeBackup,
  nameOfBackup,
  notEmbedded,
  openConfiguredStore,
  openOtherStore,
  openScheduledBackups,
  requirePlace,
  requireSchedule,
  restoreFiles,
} from "../../app.ts";
import { createLog, ServiceError, systemClock } from "../../base/index.ts";
import { type Config, loadConfig } from "../../config.ts";
import type { Invocation } from "../service/invocation.ts";
import { UsageError } from "../service/usage-error.ts";
import { interruptible } from "../terminal/interrupt.ts";
import { print, printRows } from "../terminal/printing.ts";

const secretFile = "secret";

export async function storeCopy({ flags: { to, json } }: Invocation): Promise<void> {
  if (to === undefined) throw new UsageError("trawl store copy needs --to postgres://… or --to sqlite:FOLDER.");
  const config = loadConfig();
  const place = readPlace(to);
  const source = describe(config);
  const target = describe(place);
  if (source === target) throw new UsageError("The source and the target are the same store.");
  const from = await openConfiguredStore(config);
  try {
    const into = await openOtherStore(place);
    try {
      const stopping = new AbortController();
      const request = { from, to: into, source, target, signal: stopping.signal, onProgress: showProgress };
      const tables = await interruptible(
        () => stopping.abort(new ServiceError("BAD_REQUEST", "Stopped. Run the same command again to continue.")),
        () => copyStore(request),
      );
      process.stderr.write("\n");
      tellCopied(tables, { source, target, json: json === true });
      if (config.databaseUrl === null && "databaseUrl" in place) print(moveSecret(config));
      if (config.blobs !== "database")
        print(`Blobs in ${blobsOf(config)} stay there: start servers with the same settings.`);
    } finally {
      await into.close();
    }
  } finally {
    await from.close();
  }
}

export async function storeReopen(): Promise<void> {
  await withStore(async (store) => {
    const moved = await store.moving.readMoved();
    await store.moving.reopen();
    print(
      moved === null
        ? "This store is already open for servers."
        : `Servers may use this store again. Its copy in ${moved} stays as it is.`,
    );
  });
}

/** Once, or on time until it is stopped. */
export async function storeBackup({ words: [to], flags }: Invocation): Promise<void> {
  const config = loadConfig();
  const { schedule, keep } = flags;
  const target = to ?? config.backupTo ?? null;
  if (target === null) throw new UsageError("trawl backup needs a folder or s3://BUCKET/PREFIX.");
  if (schedule === undefined) return backUpOnce(target, config);
  const most = keep === undefined ? config.backupKeep : Number(keep);
  if (!Number.isInteger(most) || most < 1) throw new UsageError("--keep takes a whole number from 1.");
  const plan = { to: target, keep: most, schedule: requireSchedule(schedule, systemClock.now(), "--schedule") };
  await withStore(async (store) => {
    if (store.backUp === null) throw new UsageError(notEmbedded);
    const backups = await openScheduledBackups(
      { store, clock: systemClock, log: createLog(config.logLevel) },
      plan,
      config,
    );
    print(`Saving backups in ${target}: ${schedule}, the newest ${most} of them. Ctrl-C ends it.`);
    backups.start();
    await new Promise<void>((resolve) => {
      for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
    });
    await backups.stop();
  });
}

async function backUpOnce(to: string, config: Config): Promise<void> {
  const isBucket = /^\w+:\/\//.test(to);
  const now = systemClock.now();
  // A folder that is named is the backup; in a bucket there are many.
  const path = resolve(to);
  const place = await requirePlace(isBucket ? to : dirname(path), config);
  const name = isBucket ? nameOfBackup(now) : basename(path);
  try {
    if (!isBucket && existsSync(join(path, databaseFile)))
      throw new UsageError(`${to} already holds a backup. Name another folder.`);
    await withStore(async (store) => {
      if (store.backUp === null) throw new UsageError(notEmbedded);
      const { hasSecret } = await makeBackup(store, place, { name, dataDir: config.dataDir, now });
      print(`Saved the database${hasSecret ? " and the secret" : ""} in ${isBucket ? `${place.name}/${name}` : to}.`);
    });
  } finally {
    await place.close();
  }
  if (config.blobs !== "database") print(`Blobs in ${blobsOf(config)} are not included. Save them separately.`);
}

/** With --check the backup is only looked through. */
export async function storeRestore({ words: [from], flags: { check, json } }: Invocation): Promise<void> {
  if (from === undefined) throw new UsageError("trawl restore needs a backup: its folder, or s3://BUCKET/PREFIX/NAME.");
  const config = loadConfig();
  if (check) return checkBackup(from, config, async (_folder, report) => tellBackup(report, json === true));
  if (config.databaseUrl !== null) throw new UsageError("trawl restore is for the embedded database. Use pg_restore.");
  if (existsSync(join(config.dataDir, databaseFile)))
    throw new UsageError(`DATA_DIR (${config.dataDir}) already holds a store. Move it away first.`);
  await checkBackup(from, config, (folder) => restoreFiles(folder, config.dataDir));
  print(`Restored ${from} to ${config.dataDir}.`);
}

function tellBackup(report: BackupReport, json: boolean): void {
  const { name, version, createdAt, sizeBytes, hasSecret, tables } = report;
  if (json) {
    print(JSON.stringify({ ok: true, ...report }));
    return;
  }
  const made = version === null ? "" : `, made by Trawl ${version} at ${createdAt}`;
  print(`${name} is whole${made}: ${sizeBytes} bytes, ${hasSecret ? "with" : "without"} the secret.`);
  printRows(
    tables.filter(({ rows }) => rows > 0).map((row) => ({ ...row })),
    false,
  );
}

/** Fails when something is wrong. */
export async function storeCheck({ flags: { json, removeStrays } }: Invocation): Promise<void> {
  await withStore(async (store) => {
    const damage = (await store.findDamage?.()) ?? [];
    const faults = await store.countFaults(systemClock.now());
    const places = await store.outside.examine(systemClock.now());
    const rows = [
      ...(store.findDamage === null ? [] : [{ fault: "damage in the database file", rows: damage.length }]),
      ...faults.map((fault) => ({ ...fault })),
      ...places.flatMap(({ place, strays, missing }) => [
        { fault: `blobs in ${place} that no row refers to`, rows: strays.length },
        { fault: `rows whose blob is missing in ${place}`, rows: missing },
      ]),
    ];
    printRows(rows, json);
    for (const line of json ? [] : damage) print(line);
    if (removeStrays) for (const found of places) await store.outside.removeStrays(found);
    if (rows.some((row) => row.rows > 0)) process.exitCode = 1;
  });
}

async function withStore(work: (store: Awaited<ReturnType<typeof openConfiguredStore>>) => Promise<void>) {
  const store = await openConfiguredStore(loadConfig());
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

function blobsOf({ blobs, blobsDir, s3 }: Config): string {
  return blobs === "s3" ? `the bucket ${s3?.bucket}` : blobsDir;
}

function readPlace(to: string): { databaseUrl: string } | { dataDir: string } {
  if (/^postgres(?:ql)?:\/\//.test(to) && URL.canParse(to)) return { databaseUrl: to };
  const [, path] = /^sqlite:(.+)$/.exec(to) ?? [];
  if (path === undefined) throw new UsageError("--to must be postgres://… or sqlite:FOLDER.");
  const place = resolve(path);
  return { dataDir: basename(place) === databaseFile ? dirname(place) : place };
}

/** Without the password. */
function describe(place: { databaseUrl: string | null } | { dataDir: string }): string {
  if ("databaseUrl" in place && place.databaseUrl !== null) {
    const { hostname, port, pathname } = new URL(place.databaseUrl);
    return `postgres://${hostname}${port === "" ? "" : `:${port}`}${pathname}`;
  }
  return `sqlite:${resolve((place as { dataDir: string }).dataDir)}`;
}

let toldAt = 0;

function showProgress({ table, rows, total }: { table: string; rows: number; total: number }): void {
  const isTerminal = process.stderr.isTTY === true;
  const now = performance.now();
  if (now - toldAt < (isTerminal ? 100 : 5000)) return;
  toldAt = now;
  const line = `${total} rows copied; ${table}: ${rows}`;
  process.stderr.write(isTerminal ? `\r\u001b[K${line}` : `${line}\n`);
}

interface CopyNames {
  source: string;
  target: string;
  json: boolean;
}

function tellCopied(tables: readonly CopiedTable[], { source, target, json }: CopyNames): void {
  const different = tables.filter(({ isSame }) => !isSame);
  printRows(
    tables.map(({ table, rows, hash, isSame }) => ({ table, rows, hash, same: isSame ? "yes" : "no" })),
    json,
  );
  if (different.length > 0) {
    const names = different.map(({ table }) => table).join(", ");
    throw new ServiceError(
      "STORE_UNAVAILABLE",
      `The copy differs from the source in ${names} because a server wrote during the copy. Stop all servers, empty the target and copy again.`,
    );
  }
  if (!json) print(`Copied ${source} to ${target}. Servers now refuse the old store; trawl store reopen undoes that.`);
}

function moveSecret({ dataDir, secret }: Config): string {
  return secret === null
    ? `Start servers with TRAWL_SECRET set to the text of ${join(dataDir, secretFile)}. It decrypts stored secrets.`
    : "Start servers with the same TRAWL_SECRET. It decrypts stored secrets.";
}
