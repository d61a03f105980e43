import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLaunchFolder, removeAbandonedFolders } from "./launch-folder.ts";

describe("the folder of a browser", () => {
  it("is for nobody else, hides what can be hidden, and carries nothing of our environment", () => {
    const hidden = mkdtempSync(join(tmpdir(), "trawl-hidden-"));
    const folder = createLaunchFolder({
      chromium: "/usr/bin/chromium",
      searchPath: "/usr/bin",
      isIsolated: true,
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
      folder.remove();
      rmSync(hidden, { recursive: true });
    }
    expect(existsSync(folder.path)).toBe(false);
  });

  it("is removed later when its server was killed, and only then", () => {
    const create = () =>
      createLaunchFolder({ chromium: "/usr/bin/chromium", searchPath: "", isIsolated: false, hidden: [] });
    const [abandoned, used, fresh] = [create(), create(), create()];
    const { pid } = spawnSync("true");
    writeFileSync(join(abandoned.path, "pid"), `${pid}\n`);
    writeFileSync(join(used.path, "pid"), `${process.pid}\n`);
    removeAbandonedFolders();
    expect([abandoned, used, fresh].map(({ path }) => existsSync(path))).toEqual([false, true, true]);
    used.remove();
    fresh.remove();
  });
});
