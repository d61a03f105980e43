// `trawl store copy` as one process: rows a second with everything that it does (reading, writing, the hashes of both sides), from
// SQLite to SQLite, to PostgreSQL and back. Nine tenths of the rows are small (activity, known pages); a tenth are blobs of a
// page each.
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyStore } from "../dist/app/move-store.js";
import { openStore, packBlob } from "../dist/store/index.js";
import { startPostgres } from "./postgres.mjs";

const small = 45_000;
const blobs = 10_000;
const portion = 1000;
const bar = 5000;

export async function measure() {
  const folder = mkdtempSync(join(tmpdir(), "trawl-bench-"));
  const database = await startPostgres();
  let made = 0;
  const emptyFolder = () => ({ dataDir: mkdtempSync(join(folder, "store-")) });
  const emptyDatabase = async () => {
    made += 1;
    await database.query(database.url, `create database copy_${made}`);
    return { databaseUrl: database.url.replace(/\/postgres$/, `/copy_${made}`) };
  };
  try {
    const filled = emptyFolder();
    await fill(filled);
    const moved = await emptyDatabase();
    return [
      await best("SQLite to SQLite", async () => [filled, emptyFolder()]),
      await best("SQLite to PostgreSQL", async (isFirst) => [filled, isFirst ? moved : await emptyDatabase()]),
      await best("PostgreSQL to SQLite", async () => [moved, emptyFolder()]),
    ];
  } finally {
    await database.remove();
    rmSync(folder, { recursive: true });
  }
}

/** The better of two runs: what else this machine does counts against a copy. */
async function best(name, choose) {
  const figures = [];
  for (const isFirst of [true, false]) {
    const [from, to] = await choose(isFirst);
    figures.push(await copy(name, from, to));
  }
  return figures.reduce((one, other) => (other.value > one.value ? other : one));
}

async function copy(name, from, to) {
  const [source, target] = [await openStore(from), await openStore(to)];
  const startedAt = performance.now();
  const tables = await copyStore({
    from: source,
    to: target,
    source: name,
    target: name,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  const seconds = (performance.now() - startedAt) / 1000;
  await source.close();
  await target.close();
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  if (tables.some(({ isSame }) => !isSame)) throw new Error(`${name}: the copy differs`);
  const value = Math.round(rows / seconds);
  const detail = `${rows} rows in ${seconds.toFixed(1)} s, compared`;
  return { what: `Copy of a store, ${name}: rows per second`, value, unit: "rows/s", bar, isMinimum: true, detail };
}

async function fill(place) {
  const store = await openStore(place);
  const teamId = "bench";
  const id = () => randomBytes(16).toString("hex");
  await store.teams.insert({ id: teamId, name: teamId, createdAt: 1, requestsPerMinute: null });
  const words = Array.from({ length: 400 }, (_, at) => `word${at}`);
  const page = () => Buffer.from(Array.from({ length: 3500 }, () => words[Math.floor(Math.random() * 400)]).join(" "));
  for (let at = 0; at < small; at += portion) {
    await store.transaction(async (statements) => {
      const numbers = Array.from({ length: portion }, (_, index) => at + index);
      await statements.activity.insert(
        numbers.map((number) => ({
          rowId: id(),
          id: id(),
          teamId,
          keyId: null,
          endpoint: "scrape",
          apiVersion: "v2",
          target: `https://example.com/page/${number}`,
          outcome: "succeeded",
          createdAt: number,
        })),
      );
      await statements.knownPages.note(
        numbers.map((number) => ({
          teamId,
          url: `https://example.com/page/${number}`,
          title: `Page ${number}`,
          description: "A page among many",
          seenAt: number,
        })),
      );
    });
  }
  for (let at = 0; at < blobs; at += 100) {
    const packed = await Promise.all(
      Array.from({ length: 100 }, () => packBlob({ id: id(), teamId, createdAt: 1, expiresAt: null, data: page() })),
    );
    await store.blobs.put(packed);
  }
  await store.close();
}
