import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kysely } from "kysely";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { migrate } from "../migrations/migrate.ts";
import type { RowOf, Tables } from "../schema/tables.ts";
import { createDialect } from "./driver.ts";
import { createExecutor, type Executor, type FixedStatement, type InsertStatement, largestBatch } from "./executor.ts";
import { longestKept } from "./libsql-database.ts";
import { openSqlite } from "./sqlite.ts";

describe("an executor", () => {
  let dataDir: string;
  let db: Kysely<Tables>;
  let executor: Executor;
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "trawl-executor-"));
    const engine = await openSqlite(dataDir);
    db = new Kysely<Tables>({ dialect: createDialect(engine) });
    await migrate(db, engine.columns);
    executor = createExecutor(db);
  });
  afterEach(async () => {
    await db.destroy();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const makeRows = (prefix: string, count: number): RowOf<"teams">[] =>
    Array.from({ length: count }, (_, index) => ({
      id: `${prefix}${index}`,
      name: `name of ${prefix}${index}`,
      requestsPerMinute: index % 2 ? index : null,
      createdAt: index,
    }));
  const createInsert = () =>
    vi.fn<InsertStatement<RowOf<"teams">, { id: string }>>((over, rows) =>
      over.insertInto("teams").values(rows).returning("id"),
    );

  it("builds a statement once, whether it runs in transactions or not, and puts each value in its place", async () => {
    const select = vi.fn<FixedStatement<[name: string, id: string], { id: string }>>((over, [name, id]) =>
      over.selectFrom("teams").select("id").where("id", "=", id).where("name", "=", name).limit(1),
    );
    await db.insertInto("teams").values(makeRows("a", 3)).execute();
    for (const index of [0, 1]) {
      const values: [string, string] = [`name of a${index}`, `a${index}`];
      const inTransaction = db.transaction().execute((transaction) => executor.over(transaction).run(select, values));
      expect(await inTransaction).toEqual([{ id: `a${index}` }]);
      expect(await executor.run(select, values)).toEqual([{ id: `a${index}` }]);
    }
    expect(await executor.run(select, ["name of a1", "a2"])).toEqual([]);
    expect(select).toHaveBeenCalledTimes(1);
  });

  it("builds an insert once for each small number of rows", async () => {
    const insert = createInsert();
    for (const prefix of ["a", "b"]) {
      await executor.insert(insert, makeRows(`${prefix}1-`, 1));
      await db.transaction().execute((transaction) => executor.over(transaction).insert(insert, makeRows(prefix, 3)));
    }
    expect(insert).toHaveBeenCalledTimes(2);
    const stored = await db.selectFrom("teams").selectAll().orderBy("id").execute();
    expect(stored).toEqual(
      [...makeRows("a1-", 1), ...makeRows("a", 3), ...makeRows("b1-", 1), ...makeRows("b", 3)].sort((one, two) =>
        one.id < two.id ? -1 : 1,
      ),
    );
  });

  it("inserts nothing for no rows, and many in batches, whose results it joins", async () => {
    const insert = createInsert();
    expect(await executor.insert(insert, [])).toEqual([]);
    expect(insert).not.toHaveBeenCalled();
    const rows = makeRows("many", 1001);
    expect(await executor.insert(insert, rows)).toEqual(rows.map(({ id }) => ({ id })));
    // 15 × 64, 32, 9: one text for each size.
    expect(insert).toHaveBeenCalledTimes(3);
  });

  it("makes no text of an insert too long to be kept, whatever the table", async () => {
    const tables = await db.introspection.getTables();
    expect(tables.length).toBeGreaterThan(10);
    for (const { name, columns } of tables) {
      const row = Object.fromEntries(columns.map((column) => [column.name, 1]));
      const rows = Array.from({ length: largestBatch }, () => row);
      const insert = db.insertInto(name as keyof Tables).values(rows as never);
      // What follows the values, such as the way out of a conflict, is short.
      expect(insert.compile().sql.length, name).toBeLessThan(longestKept - 500);
    }
  });

  it("is compiled without effect on a transaction that fails", async () => {
    const insert = createInsert();
    const failing = db.transaction().execute(async (transaction) => {
      await executor.over(transaction).insert(insert, makeRows("a", 1));
      throw new Error("halfway");
    });
    await expect(failing).rejects.toThrow("halfway");
    expect(await executor.insert(insert, makeRows("a", 1))).toEqual([{ id: "a0" }]);
    expect(insert).toHaveBeenCalledTimes(1);
  });
});
