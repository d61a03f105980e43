// `trawl store copy`: everything a store knows, into another one. It goes on where it was broken off, and the copy counts only
// when both sides have the same rows.
import { ServiceError } from "../base/index.ts";
import { createWordRebuilder } from "../search/index.ts";
import type { MovedTable, Store } from "../store/index.ts";

export interface CopyProgress {
  table: string;
  /** Of the table. */
  rows: number;
  /** Of all tables, this run and earlier ones. */
  total: number;
}

export interface CopiedTable {
  table: MovedTable;
  rows: number;
  hash: string;
  isSame: boolean;
}

export interface CopyRequest {
  from: Store;
  to: Store;
  /** How the source is called in the target's notes, without secrets; a copy goes on only from the same one. */
  source: string;
  target: string;
  signal: AbortSignal;
  onProgress(progress: CopyProgress): void;
}

const wordIndex = "search_words";

/** Every table with its digest; the source is marked as moved when all are the same. */
export async function copyStore(request: CopyRequest): Promise<CopiedTable[]> {
  const { from, to, source, target } = request;
  await begin(to, source);
  let total = 0;
  for (const table of from.moving.tables) total += await copyTable(request, table, total);
  await rebuildWords(request, total);
  const compared: CopiedTable[] = [];
  for (const table of from.moving.tables) {
    const [theirs, ours] = await Promise.all([from.moving.digest(table), to.moving.digest(table)]);
    compared.push({ table, ...ours, isSame: theirs.rows === ours.rows && theirs.hash === ours.hash });
  }
  if (compared.every(({ isSame }) => isSame)) {
    await to.moving.finish();
    await from.moving.markMoved(target);
  }
  return compared;
}

async function begin({ moving, teams }: Store, source: string): Promise<void> {
  const begun = await moving.readSource();
  if (begun === source) return;
  if (begun !== null)
    throw new ServiceError("BAD_REQUEST", `A copy of ${begun} into this store was broken off. ${emptyOne}`);
  if ((await teams.list()).length > 0) throw new ServiceError("BAD_REQUEST", `The target is not empty. ${emptyOne}`);
  await moving.begin(source);
}

const emptyOne = "Copy into an empty database, or into a folder without one.";

/** The rows of the table, this run's and those of earlier ones. */
async function copyTable({ from, to, signal, onProgress }: CopyRequest, table: MovedTable, before: number) {
  let { lastKey, rows } = await to.moving.readProgress(table);
  let reading = from.moving.read(table, lastKey);
  for (;;) {
    signal.throwIfAborted();
    const batch = await reading;
    const last = batch.at(-1);
    if (last === undefined) return rows;
    lastKey = from.moving.keyOf(table, last);
    // While this batch is written: one store works as the other does.
    reading = from.moving.read(table, lastKey);
    reading.catch(() => undefined);
    rows += batch.length;
    await to.moving.write(table, batch, { lastKey, rows });
    onProgress({ table, rows, total: before + rows });
  }
}

async function rebuildWords({ to, signal, onProgress }: CopyRequest, total: number): Promise<void> {
  const rebuild = createWordRebuilder();
  let { lastKey, rows } = await to.moving.readProgress(wordIndex);
  for (;;) {
    signal.throwIfAborted();
    const done = await rebuild(to, Number(lastKey?.[0] ?? -1));
    if (done === null) return;
    lastKey = [done.lastId];
    rows += done.pages;
    await to.moving.noteProgress(wordIndex, { lastKey, rows });
    onProgress({ table: wordIndex, rows, total });
  }
}
