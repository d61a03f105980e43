// "Reads go on": what another process, or a transaction of this one, does to the write lock never delays a read.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqlite } from "../../src/store/engine/sqlite.ts";
import { openStore, type Store } from "../../src/store/index.ts";
import { startChild } from "../support/child.ts";
import { removeFolder } from "../support/cleanup.ts";
import { inTime } from "../support/in-time.ts";
import { makeKey, makeTeam, noon } from "./rows.ts";

const holdWriteLock = new URL("./children/hold-write-lock.ts", import.meta.url);

describe("SQLite whose write lock another process holds", () => {
  let dataDir: string;
  let store: Store;
  const team = makeTeam();
  const key = makeKey(team.id);
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "trawl-busy-"));
    store = await openStore({ dataDir });
    await store.teams.insert(team);
    await store.keys.insert(key);
  });
  afterEach(async () => {
    await store.close();
    await removeFolder(dataDir);
  });

  it("answers reads at once, and its writes wait and then succeed", async () => {
    const { process: holder, lines } = startChild(holdWriteLock, { dataDir });
    expect((await lines.next()).value).toBe("held");
    const other = makeTeam();
    const writes = [store.transaction((statements) => statements.teams.insert(other)), store.keys.revoke(key.id, noon)];
    const health = store.checkHealth(noon);
    for (let reads = 0; reads < 20; reads += 1) {
      const [found, teams] = await Promise.all([store.keys.findByHash(key.hash), store.teams.list()]);
      expect(found).toMatchObject({ keyId: key.id });
      expect(teams).toEqual([team]);
    }
    // All of that while the other process had the lock.
    holder.kill("SIGUSR2");
    expect((await lines.next()).value).toBe("released");

    expect(await Promise.all(writes)).toEqual([true, true]);
    expect(await store.teams.list()).toHaveLength(2);
    expect((await health).canRead).toBe(true);
    expect(await store.checkHealth(noon)).toEqual({ canRead: true, canWrite: true });
  });

  it("says in time that it can read but not write, however many ask", async () => {
    const other = await openSqlite(dataDir);
    other.database.execute("begin immediate");
    const ask = () => Promise.all(Array.from({ length: 20 }, () => store.checkHealth(noon)));
    const answers = await inTime(5 * 2000, ask);
    for (const answer of answers) expect(answer).toEqual({ canRead: true, canWrite: false });
    other.database.execute("rollback");
    await store.teams.insert(makeTeam());
    expect(await store.checkHealth(noon)).toEqual({ canRead: true, canWrite: true });
    await other.close();
  });
});
