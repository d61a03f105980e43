// "Reads go on": what another process, or a transaction of this one, does to the write lock never delays a read.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqlite } from "../../src/store/engine/sqlite.ts";
import { openStore, type Store } from "../../src/store/index.ts";
import { allowingForLoad } from "../support/busy-machine.ts";
import { startChild } from "../support/child.ts";
import { removeFolder } from "../support/cleanup.ts";
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
    const { lines } = startChild(holdWriteLock, { dataDir, holdMs: 2000 });
    expect((await lines.next()).value).toBe("held");
    const other = makeTeam();
    const writes = [store.transaction((statements) => statements.teams.insert(other)), store.keys.revoke(key.id, noon)];
    const health = store.checkHealth(noon);
    let isReleased = false;
    const released = lines.next().then(({ value }) => {
      isReleased = true;
      return value;
    });

    let slowestMs = 0;
    let reads = 0;
    for (;;) {
      const start = performance.now();
      const [found, teams] = await Promise.all([store.keys.findByHash(key.hash), store.teams.list()]);
      if (isReleased) break;
      slowestMs = Math.max(slowestMs, performance.now() - start);
      reads += 1;
      // The writes may already be through when the other process says that it has let go.
      expect(found).toMatchObject({ keyId: key.id });
      expect(teams).toContainEqual(team);
      await wait(10);
    }
    expect(await released).toBe("released");
    expect(reads).toBeGreaterThan(10);
    expect(slowestMs).toBeLessThan(allowingForLoad(200));

    expect(await Promise.all(writes)).toEqual([true, true]);
    expect(await store.teams.list()).toHaveLength(2);
    expect((await health).canRead).toBe(true);
    expect(await store.checkHealth(noon)).toEqual({ canRead: true, canWrite: true });
  });

  it("says in time that it can read but not write, however many ask", async () => {
    const other = await openSqlite(dataDir);
    other.database.execute("begin immediate");
    const start = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, () => store.checkHealth(noon)));
    expect(performance.now() - start).toBeLessThan(allowingForLoad(3000));
    for (const answer of answers) expect(answer).toEqual({ canRead: true, canWrite: false });
    other.database.execute("rollback");
    await store.teams.insert(makeTeam());
    expect(await store.checkHealth(noon)).toEqual({ canRead: true, canWrite: true });
    await other.close();
  });
});
