// `trawl store`: copying between the databases, backups, and looking for faults.
import { execFileSync } from "node:child_process";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { newId } from "../../src/base/index.ts";
import { openStore, packBlob, type Store, type StoreOptions } from "../../src/store/index.ts";
import { movedTables } from "../../src/store/moving/table-keys.ts";
import { runCommand } from "../support/command.ts";
import { environment, headers, readCrawl, startCrawl, startTree, untilCompleted } from "../support/crawl-servers.ts";
import { openServer } from "../support/near-server.ts";
import { createEmptyDatabase } from "../support/run-database.ts";
import { runCli } from "../support/server-process.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const secret = { TRAWL_SECRET: "x".repeat(32) };

async function emptyDatabase(): Promise<string> {
  const { url, drop } = await createEmptyDatabase();
  onTestFinished(drop);
  return url;
}

async function withStore<Result>(options: StoreOptions, work: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openStore(options);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const digests = (options: StoreOptions) =>
  withStore(options, async ({ moving }) =>
    Object.fromEntries(await Promise.all(movedTables.map(async (table) => [table, await moving.digest(table)]))),
  );

/** A crawl with an index, so that most tables have rows. */
async function fill(env: Record<string, string>): Promise<string> {
  const site = await startTree(12, () => 0);
  const server = await openServer(env);
  const id = await startCrawl(server, { url: site.url, sitemap: "skip" });
  await untilCompleted(server, id);
  const found = await search(server.url);
  expect(found).toBeGreaterThan(0);
  await server.stop();
  return id;
}

async function search(url: string): Promise<number> {
  let found = 0;
  const ask = async () => {
    const answer = await fetch(`${url}/v2/search`, {
      method: "POST",
      headers,
      body: JSON.stringify({ query: "page 3", limit: 20 }),
    });
    found = ((await answer.json()) as { data: { web?: unknown[] } }).data?.web?.length ?? 0;
    return found;
  };
  await expect.poll(ask).toBeGreaterThan(0);
  return found;
}

describe("trawl store copy", () => {
  it("moves everything to PostgreSQL and back, and servers refuse what was moved until they are told", async () => {
    const env = await environment("sqlite");
    const id = await fill(env);
    const own = { ...env, ...secret };
    const before = await digests({ dataDir: env["DATA_DIR"] as string });

    const databaseUrl = await emptyDatabase();
    const copied = await runCli(["store", "copy", "--to", databaseUrl], env);
    expect(copied).toMatchObject({ code: 0, stdout: expect.stringContaining("Servers now refuse the old store") });
    expect(copied.stdout).toContain("TRAWL_SECRET");
    expect(copied.stdout + copied.stderr).not.toContain("password");
    expect(await digests({ databaseUrl })).toEqual(before);

    const refused = await runCommand(["serve"], { ...env, PORT: "0" });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("This store was copied to postgres://") });

    const moved = await openServer({ ...own, DATABASE_URL: databaseUrl });
    expect(await readCrawl(moved, id)).toMatchObject({ status: "completed", completed: 12 });
    expect(await search(moved.url)).toBeGreaterThan(0);
    await moved.stop();

    const dataDir = join(temporaryFolder(), "back");
    const back = await runCommand(["store", "copy", "--to", `sqlite:${dataDir}`], {
      ...own,
      DATABASE_URL: databaseUrl,
    });
    expect(back).toMatchObject({ code: 0 });
    const returned = await openServer({ ...own, DATA_DIR: dataDir });
    expect(await readCrawl(returned, id)).toMatchObject({ status: "completed", completed: 12 });
    expect(await search(returned.url)).toBeGreaterThan(0);

    expect(await runCommand(["store", "reopen"], env)).toMatchObject({ code: 0 });
    const reopened = await openServer(env);
    expect(await readCrawl(reopened, id)).toMatchObject({ status: "completed" });
  });

  it("goes on where it was broken off, and counts only when both sides are the same", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const teamId = newId();
    await withStore({ dataDir }, async (store) => {
      await store.teams.insert({ id: teamId, name: "acme", createdAt: 1, requestsPerMinute: null });
      const blobs = Array.from({ length: 50 }, () =>
        packBlob({ id: newId(), teamId, createdAt: 1, expiresAt: null, data: Buffer.from("x".repeat(600)) }),
      );
      await store.blobs.put(await Promise.all(blobs));
    });
    const databaseUrl = await emptyDatabase();
    // As a copy that was killed leaves it: a part of the rows, and how far they go.
    await withStore({ dataDir }, (from) =>
      withStore({ databaseUrl }, async (to) => {
        await to.moving.begin(`sqlite:${dataDir}`);
        const rows = await from.moving.read("blobs", null);
        expect(rows).toHaveLength(20);
        const lastKey = from.moving.keyOf("blobs", rows.at(-1) ?? {});
        await to.moving.write("blobs", rows, { lastKey, rows: rows.length });
      }),
    );
    const env = { DATA_DIR: dataDir };
    const other = { DATA_DIR: join(temporaryFolder(), "other") };
    expect(await runCommand(["store", "copy", "--to", databaseUrl], other)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("was broken off"),
    });
    const copied = await runCommand(["store", "copy", "--to", databaseUrl, "--json"], env);
    expect(copied.code).toBe(0);
    expect(JSON.parse(copied.stdout.slice(0, copied.stdout.lastIndexOf("]") + 1))).toContainEqual({
      table: "blobs",
      rows: 50,
      hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      same: "yes",
    });

    expect(await runCommand(["store", "copy", "--to", databaseUrl], other)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("The target is not empty"),
    });
    expect(await runCommand(["store", "copy", "--to", "mysql://x"], env)).toMatchObject({ code: 2 });
    expect(await runCommand(["store", "copy"], env)).toMatchObject({ code: 2 });
  });
});

describe("trawl store backup", () => {
  it("saves a database that is in use, and restore brings it back", async () => {
    const env = await environment("sqlite");
    const site = await startTree(8, () => 0);
    const server = await openServer(env);
    const id = await startCrawl(server, { url: site.url, sitemap: "skip" });
    await untilCompleted(server, id);
    const folder = join(temporaryFolder(), "backup");
    expect(await runCommand(["store", "backup", folder], env)).toMatchObject({ code: 0 });
    expect(statSync(join(folder, "trawl.db")).mode & 0o077).toBe(0);
    expect(existsSync(join(folder, "secret"))).toBe(true);
    expect(await runCommand(["store", "backup", folder], env)).toMatchObject({ code: 2 });

    const restored = { ...env, DATA_DIR: join(temporaryFolder(), "restored") };
    expect(await runCommand(["store", "restore", folder], restored)).toMatchObject({ code: 0 });
    expect(await runCommand(["store", "restore", folder], restored)).toMatchObject({ code: 2 });
    const again = await openServer(restored);
    expect(await readCrawl(again, id)).toMatchObject({ status: "completed", completed: 8 });

    const damaged = join(temporaryFolder(), "damaged");
    execFileSync("cp", ["-r", folder, damaged]);
    const file = join(damaged, "trawl.db");
    const bytes = Buffer.alloc(statSync(file).size, "no database at all");
    writeFileSync(file, bytes);
    const elsewhere = { ...env, DATA_DIR: join(temporaryFolder(), "elsewhere") };
    expect(await runCommand(["store", "restore", damaged], elsewhere)).toMatchObject({ code: 1 });
    expect(existsSync(join(elsewhere.DATA_DIR, "trawl.db"))).toBe(false);
  });
});

describe("trawl store check", () => {
  it.each(["sqlite", "postgres"] as const)(
    "finds nothing in a store in order, and what is wrong in another, on %s",
    async (name) => {
      const dataDir = join(temporaryFolder(), "data");
      const databaseUrl = name === "postgres" ? await emptyDatabase() : null;
      const env = { DATA_DIR: dataDir, ...(databaseUrl ? { DATABASE_URL: databaseUrl, ...secret } : {}) };
      expect(await runCommand(["store", "check"], env)).toMatchObject({ code: 0 });
      await withStore(databaseUrl ? { databaseUrl } : { dataDir }, async (store) => {
        const row = { jobId: newId(), seq: 1, pageId: newId(), blobId: newId(), sizeBytes: 1, details: "{}" };
        await store.moving.write("job_results", [row], { lastKey: null, rows: 0 });
      });
      const checked = await runCommand(["store", "check", "--json"], env);
      expect(checked.code).toBe(1);
      const faults = (JSON.parse(checked.stdout) as { fault: string; rows: number }[]).filter(({ rows }) => rows > 0);
      expect(faults).toEqual([{ fault: "results of jobs that are gone", rows: 1 }]);
    },
  );
});
