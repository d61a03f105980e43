// A backup of the embedded database: made while the server runs, checked without touching a store, restored into an empty folder.
import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { chmod, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { dayMs, isoTime, ServiceError } from "../base/index.ts";
import type { Config } from "../config.ts";
import { openStore, type Store } from "../store/index.ts";
import { type BackupPlace, listFile, openBucketPlace, openFolderPlace, readBucket } from "./backup-place.ts";
import { version } from "./open-platform.ts";

export const databaseFile = "trawl.db";
const secretFile = "secret";

interface ListedFile {
  name: string;
  sizeBytes: number;
  sha256: string;
}

interface BackupList {
  /** Of the program that made it. */
  version: string;
  createdAt: string;
  files: ListedFile[];
}

export interface BackupReport {
  name: string;
  /** Null for a backup from before lists of files. */
  version: string | null;
  createdAt: string | null;
  sizeBytes: number;
  hasSecret: boolean;
  tables: { table: string; rows: number }[];
}

/** Names of backups that are made on time: only these are ever deleted. */
const namePattern = /^trawl-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z$/;

export function nameOfBackup(now: number): string {
  return `trawl-${isoTime(now).slice(0, 19).replaceAll(":", "-")}Z`;
}

/** A sentence that says what is wrong with the place, or the place. */
export async function openBackupPlace(to: string, config: Config): Promise<BackupPlace | string> {
  if (!/^\w+:\/\//.test(to)) return openFolderPlace(to);
  const bucket = readBucket(to);
  if (bucket === null) return `${to} must be a folder or s3://BUCKET/PREFIX.`;
  if (config.s3 === null) return `${to} needs S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`;
  return openBucketPlace(bucket, config);
}

/** Saves the database and its secret in a place. */
export async function makeBackup(
  { backUp }: Pick<Store, "backUp">,
  place: BackupPlace,
  { name, dataDir, now }: { name: string; dataDir: string; now: number },
): Promise<{ sizeBytes: number; hasSecret: boolean }> {
  if (backUp === null) throw new ServiceError("BAD_REQUEST", notEmbedded);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // Beside the database: a copy of it needs as much room wherever it goes.
  await removeLeftovers(dataDir);
  const folder = await mkdtemp(join(dataDir, "backup-"));
  try {
    await backUp(join(folder, databaseFile));
    await chmod(join(folder, databaseFile), 0o600);
    const hasSecret = existsSync(join(dataDir, secretFile));
    if (hasSecret) await copyFile(join(dataDir, secretFile), join(folder, secretFile));
    const names = [databaseFile, ...(hasSecret ? [secretFile] : [])];
    const files: ListedFile[] = [];
    for (const file of names) files.push(await describeFile(folder, file));
    const list: BackupList = { version, createdAt: isoTime(now), files };
    await writeFile(join(folder, listFile), `${JSON.stringify(list, null, 2)}\n`, { mode: 0o600 });
    await place.put(name, folder, [...names, listFile]);
    return { sizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0), hasSecret };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Of a process that was killed while it made one. */
async function removeLeftovers(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const path = join(dataDir, name);
    if (!/^backup-\w{6}$/.test(name) || (await stat(path)).mtimeMs > Date.now() - dayMs) continue;
    await rm(path, { recursive: true, force: true });
  }
}

export const notEmbedded =
  "Backups are for the embedded database. Use pg_dump, or trawl store copy --to sqlite:FOLDER.";

async function describeFile(folder: string, name: string): Promise<ListedFile> {
  const path = join(folder, name);
  const digest = createHash("sha256");
  for await (const chunk of createReadStream(path)) digest.update(chunk);
  return { name, sizeBytes: (await stat(path)).size, sha256: digest.digest("hex") };
}

/** Those beyond the newest `keep`; resolves with their names. */
export async function removeOldBackups(place: BackupPlace, keep: number): Promise<string[]> {
  const names = (await place.list()).filter((name) => namePattern.test(name)).sort();
  const old = names.slice(0, Math.max(0, names.length - keep));
  for (const name of old) await place.remove(name);
  return old;
}

/**
 * Looks a backup through: its files against their checksums, the database's own structure, and whether this version can open it. The
 * backup itself is only read: what is opened is a copy. Throws for a damaged one; `use` gets the folder of the copy.
 */
export async function checkBackup<Result>(
  from: string,
  config: Config,
  use: (folder: string, report: BackupReport) => Promise<Result>,
): Promise<Result> {
  const { place, name } = await findBackup(from, config);
  const folder = await mkdtemp(join(tmpdir(), "trawl-backup-"));
  try {
    await place.get(name, folder, [listFile, databaseFile, secretFile]);
    if (!existsSync(join(folder, databaseFile))) throw new ServiceError("BAD_REQUEST", `${from} holds no backup.`);
    const list = await readList(folder);
    for (const file of list?.files ?? []) await compare(folder, file);
    const { size: sizeBytes } = await stat(join(folder, databaseFile));
    const copy = join(folder, "opened");
    await mkdir(copy, { mode: 0o700 });
    await copyFile(join(folder, databaseFile), join(copy, databaseFile));
    const tables = await countRows(copy);
    const hasSecret = existsSync(join(folder, secretFile));
    const { version: madeBy = null, createdAt = null } = list ?? {};
    return await use(folder, { name, version: madeBy, createdAt, sizeBytes, hasSecret, tables });
  } finally {
    await rm(folder, { recursive: true, force: true });
    await place.close();
  }
}

/** A folder, the database in it, or the name of a backup in a bucket. */
async function findBackup(from: string, config: Config): Promise<{ place: BackupPlace; name: string }> {
  const isBucket = /^\w+:\/\//.test(from);
  const whole = isBucket ? from.replace(/\/+$/, "") : resolve(from);
  const backup = basename(whole) === databaseFile ? dirname(whole) : whole;
  const place = await openBackupPlace(isBucket ? backup.slice(0, backup.lastIndexOf("/")) : dirname(backup), config);
  if (typeof place === "string") throw new ServiceError("BAD_REQUEST", place);
  return { place, name: basename(backup) };
}

async function readList(folder: string): Promise<BackupList | null> {
  if (!existsSync(join(folder, listFile))) return null;
  try {
    return JSON.parse(await readFile(join(folder, listFile), "utf8"));
  } catch {
    throw damaged(`${listFile} cannot be read`);
  }
}

async function compare(folder: string, { name, sizeBytes, sha256 }: ListedFile): Promise<void> {
  if (!existsSync(join(folder, basename(name)))) throw damaged(`${name} is missing`);
  const found = await describeFile(folder, basename(name));
  if (found.sizeBytes !== sizeBytes) throw damaged(`${name} has ${found.sizeBytes} bytes instead of ${sizeBytes}`);
  if (found.sha256 !== sha256) throw damaged(`${name} does not have the checksum that was written with it`);
}

function damaged(how: string): ServiceError {
  return new ServiceError("STORE_UNAVAILABLE", `The backup is damaged: ${how}.`);
}

async function countRows(dataDir: string): Promise<BackupReport["tables"]> {
  const store = await openStore({ dataDir }).catch((error: Error) => {
    throw /newer version|pre-release/.test(error.message) ? error : damaged("the database cannot be opened");
  });
  try {
    const [fault] = (await store.findDamage?.()) ?? [];
    if (fault !== undefined) throw damaged(fault);
    const tables: BackupReport["tables"] = [];
    for (const table of store.moving.tables) tables.push({ table, rows: (await store.moving.digest(table)).rows });
    return tables;
  } finally {
    await store.close();
  }
}

/** The files of a checked backup as those of a new store. */
export async function restoreFiles(folder: string, dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  for (const name of [secretFile, databaseFile]) {
    if (!existsSync(join(folder, name))) continue;
    await copyFile(join(folder, name), join(dataDir, `${name}.part`));
    await chmod(join(dataDir, `${name}.part`), 0o600);
    await rename(join(dataDir, `${name}.part`), join(dataDir, name));
  }
}
