import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isOpenToOthers, prepareDataFolder } from "./data-folder.ts";
import { readOrCreateSecret } from "./secret-file.ts";

describe("the secret file", () => {
  let parent: string;
  let dataDir: string;
  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), "trawl-secret-"));
    dataDir = join(parent, "data");
  });
  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  it("is made once, readable by its owner only, and leaves no draft behind", async () => {
    const secret = await readOrCreateSecret(dataDir);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(await readOrCreateSecret(dataDir)).toBe(secret);
    expect(statSync(join(dataDir, "secret")).mode & 0o777).toBe(0o600);
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(readdirSync(dataDir)).toEqual(["secret"]);
  });

  it("is the same for all who ask for it at once", async () => {
    const secrets = await Promise.all(Array.from({ length: 30 }, () => readOrCreateSecret(dataDir)));
    expect(new Set(secrets).size).toBe(1);
    expect(readdirSync(dataDir)).toEqual(["secret"]);
  });

  it("is never replaced when it is empty: what it sealed would be lost", async () => {
    await readOrCreateSecret(dataDir);
    writeFileSync(join(dataDir, "secret"), "\n");
    await expect(readOrCreateSecret(dataDir)).rejects.toThrow(/empty/);
  });
});

describe("a data folder that was there before", () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = join(mkdtempSync(join(tmpdir(), "trawl-folder-")), "data");
    mkdirSync(dataDir, { mode: 0o755 });
  });
  afterEach(() => rmSync(join(dataDir, ".."), { recursive: true, force: true }));

  it.each([[[]], [["trawl.db", "trawl.db-wal", "trawl.db-shm", "secret"]]])(
    "and holds nothing but ours (%j) is closed to others",
    (files) => {
      for (const name of files) writeFileSync(join(dataDir, name), "x");
      prepareDataFolder(dataDir);
      expect(statSync(dataDir).mode & 0o777).toBe(0o700);
      expect(isOpenToOthers(dataDir)).toBe(false);
    },
  );

  it("and holds other files keeps its mode", () => {
    writeFileSync(join(dataDir, "notes.txt"), "x");
    prepareDataFolder(dataDir);
    expect(statSync(dataDir).mode & 0o777).toBe(0o755);
    expect(isOpenToOthers(dataDir)).toBe(true);
  });
});
