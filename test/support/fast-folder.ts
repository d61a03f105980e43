import { mkdtempSync, statfsSync } from "node:fs";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const leastBytes = 8 * 1024 ** 3;

/**
 * Where databases of tests lie: in memory where there is plenty of it. They are hundreds of small files, which take five times the
 * CPU on a disk, and every commit would wait for it.
 */
export function fastFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > leastBytes && freemem() > leastBytes ? memory : tmpdir();
  } catch {
    return tmpdir(); // No Linux.
  }
}

/** For the SQLite files of a run; its set-up removes the folder. */
export function enterStoreFolder(): string {
  const folder = mkdtempSync(join(fastFolder(), "trawl-stores-"));
  process.env.TEST_STORES = folder;
  return folder;
}

/** A folder of its own for one store. */
export function makeStoreFolder(): string {
  return mkdtempSync(join(process.env.TEST_STORES ?? tmpdir(), "s-"));
}
