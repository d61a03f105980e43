// A disk with little room, in memory: as root only, for `npm run prove -- faults`.
import { execFileSync } from "node:child_process";
import { chmodSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "./temporary-folder.ts";

export interface SmallDisk {
  folder: string;
  /** Leaves no byte. */
  fill(): void;
  free(): void;
}

export function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = temporaryFolder();
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]);
  // Lazily: a process that is about to end may still hold a file.
  onTestFinished(() => void execFileSync("umount", ["-l", folder]));
  chmodSync(folder, 0o1777);
  const ballast = join(folder, "ballast");
  return {
    folder,
    fill() {
      const { bavail, bsize } = statfsSync(folder);
      try {
        writeFileSync(ballast, Buffer.alloc(bavail * bsize));
      } catch (error) {
        // Somebody else took some of it meanwhile.
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      }
    },
    free: () => rmSync(ballast),
  };
}
