import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLaunchFolder, removeAbandonedFolders } from "./launch-folder.ts";
import { endProcessGroup } from "./process-tree.ts";

const systemNode = { executable: "/usr/bin/node", copy: null, hasLibraries: false };

/** A process group that makes files in a folder as fast as it can. */
async function startWriting(folder: string): Promise<number> {
  const program = 'while :; do mkdir "$0/new"; for n in 1 2 3 4 5 6 7 8 9; do : > "$0/new/$n"; done; done';
  const words = ["-c", `(${program}) & (${program}) & ${program}`, folder];
  const { pid = 0 } = spawn("sh", words, { detached: true, stdio: "ignore" });
  onTestFinished(() => endProcessGroup(pid));
  await expect.poll(() => existsSync(join(folder, "new/9"))).toBe(true);
  return pid;
}

describe("the folder of a browser", () => {
  it("is for its owner only, hides what can be hidden, and carries nothing of our environment", async () => {
    const hidden = mkdtempSync(join(tmpdir(), "trawl-hidden-"));
    const folder = createLaunchFolder({
      chromium: "/usr/bin/chromium",
      searchPath: "/usr/bin",
      isIsolated: true,
      node: systemNode,
      hidden: [hidden, "/usr", "/", tmpdir()],
    });
    try {
      expect(statSync(folder.path).mode & 0o777).toBe(0o700);
      expect(statSync(join(folder.path, "profile")).mode & 0o777).toBe(0o700);
      // What holds the program or the folder itself must stay.
      expect(folder.environment.HIDE).toBe(hidden);
      expect(Object.keys(folder.environment).toSorted()).toEqual(
        ["CHROMIUM", "HIDE", "HOME", "ISOLATED", "LANG", "NODE", "PATH", "PROXY_SOCKET", "TMPDIR"].toSorted(),
      );
      expect(folder.readPid()).toBeNull();
    } finally {
      await folder.remove();
      rmSync(hidden, { recursive: true });
    }
    expect(existsSync(folder.path)).toBe(false);
  });

  const create = () =>
    createLaunchFolder({
      chromium: "/usr/bin/chromium",
      searchPath: "",
      isIsolated: false,
      node: systemNode,
      hidden: [],
    });

  it("is removed although somebody still writes into it, once they stop", async () => {
    const folder = create();
    const pid = await startWriting(join(folder.path, "profile"));
    setTimeout(() => endProcessGroup(pid), 800);
    await folder.remove();
    expect(existsSync(folder.path)).toBe(false);
  });

  it("has no writer left when its processes were ended", async () => {
    const folder = create();
    const pid = await startWriting(join(folder.path, "profile"));
    await endProcessGroup(pid);
    rmSync(folder.path, { recursive: true });
    expect(existsSync(folder.path)).toBe(false);
  });

  it("is removed later when its server was killed, and only then", async () => {
    const [abandoned, used, fresh, halfRemoved] = [create(), create(), create(), create()];
    const { pid } = spawnSync("true");
    writeFileSync(join(abandoned.path, "pid"), `${pid}\n`);
    writeFileSync(join(used.path, "pid"), `${process.pid}\n`);
    const anHourAgo = Date.now() / 1000 - 3601;
    utimesSync(halfRemoved.path, anHourAgo, anHourAgo);
    removeAbandonedFolders();
    const folders = [abandoned, used, fresh, halfRemoved];
    expect(folders.map(({ path }) => existsSync(path))).toEqual([false, true, true, false]);
    await used.remove();
    await fresh.remove();
  });

  it("is removed even if no parent has reaped what ran in it, as in a container without an init", async () => {
    const folder = create();
    // A shell would collect its child: so it ends only when a program that never does has taken the shell's place.
    const words = ["-c", "exec 3<&0; head -c 1 <&3 >/dev/null & echo $!; exec sleep 60"];
    const parent = spawn("sh", words, { stdio: ["pipe", "pipe", "ignore"] });
    try {
      const [pid] = (await once(parent.stdout, "data")) as [Buffer];
      await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8")).toBe("sleep\n");
      parent.stdin.end("x");
      await expect.poll(() => readFileSync(`/proc/${Number(pid)}/stat`, "utf8")).toContain(") Z ");
      writeFileSync(join(folder.path, "pid"), String(pid));
      removeAbandonedFolders();
      expect(existsSync(folder.path)).toBe(false);
    } finally {
      parent.kill("SIGKILL");
    }
  });
});
