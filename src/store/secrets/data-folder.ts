// The folder of the database and the secret: for its owner alone, also when it was there before.
import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";

const ownFiles = /^(?:trawl\.db(?:-wal|-shm|-new-[0-9a-f]{16})?|secret(?:\.[0-9a-f]{16})?)$/;
const forOthers = 0o077;

/** The mode of a folder that holds anything else is left alone: it may be shared on purpose. */
export function prepareDataFolder(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const isOwn =
    statSync(dataDir).uid === process.getuid?.() && readdirSync(dataDir).every((name) => ownFiles.test(name));
  if (isOwn && isOpenToOthers(dataDir)) chmodSync(dataDir, 0o700);
}

/** Whether other users of the machine can look into the folder. */
export function isOpenToOthers(dataDir: string): boolean {
  const mode = statSync(dataDir, { throwIfNoEntry: false })?.mode ?? 0;
  return process.platform !== "win32" && (mode & forOthers) !== 0;
}
