// Where backups lie: each under its own name, in a folder or under a prefix of a bucket. A backup counts once its list of files is
// written, which comes last.
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { loadS3 } from "../adapters/index.ts";
import type { Config } from "../config.ts";
import { createNet } from "../net/index.ts";
import { type CompanySettings, companyNetwork } from "./join-net.ts";

export interface BackupPlace {
  /** As operators know it, without secrets. */
  name: string;
  /** Names of whole backups, in any order. */
  list(): Promise<string[]>;
  /** Saves these files of a folder, in their order. */
  put(backup: string, folder: string, files: readonly string[]): Promise<void>;
  /** Writes the files of a backup into a folder. */
  get(backup: string, folder: string, files: readonly string[]): Promise<void>;
  remove(backup: string): Promise<void>;
  close(): Promise<void>;
}

/** What a backup consists of; written last. */
export const listFile = "backup.json";

export function openFolderPlace(folder: string): BackupPlace {
  const place = resolve(folder);
  return {
    name: place,
    async list() {
      const entries = await readdir(place, { withFileTypes: true }).catch(unlessMissing);
      return entries
        .filter((entry) => entry.isDirectory() && existsSync(join(place, entry.name, listFile)))
        .map(({ name }) => name);
    },
    async put(backup, from, files) {
      const folder = join(place, backup);
      const isNew = !existsSync(folder);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        for (const file of files) {
          await copy(join(from, file), join(folder, `${file}.part`));
          await rename(join(folder, `${file}.part`), join(folder, file));
        }
      } catch (error) {
        if (isNew) await rm(folder, { recursive: true, force: true });
        throw error;
      }
    },
    async get(backup, into, files) {
      for (const file of files) {
        const source = join(place, backup, file);
        if (existsSync(source)) await copy(source, join(into, file));
      }
    },
    remove: (backup) => rm(join(place, backup), { recursive: true, force: true }),
    close: async () => undefined,
  };
}

function unlessMissing(error: NodeJS.ErrnoException): never[] {
  if (error.code === "ENOENT") return [];
  throw error;
}

async function copy(from: string, to: string): Promise<void> {
  await pipeline(createReadStream(from), createWriteStream(to, { mode: 0o600 }));
}

/** A file lies there in parts of this size: a request holds its bytes in memory. */
const partBytes = 16 * 1024 * 1024;
const partName = (file: string, place: number) => `${file}.${String(place).padStart(5, "0")}`;

export async function openBucketPlace(
  { bucket, prefix }: { bucket: string; prefix: string },
  config: Pick<Config, "s3" | "dnsServer"> & CompanySettings,
): Promise<BackupPlace> {
  const { s3, dnsServer } = config;
  if (s3 === null) throw new Error("no S3 store is configured");
  const { createS3Objects } = await loadS3();
  const own = { allowedPrivateHosts: [], dnsServer, ownPorts: () => [], userAgent: "Trawl" };
  const net = createNet({ ...own, ...companyNetwork(config) });
  const objects = createS3Objects({ net }, { ...s3, bucket });
  const keyOf = (backup: string, file: string) => [prefix, backup, file].filter((part) => part !== "").join("/");

  async function putFile(backup: string, path: string): Promise<void> {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      for (let start = 0, place = 0; start < size; start += partBytes, place += 1) {
        const bytes = Buffer.alloc(Math.min(partBytes, size - start));
        await file.read(bytes, 0, bytes.byteLength, start);
        await objects.put(keyOf(backup, partName(basename(path), place)), bytes);
      }
    } finally {
      await file.close();
    }
  }

  async function* readParts(backup: string, file: string): AsyncGenerator<Buffer> {
    for (let place = 0; ; place += 1) {
      const bytes = await objects.get(keyOf(backup, partName(file, place)), partBytes);
      if (bytes === null) return;
      yield bytes;
      if (bytes.byteLength < partBytes) return;
    }
  }

  async function listKeys(under: string): Promise<string[]> {
    const keys: string[] = [];
    for await (const listed of objects.list(under)) keys.push(...listed.map(({ key }) => key));
    return keys;
  }

  return {
    name: `s3://${[bucket, prefix].filter((part) => part !== "").join("/")}`,
    async list() {
      const keys = await listKeys(prefix === "" ? "" : `${prefix}/`);
      return keys.filter((key) => key.endsWith(`/${listFile}`)).flatMap((key) => key.split("/").at(-2) ?? []);
    },
    async put(backup, folder, files) {
      for (const file of files) {
        if (file === listFile) await objects.put(keyOf(backup, file), await readFile(join(folder, file)));
        else await putFile(backup, join(folder, file));
      }
    },
    async get(backup, into, files) {
      for (const file of files) {
        if (file === listFile) {
          const bytes = await objects.get(keyOf(backup, file), partBytes);
          if (bytes !== null) await writeFile(join(into, file), bytes, { mode: 0o600 });
          continue;
        }
        const path = join(into, file);
        await pipeline(Readable.from(readParts(backup, file)), createWriteStream(path, { mode: 0o600 }));
        if ((await stat(path)).size === 0) await rm(path);
      }
    },
    async remove(backup) {
      const keys = await listKeys(`${keyOf(backup, "")}/`);
      // The list of its files first: what is left of it is no backup any more.
      const list = keyOf(backup, listFile);
      for (const key of [list, ...keys.filter((key) => key !== list)]) await objects.remove([key]);
    },
    close: () => objects.close(),
  };
}

/** `s3://bucket/prefix`, or null for anything else. */
export function readBucket(text: string): { bucket: string; prefix: string } | null {
  const [, bucket, prefix = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(text) ?? [];
  return bucket === undefined ? null : { bucket, prefix: prefix.replace(/^\/+|\/+$/g, "") };
}
