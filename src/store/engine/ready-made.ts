// A new SQLite store begins as a copy of an empty one that the build has made: creating its tables one by one takes 60 ms of a start.
import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { compiledFile } from "../../base/index.ts";

const readyMade = compiledFile(import.meta.url, "./new-store.db");

/** Leaves a database that exists alone. Where there is nothing to copy or copying fails, the tables are created one by one. */
export function copyReadyMade(file: string): void {
  if (existsSync(file)) return;
  const fresh = `${file}-new-${randomBytes(8).toString("hex")}`;
  try {
    writeDurably(fresh, readFileSync(readyMade));
    // It appears complete or not at all, and never replaces one that another process has made meanwhile.
    linkSync(fresh, file);
  } catch {
    // Not built, a full disk, or a file system without links. What is wrong with the disk shows when the database is opened.
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** For its owner alone; SQLite relies on what it finds in its file being on the disk. */
function writeDurably(file: string, bytes: Uint8Array): void {
  const opened = openSync(file, "wx", 0o600);
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(opened, bytes, written);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
