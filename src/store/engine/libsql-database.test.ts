// Each trap of libsql that the wrapper hides, under the name of the behaviour we promise instead.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LibsqlDatabase } from "./libsql-database.ts";

describe("libsql behind its wrapper", () => {
  let folder: string;
  let database: LibsqlDatabase;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "trawl-libsql-"));
    database = new LibsqlDatabase(join(folder, "a.db"));
    database.execute("pragma journal_mode = wal");
    database.execute("create table things (id text primary key, number bigint, data blob)");
  });
  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const select = (sql: string, ...parameters: unknown[]) => database.execute(sql, parameters).rows;

  it("refuses statements once it is closed instead of aborting the process", () => {
    database.close();
    expect(() => select("select 1")).toThrow("The database is closed");
    expect(database.inTransaction).toBe(false);
  });

  it("binds booleans as 0 and 1 instead of aborting the process", () => {
    expect(select("select ? as yes, ? as no, typeof(?) as type", true, false, true)).toEqual([
      { yes: 1, no: 0, type: "integer" },
    ]);
  });

  it("binds whole numbers as integers, so that 5 in a text column stays 5", () => {
    database.execute("insert into things (id, number) values (?, ?)", [5, Number.MAX_SAFE_INTEGER]);
    expect(select("select id, number, typeof(number) as type from things")).toEqual([
      { id: "5", number: Number.MAX_SAFE_INTEGER, type: "integer" },
    ]);
    expect(select("select typeof(?) as whole, typeof(?) as part", -3, 1.5)).toEqual([
      { whole: "integer", part: "real" },
    ]);
  });

  it("keeps the text after U+0000 and replaces the character", () => {
    expect(select("select ? as text", "a\0b\0")).toEqual([{ text: "a\uFFFDb\uFFFD" }]);
  });

  it("replaces halves of surrogate pairs and keeps whole ones", () => {
    expect(select("select ? as text", "a\uD800b\uDC00😀")).toEqual([{ text: "a\uFFFDb\uFFFD😀" }]);
  });

  it("gives blobs back as Buffer, empty ones and parts of larger buffers too", () => {
    const whole = Buffer.from([0, 1, 2, 255]);
    for (const bytes of [whole, whole.subarray(1, 3), new Uint8Array([7, 8]), Buffer.alloc(0)]) {
      const [row] = select("select ? as data, typeof(?) as type", bytes, bytes);
      expect(row?.data).toBeInstanceOf(Buffer);
      expect(row).toEqual({ data: Buffer.from(bytes), type: "blob" });
    }
  });

  it.each([
    ["Date", new Date(0)],
    ["Object", {}],
    ["Array", []],
    ["undefined", undefined],
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["symbol", Symbol("s")],
    ["function", () => 1],
    ["ArrayBuffer", new ArrayBuffer(1)],
  ])("refuses %s by name", (name, value) => {
    expect(() => select("select ? as value", value)).toThrow(new RegExp(`not ${name}`));
  });

  it("refuses too few and too many parameters", () => {
    expect(() => select("select ? as a, ? as b", 1)).toThrow("takes 2 parameters, not 1");
    expect(() => select("select ? as a", 1, 2)).toThrow("takes 1 parameters, not 2");
    expect(() => select("select 1 as a", 1)).toThrow("takes 0 parameters, not 1");
  });

  it("does not count question marks in quotes and comments", () => {
    const sql = `select '?''?' as "what?", ? as \`b?\`, 3 as [c?] -- ?
      /* ? */`;
    expect(select(sql, 2)).toEqual([{ "what?": "?'?", "b?": 2, "c?": 3 }]);
  });

  it("refuses placeholders with names or numbers", () => {
    for (const placeholder of ["?1", ":a", "@a", "$a"]) {
      expect(() => select(`select ${placeholder} as a`, 1)).toThrow("Only ? placeholders");
    }
  });

  it("adds no columns to a row", () => {
    expect(Object.keys(select("select 1 as one")[0] ?? {})).toEqual(["one"]);
  });

  it("gives changes for statements without rows, and rows for those that return some", () => {
    expect(database.execute("insert into things (id) values (?), (?)", ["a", "b"])).toEqual({ rows: [], changes: 2 });
    expect(database.execute("insert into things (id) values ('a') on conflict do nothing").changes).toBe(0);
    const returning = database.execute("insert into things (id) values ('c') returning id");
    expect(returning).toEqual({ rows: [{ id: "c" }], changes: null });
  });

  it("leaves no statement open that would block a checkpoint, after failures neither", () => {
    database.execute("insert into things (id) values ('a') returning id");
    expect(() => database.execute("insert into things (id) values ('a') returning id")).toThrow(/UNIQUE/);
    expect(() => database.execute("insert into things (id) values ('a')")).toThrow(/UNIQUE/);
    select("select * from things");
    expect(select("pragma wal_checkpoint(truncate)")).toEqual([{ busy: 0, log: 0, checkpointed: 0 }]);
  });

  it("sees what another process saved while a statement waits for its lock", () => {
    const other = new LibsqlDatabase(join(folder, "a.db"));
    const count = () => select("select count(*) as count from things")[0]?.count;
    for (const [saved, statement] of [
      [1, "begin immediate"],
      [2, "insert into things (id) values ('own')"],
    ] as const) {
      other.execute("begin immediate");
      other.execute("insert into things (id) values (?)", [`other ${saved}`]);
      expect(() => database.execute(statement)).toThrow("database is locked");
      expect(count()).toBe(saved - 1);
      other.execute("commit");
      expect(count()).toBe(saved);
    }
    database.execute("insert into things (id) values ('own')");
    expect(count()).toBe(3);
    other.close();
  });

  it("reads results of many rows whole", () => {
    for (const count of [99, 100, 101, 250]) {
      const sql = "with recursive n (i) as (select 1 union all select i + 1 from n where i < ?) select i from n";
      expect(select(sql, count)).toHaveLength(count);
    }
  });

  it("keeps working when more statements are used than it keeps", () => {
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < 500; index += 1) expect(select(`select ${index} as i`)).toEqual([{ i: index }]);
    }
  });

  it("sees columns that were added after a statement was prepared", () => {
    database.execute("insert into things (id) values ('a')");
    select("select * from things");
    database.execute("alter table things add column note text");
    expect(select("select * from things")).toEqual([{ id: "a", number: null, data: null, note: null }]);
  });

  it("gives SQLite's own result codes with its errors", () => {
    database.execute("insert into things (id) values ('a')");
    const fail = () => database.execute("insert into things (id) values ('a')");
    expect(fail).toThrow(expect.objectContaining({ code: "SQLITE_CONSTRAINT_PRIMARYKEY", rawCode: 1555 }));
  });
});
