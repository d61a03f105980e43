import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createStore, type Store } from "../opening/open-store.ts";
import { openSqlite, type SqliteEngine } from "./sqlite.ts";

const team = { id: "1", name: "team", requestsPerMinute: null, createdAt: 0 };

describe("SQLite while another process holds the write lock", () => {
  let dataDir: string;
  let store: Store;
  let engine: SqliteEngine;
  let other: SqliteEngine;
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "trawl-sqlite-"));
    engine = await openSqlite(dataDir, 300);
    store = await createStore(engine);
    other = await openSqlite(dataDir);
    other.database.execute("begin immediate");
  });
  afterEach(async () => {
    await store.close();
    await other.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it("reads at once", async () => {
    expect(await store.teams.list()).toEqual([]);
    other.database.execute("rollback");
  });

  it("waits for its turn without stopping the event loop, then writes", async () => {
    // On a busy machine these turns may take longer than the wait of the other tests.
    const patient = await createStore(await openSqlite(dataDir, 60_000));
    const writing = patient.teams.insert(team);
    let turns = 0;
    while (turns < 5) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    other.database.execute("commit");
    expect(await writing).toBe(true);
    await patient.close();
  });

  it("gives up after the longest wait, says so, and can write later", async () => {
    const busy = { code: "STORE_UNAVAILABLE", cause: expect.objectContaining({ code: "SQLITE_BUSY" }) };
    await expect(store.teams.insert(team)).rejects.toMatchObject(busy);
    await expect(store.transaction((statements) => statements.teams.insert(team))).rejects.toMatchObject(busy);
    other.database.execute("rollback");
    expect(await store.teams.insert(team)).toBe(true);
  });

  it("counts the longest wait from the request on, so that waits in a queue do not add up", async () => {
    const tries = vi.spyOn(engine.database, "execute");
    const inserts = Array.from({ length: 30 }, () => store.teams.insert(team));
    for (const result of await Promise.allSettled(inserts)) expect(result.status).toBe("rejected");
    // The first one tries again and again; the time of the others is over when it is their turn, and they try once.
    // One after the other they would take 30 times 15 tries.
    expect(tries.mock.calls.length).toBeLessThan(30 * 5);
    other.database.execute("rollback");
  });

  it("lets nothing write through the connection that reads while a transaction is open", async () => {
    await expect(other.reader?.execute("delete from teams", [])).rejects.toThrow(/readonly/);
    other.database.execute("rollback");
  });

  it("is set up to keep what it acknowledged", () => {
    const pragma = (name: string) => Object.values(other.database.execute(`pragma ${name}`).rows[0] ?? {})[0];
    expect(pragma("journal_mode")).toBe("wal");
    expect(pragma("synchronous")).toBe(2);
    expect(pragma("foreign_keys")).toBe(1);
    other.database.execute("rollback");
  });
});
