import { Kysely } from "kysely";
import type { PlaceName } from "../blobs/blob-place.ts";
import { createOutside, type OutsideCount, type OutsideOptions } from "../blobs/outside.ts";
import { examinePlace, type PlaceState } from "../blobs/stray-objects.ts";
import { createDialect, createDirectRead } from "../engine/driver.ts";
import { createExecutor } from "../engine/executor.ts";
import type { PostgresOptions } from "../engine/postgres.ts";
import type { Notifier, StoreEngine } from "../engine/store-engine.ts";
import { migrate } from "../migrations/migrate.ts";
import { countFaults, type FaultCount } from "../moving/faults.ts";
import { createMoving, type StoreMoving } from "../moving/moving.ts";
import type { Tables } from "../schema/tables.ts";
import { createStoreProbe, type StoreHealth } from "../upkeep/health.ts";
import { createLateStatements, createStatements, type Statements } from "./statements.ts";

export type StoreOptions = { dataDir: string } | ({ databaseUrl: string } & PostgresOptions);

export interface Store extends Statements {
  readonly engine: "sqlite" | "postgres";
  /**
   * All or nothing: `work` gets the statements of this one transaction and must use only those. The store's own reads do
   * not see what it has written, and on SQLite the store's own writes wait until it ends, so awaiting one inside `work`
   * never returns. A transaction in which a statement failed is undone even if `work` catches the error.
   */
  transaction<Result>(work: (statements: Statements) => Promise<Result>): Promise<Result>;
  /** To the other processes that share the store; null when no other process can. */
  readonly notifier: Notifier | null;
  /** The database's own time, in milliseconds since 1970; null where no other process shares it. */
  readonly readTime: (() => Promise<number>) | null;
  /** What copying, comparing and checking whole stores needs. */
  readonly moving: StoreMoving;
  countFaults(now: number): Promise<FaultCount[]>;
  readonly findDamage: (() => Promise<string[]>) | null;
  readonly backUp: ((file: string) => Promise<void>) | null;
  /** A real read and a real write, each answered in time; never throws. */
  checkHealth(now: number): Promise<StoreHealth>;
  /** Connections to the database in use, and statements that wait for one. */
  load(): { active: number; waiting: number };
  /** Where blobs lie besides the database. */
  readonly outside: StoreOutside;
  close(): Promise<void>;
}

export interface StoreOutside {
  counts(): OutsideCount[];
  /** A place that failed is left alone for a moment. */
  resting(): { place: PlaceName; isResting: boolean }[];
  /** By its latest operation; null before the first one. */
  states(): { place: PlaceName; works: boolean | null }[];
  /** Of every place; reads the names of everything that lies there. */
  examine(now: number): Promise<PlaceState[]>;
  /** What examine found. */
  removeStrays(found: PlaceState): Promise<void>;
}

const allInRows: OutsideOptions = { places: [], writesTo: null };

/** Opens the database, makes it where it is missing, and brings its tables up to date. */
export async function openStore(options: StoreOptions, blobs: OutsideOptions = allInRows): Promise<Store> {
  return createStore(await openEngine(options), blobs);
}

/** The other engine's driver is never loaded: it would take 4 MB of an idle server's memory. */
async function openEngine(options: StoreOptions): Promise<StoreEngine> {
  if ("dataDir" in options) return (await import("../engine/sqlite.ts")).openSqlite(options.dataDir);
  return (await import("../engine/postgres.ts")).openPostgres(options.databaseUrl, options);
}

/** Owns the engine from here on: it is closed with the store, or immediately when the tables cannot be created. */
export async function createStore(engine: StoreEngine, blobs: OutsideOptions = allInRows): Promise<Store> {
  let { connectToMigrate: connectNow } = engine;
  const dialect = createDialect({ ...engine, connect: () => (connectNow ?? engine.connect)() });
  const db = new Kysely<Tables>({ dialect });
  try {
    await migrate(db, engine.columns);
    connectNow = null;
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const executor = createExecutor(db, createDirectRead(engine));
  const outside = createOutside(blobs);
  const { words } = engine;
  return {
    ...createStatements({ executor, words, outside }),
    engine: engine.name,
    notifier: engine.notifier,
    readTime: engine.readTime,
    moving: createMoving(db, engine),
    countFaults: (now) => countFaults(db, now),
    findDamage: engine.findDamage,
    backUp: engine.backUp,
    transaction: (work) =>
      db
        .transaction()
        .execute((transaction) => work(createLateStatements({ executor: executor.over(transaction), words, outside }))),
    checkHealth: createStoreProbe(db),
    load: engine.load,
    outside: {
      counts: outside.counts,
      resting: outside.resting,
      states: outside.states,
      examine: (now) => Promise.all(outside.places.map((place) => examinePlace(db, place, now))),
      async removeStrays({ place, strays }) {
        await outside.places.find(({ name }) => name === place)?.remove(strays);
      },
    },
    async close() {
      await db.destroy();
      await outside.close();
    },
  };
}
