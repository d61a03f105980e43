// The last version of each page that a monitor saw. It outlives the checks, so that the next change is found however late.
import { type Executor, largestBatch } from "../engine/executor.ts";
import { compress, decompress } from "../schema/compression.ts";
import type { MonitorVersionsTable } from "../schema/monitor-tables.ts";

export interface PageVersion {
  monitorId: string;
  targetId: string;
  key: string;
  url: string;
  state: MonitorVersionsTable["state"];
  depth: number;
  seenAt: number;
  checkId: string;
  scrapeId: string | null;
  /** JSON text. */
  content: string;
}

/** Made ready for writing: packing takes time that no open transaction should wait for. */
export interface PackedVersion extends Omit<PageVersion, "content"> {
  encoding: string;
  sizeBytes: number;
  data: Uint8Array;
}

export async function packVersion({ content, ...version }: PageVersion): Promise<PackedVersion> {
  const plain = Buffer.from(content);
  return { ...version, ...(await compress(plain)), sizeBytes: plain.byteLength };
}

export type VersionStatements = ReturnType<typeof createVersionStatements>;

export function createVersionStatements({ db }: Executor) {
  return {
    /** Each takes the place of the one before it. */
    async put(versions: readonly PackedVersion[]): Promise<void> {
      for (const version of versions) {
        const row = toRow(version);
        await db
          .insertInto("monitor_versions")
          .values(row)
          .onConflict((conflict) => conflict.columns(["monitorId", "targetId", "pageKey"]).doUpdateSet(row))
          .execute();
      }
    },

    /** By their keys; those that are unknown are missing. */
    async find(monitorId: string, targetId: string, keys: readonly string[]): Promise<Map<string, PageVersion>> {
      const found = new Map<string, PageVersion>();
      for (let from = 0; from < keys.length; from += largestBatch) {
        const rows = await db
          .selectFrom("monitor_versions")
          .selectAll()
          .where("monitorId", "=", monitorId)
          .where("targetId", "=", targetId)
          .where("pageKey", "in", keys.slice(from, from + largestBatch))
          .execute();
        for (const row of rows) found.set(row.pageKey, await fromRow(row));
      }
      return found;
    },

    /** A check has found the pages again, whatever came of it. */
    async note(monitorId: string, targetId: string, keys: readonly string[], checkId: string): Promise<void> {
      for (let from = 0; from < keys.length; from += largestBatch) {
        await db
          .updateTable("monitor_versions")
          .set({ checkId })
          .where("monitorId", "=", monitorId)
          .where("targetId", "=", targetId)
          .where("pageKey", "in", keys.slice(from, from + largestBatch))
          .execute();
      }
    },

    async setState(monitorId: string, targetId: string, keys: readonly string[], state: PageVersion["state"]) {
      for (let from = 0; from < keys.length; from += largestBatch) {
        await db
          .updateTable("monitor_versions")
          .set({ state })
          .where("monitorId", "=", monitorId)
          .where("targetId", "=", targetId)
          .where("pageKey", "in", keys.slice(from, from + largestBatch))
          .execute();
      }
    },

    /** Pages that are there as far as is known, and that a check has not found; by URL. */
    listMissed(
      monitorId: string,
      targetId: string,
      checkId: string,
      limit: number,
    ): Promise<Pick<PageVersion, "key" | "url" | "depth" | "scrapeId">[]> {
      return db
        .selectFrom("monitor_versions")
        .select(["pageKey as key", "url", "depth", "scrapeId"])
        .where("monitorId", "=", monitorId)
        .where("targetId", "=", targetId)
        .where("state", "=", "present")
        .where("checkId", "<>", checkId)
        .orderBy("url")
        .limit(limit)
        .execute();
    },

    /** What targets saw that the monitor no longer has. */
    async keepTargets(monitorId: string, targetIds: readonly string[]): Promise<void> {
      await db
        .deleteFrom("monitor_versions")
        .where("monitorId", "=", monitorId)
        .where("targetId", "not in", targetIds)
        .execute();
    },
  };
}

function toRow(version: PackedVersion): MonitorVersionsTable {
  return {
    monitorId: version.monitorId,
    targetId: version.targetId,
    pageKey: version.key,
    url: version.url,
    state: version.state,
    depth: version.depth,
    seenAt: version.seenAt,
    checkId: version.checkId,
    scrapeId: version.scrapeId,
    encoding: version.encoding,
    sizeBytes: version.sizeBytes,
    data: version.data,
  };
}

async function fromRow(row: MonitorVersionsTable): Promise<PageVersion> {
  const content = Buffer.from(await decompress(row.encoding, row.data, row.sizeBytes)).toString("utf8");
  return {
    monitorId: row.monitorId,
    targetId: row.targetId,
    key: row.pageKey,
    url: row.url,
    state: row.state,
    depth: row.depth,
    seenAt: row.seenAt,
    checkId: row.checkId,
    scrapeId: row.scrapeId,
    content,
  };
}
