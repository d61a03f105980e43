// How tests leave nothing behind, on a busy machine too: folders that somebody may still write into, processes that take a
// moment to end.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { endProcessGroup } from "../../src/engines/browser/process-tree.ts";

/** Waits, for ten seconds at most, for those who still write into it. */
export function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

/** Kills a process that this one started, and waits until it is gone. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

/** The same with all that it started, if it was started as the leader of a group. */
export async function endGroup(leader: ChildProcess): Promise<void> {
  if (leader.pid === undefined) return;
  await endProcessGroup(leader.pid);
  await endProcess(leader);
}
