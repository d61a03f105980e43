import { chmodSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openStore, type StoreOptions } from "../../src/store/index.ts";
import { startChild } from "../support/child.ts";
import { engines } from "../support/engines.ts";
import { createEmptyDatabase } from "../support/run-database.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { makeTeam, noon } from "./rows.ts";

const openAndTell = new URL("./children/open-and-tell.ts", import.meta.url);

/** Where no store was opened yet; gone after the test. */
async function emptyPlace(name: string): Promise<StoreOptions> {
  if (name === "postgres") {
    const { url, drop } = await createEmptyDatabase();
    onTestFinished(drop);
    return { databaseUrl: url, poolSize: 2 };
  }
  return { dataDir: join(temporaryFolder(), "data") };
}

describe.each(engines)("opening on $name", ({ name, fresh }) => {
  it("lets many stores of one process open an empty database at once", async () => {
    const options = await emptyPlace(name);
    const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(options)));
    const made = await Promise.all(stores.map((store) => store.teams.insert(makeTeam({ name: "first" }))));
    expect(made.filter(Boolean)).toHaveLength(1);
    for (const store of stores) await store.close();
  });

  it("lets several processes open an empty database at once", async () => {
    const options = await emptyPlace(name);
    const children = Array.from({ length: 3 }, () => startChild(openAndTell, options));
    const answers = await Promise.all(children.map(async ({ lines }) => (await lines.next()).value));
    expect(answers).toEqual(["opened", "opened", "opened"]);
  });

  it("finds everything again after closing, and says what it is", async () => {
    const options = await emptyPlace(name);
    const team = makeTeam();
    const first = await openStore(options);
    await first.teams.insert(team);
    await first.close();
    const second = await openStore(options);
    expect(second.engine).toBe(name);
    expect(await second.teams.list()).toEqual([team]);
    await second.close();
  });

  it("refuses statements after closing", async () => {
    const opened = await fresh();
    onTestFinished(opened.cleanup);
    await opened.store.close();
    await expect(opened.store.teams.list()).rejects.toThrow(/destroyed/);
    // Reads that take the shortest way.
    await expect(opened.store.keys.findByHash("none")).rejects.toThrow();
    await expect(opened.store.charges.sumMonth("team", 0)).rejects.toThrow();
    expect(await opened.store.checkHealth(noon)).toEqual({ canRead: false, canWrite: false });
  });
});

describe("opening SQLite", () => {
  let parent: string;
  beforeEach(() => {
    parent = temporaryFolder();
  });

  const mode = (path: string) => statSync(path).mode & 0o777;

  it("keeps the data directory and every file in it to the owner", async () => {
    const dataDir = join(parent, "deep", "data");
    const store = await openStore({ dataDir });
    await store.teams.insert(makeTeam());
    expect(mode(dataDir)).toBe(0o700);
    for (const file of ["trawl.db", "trawl.db-wal", "trawl.db-shm"]) expect(mode(join(dataDir, file))).toBe(0o600);
    await store.close();
  });

  it("takes back rights that others had on the database file", async () => {
    const dataDir = join(parent, "data");
    await (await openStore({ dataDir })).close();
    chmodSync(join(dataDir, "trawl.db"), 0o644);
    await (await openStore({ dataDir })).close();
    expect(mode(join(dataDir, "trawl.db"))).toBe(0o600);
  });

  it("leaves all data in the one database file when it is closed", async () => {
    const store = await openStore({ dataDir: parent });
    await store.teams.insert(makeTeam());
    expect(await store.teams.list()).toHaveLength(1); // also by the connection that reads
    await store.close();
    expect(statSync(join(parent, "trawl.db-wal"), { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  });

  it("says that the storage cannot be used when the directory is a file or the file no database", async () => {
    writeFileSync(join(parent, "file"), "");
    const unusable = expect.objectContaining({ code: "STORE_UNAVAILABLE" });
    await expect(openStore({ dataDir: join(parent, "file") })).rejects.toEqual(unusable);
    writeFileSync(join(parent, "trawl.db"), "no database ".repeat(1000));
    await expect(openStore({ dataDir: parent })).rejects.toEqual(unusable);
  });
});
