// Tables of a large store in parts: `convert` rebuilds them while servers go on, `upkeep` adds parts for the days to come and drops
// those whose rows have all expired, which costs nothing, where deleting rows one by one would.
import { dayMs } from "../../base/index.ts";
import type { EngineConnection } from "./engine.ts";
import {
  daysAhead,
  endOfName,
  hashParts,
  nameOfDay,
  nameOfRest,
  type PartitionPlan,
  type PartitionState,
  type Partitions,
  partitionPlans,
  startOfDay,
  type TimedTable,
} from "./partition-plan.ts";

type Run = (text: string, parameters?: readonly unknown[]) => Promise<Record<string, unknown>[]>;

const portion = 5000;
/** Who waits for a lock keeps others waiting behind it. */
const lockMs = 2000;
/** Rows are copied beside those who change them: waiting here longer could be a deadlock, which might end their work. */
const rowLockMs = 200;
const lockTries = 30;

export function createPartitions(connect: () => Promise<EngineConnection>): Partitions {
  async function transact<Result>(waitMs: number, work: (run: Run) => Promise<Result>): Promise<Result> {
    const connection = await connect();
    try {
      await connection.begin();
      const run: Run = async (text, parameters = []) => {
        const { rows } = await connection.execute(text, parameters);
        return rows as Record<string, unknown>[];
      };
      await run(`set local lock_timeout = ${waitMs}`);
      const result = await work(run);
      await connection.commit();
      return result;
    } catch (error) {
      await connection.rollback().catch(() => undefined);
      throw error;
    } finally {
      connection.release();
    }
  }

  /** Tries again when a lock cannot be had at once. */
  async function patiently<Result>(waitMs: number, work: (run: Run) => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await transact(waitMs, work);
      } catch (error) {
        if (tries === lockTries || !isLockTimeout(error)) throw error;
      }
    }
  }

  async function read(): Promise<PartitionState[]> {
    const tables = partitionPlans.map(({ table }) => table);
    const rows = await patiently(lockMs, async (run) => {
      for (const table of tables) await run(`analyze ${table}`);
      return run(
        `select relname as name, relkind = 'p' as parted, greatest(reltuples, 0)::bigint as rows from pg_class
         where relnamespace = current_schema()::regnamespace and relname in (${tables.map((table) => `'${table}'`).join(", ")})`,
      );
    });
    return tables.map((table) => {
      const row = rows.find(({ name }) => name === table);
      return { table, isParted: row?.["parted"] === true, rows: Number(row?.["rows"] ?? 0) };
    });
  }

  return {
    read,

    async convert(now, onProgress, signal) {
      const states = await read();
      for (const plan of partitionPlans) {
        if (states.some(({ table, isParted }) => table === plan.table && isParted)) continue;
        await patiently(lockMs, (run) => prepare(run, plan, now));
        let last: unknown[] | null = null;
        for (let rows = 0; ; ) {
          signal.throwIfAborted();
          const from: unknown[] | null = last;
          const copied: CopiedPortion = await patiently(rowLockMs, (run) => copyPortion(run, plan, from));
          rows += copied.count;
          onProgress(plan.table, rows);
          if (copied.count < portion) break;
          last = copied.last;
        }
        await patiently(lockMs, (run) => swap(run, plan));
        await patiently(lockMs, (run) => run(`analyze ${plan.table}`));
      }
    },

    async upkeep(now, ages) {
      const parents = await transact(lockMs, (run) =>
        run(
          `select parent.relname as parent, child.relname as child from pg_inherits
           join pg_class parent on parent.oid = inhparent join pg_class child on child.oid = inhrelid
           where parent.relnamespace = current_schema()::regnamespace and parent.relkind = 'p'`,
        ),
      );
      const parted = new Set<TimedTable>();
      for (const plan of partitionPlans) {
        const parts = parents.filter(({ parent }) => parent === plan.table).map(({ child }) => String(child));
        if (parts.length === 0 || !plan.dayStart) continue;
        const table = plan.table as TimedTable;
        parted.add(table);
        await addDays(plan, plan.dayStart, new Set(parts), now);
        await dropOld(plan, parts, now - ages[table]);
      }
      return parted;
    },
  };

  async function addDays(
    { table }: PartitionPlan,
    dayStart: (ms: number) => string,
    parts: ReadonlySet<string>,
    now: number,
  ): Promise<void> {
    for (let day = startOfDay(now); day <= startOfDay(now) + daysAhead * dayMs; day += dayMs) {
      const name = nameOfDay(table, day + dayMs);
      if (parts.has(name)) continue;
      // Made beside the table and attached: that keeps nobody from reading and writing.
      await patiently(lockMs, async (run) => {
        await run(`create table ${name} (like ${table} including all)`);
        const [from, to] = [dayStart(day), dayStart(day + dayMs)];
        await run(`alter table ${table} attach partition ${name} for values from (${from}) to (${to})`);
      });
    }
  }

  async function dropOld({ table, keeps }: PartitionPlan, parts: readonly string[], cut: number): Promise<void> {
    for (const name of parts) {
      const end = endOfName(table, name);
      if (end === null || end > cut) continue;
      await patiently(lockMs, async (run) => {
        const kept = keeps ? await run(`select 1 from ${name} where ${keeps(cut)} limit 1`) : [];
        if (kept.length === 0) await run(`drop table ${name}`);
      });
    }
  }
}

const newNameOf = (table: string): string => `${table}_parted`;

/** The new table, with what keeps it up with the old one from here on. */
async function prepare(run: Run, { table, key, column, dayStart }: PartitionPlan, now: number): Promise<void> {
  const made = newNameOf(table);
  const [known] = await run("select to_regclass($1) as made", [made]);
  if (known?.["made"]) return;
  const method = dayStart ? "range" : "hash";
  await run(`create table ${made} (like ${table} including defaults) partition by ${method} (${column})`);
  await run(`alter table ${made} add constraint ${made}_key primary key (${key.join(", ")})`);
  for (const text of partsOf(table, made, dayStart, now)) await run(text);
  for (const { name, definition } of await indexesOf(run, table)) {
    await run(`create index ${name}_parted on ${made} ${definition}`);
  }
  const columns = await run(
    "select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped",
    [table],
  );
  const changes = columns.map(({ name }) => `${name} = excluded.${name}`).join(", ");
  const isOld = key.map((name) => `${name} = old.${name}`).join(" and ");
  await run(`create function ${made}_follow() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' then delete from ${made} where ${isOld};
    else insert into ${made} select (new).* on conflict (${key.join(", ")}) do update set ${changes};
    end if;
    return null; end $$`);
  await run(`create trigger ${made}_follow after insert or update or delete on ${table}
    for each row execute function ${made}_follow()`);
}

function partsOf(table: string, made: string, dayStart: PartitionPlan["dayStart"], now: number): string[] {
  if (!dayStart) {
    return Array.from(
      { length: hashParts },
      (_, part) =>
        `create table ${table}_${part} partition of ${made} for values with (modulus ${hashParts}, remainder ${part})`,
    );
  }
  const today = startOfDay(now);
  const part = (end: number, from: string) =>
    `create table ${nameOfDay(table, end)} partition of ${made} for values from (${from}) to (${dayStart(end)})`;
  const days = Array.from({ length: daysAhead + 1 }, (_, ahead) => today + (ahead + 1) * dayMs);
  return [
    part(today, "minvalue"),
    ...days.map((end) => part(end, dayStart(end - dayMs))),
    `create table ${nameOfRest(table)} partition of ${made} default`,
  ];
}

/** All but that of the key: the name, and everything behind the table's name. */
async function indexesOf(run: Run, table: string): Promise<{ name: string; definition: string }[]> {
  const rows = await run(
    `select relname as name, pg_get_indexdef(indexrelid) as text from pg_index join pg_class on oid = indexrelid
     where indrelid = $1::regclass and not indisprimary`,
    [table],
  );
  return rows.map(({ name, text }) => ({
    name: String(name),
    definition: String(text).slice(String(text).indexOf(" USING ")),
  }));
}

interface CopiedPortion {
  count: number;
  /** The key of the last row. */
  last: unknown[];
}

/** Rows behind `last`, in the order of the key. Nobody changes or deletes them until they are in both tables. */
async function copyPortion(
  run: Run,
  { table, key }: PartitionPlan,
  last: readonly unknown[] | null,
): Promise<CopiedPortion> {
  const columns = key.join(", ");
  const behind = last ? `where (${columns}) > (${key.map((_, place) => `$${place + 1}`).join(", ")})` : "";
  const rows = await run(
    `with portion as materialized (select * from ${table} ${behind} order by ${columns} limit ${portion} for share),
      copied as (insert into ${newNameOf(table)} select * from portion on conflict do nothing)
     select ${columns}, (select count(*) from portion) as count from portion
     order by ${key.map((name) => `${name} desc`).join(", ")} limit 1`,
    last ?? [],
  );
  const [row] = rows;
  return { count: Number(row?.["count"] ?? 0), last: key.map((name) => row?.[name]) };
}

/** Both are the same now: the new one takes the name of the old one, and the names of its indexes. */
async function swap(run: Run, { table }: PartitionPlan): Promise<void> {
  const made = newNameOf(table);
  await run(`lock table ${table} in access exclusive mode`);
  const indexes = await indexesOf(run, table);
  const [constraint] = await run(
    "select conname as name from pg_constraint where conrelid = $1::regclass and contype = 'p'",
    [table],
  );
  await run(`drop table ${table}`);
  await run(`drop function ${made}_follow()`);
  await run(`alter table ${made} rename to ${table}`);
  await run(`alter table ${table} rename constraint ${made}_key to ${constraint?.["name"]}`);
  for (const { name } of indexes) await run(`alter index ${name}_parted rename to ${name}`);
}

function isLockTimeout(error: unknown): boolean {
  const codeOf = (thrown: unknown) => (thrown as { code?: unknown } | undefined)?.code;
  return [codeOf(error), codeOf((error as Error | undefined)?.cause)].includes("55P03");
}
