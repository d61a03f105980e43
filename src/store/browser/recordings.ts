// Recordings of browser sessions: a row for each, and parts with what was seen and what happened for some seconds each.
import type { Kysely } from "kysely";
import type { Outside } from "../blobs/outside.ts";
import { removeBlobs } from "../blobs/remove-blobs.ts";
import { changesRow } from "../engine/changes.ts";
import type { RowOf, Tables } from "../schema/tables.ts";

export type RecordingRow = RowOf<"recordings">;
export type RecordingPart = RowOf<"recording_parts">;
export type RecordingProgress = Pick<RecordingRow, "byteCount" | "eventCount" | "isCut">;

export function createRecordingStatements(db: Kysely<Tables>, outside: Outside) {
  return {
    async insert(recording: RecordingRow): Promise<void> {
      await db.insertInto("recordings").values(recording).execute();
    },

    /** False when it was deleted meanwhile. */
    note: (id: string, progress: RecordingProgress): Promise<boolean> =>
      changesRow(db.updateTable("recordings").set(progress).where("id", "=", id)),

    async addPart(part: RecordingPart): Promise<void> {
      await db.insertInto("recording_parts").values(part).execute();
    },

    async end(id: string, endedAt: number, expiresAt: number): Promise<void> {
      await db.updateTable("recordings").set({ endedAt, expiresAt }).where("id", "=", id).execute();
    },

    /** Of any team: whoever asks has shown a key or a token of it. Null once it has expired. */
    async read(id: string, now: number): Promise<RecordingRow | null> {
      const mine = db.selectFrom("recordings").selectAll().where("id", "=", id).where("expiresAt", ">", now);
      return (await mine.executeTakeFirst()) ?? null;
    },

    /** Which of these have a recording that can be read. */
    async listKept(ids: readonly string[], now: number): Promise<RecordingRow[]> {
      if (ids.length === 0) return [];
      const kept = db
        .selectFrom("recordings")
        .selectAll()
        .where("id", "in", [...ids]);
      return kept.where("expiresAt", ">", now).execute();
    },

    parts: (id: string): Promise<RecordingPart[]> =>
      db.selectFrom("recording_parts").selectAll().where("recordingId", "=", id).orderBy("part").execute(),

    async part(id: string, part: number): Promise<RecordingPart | null> {
      const one = db
        .selectFrom("recording_parts")
        .selectAll()
        .where((build) => build.and({ recordingId: id, part }));
      return (await one.executeTakeFirst()) ?? null;
    },

    remove: (id: string, now: number): Promise<void> => removeRecording(db, outside, id, now),
  };
}

/** Its pictures go first: none is left without the row that leads to it. */
async function removeRecording(db: Kysely<Tables>, outside: Outside, id: string, now: number): Promise<void> {
  const parts = await db
    .selectFrom("recording_parts")
    .select("blobId")
    .where("recordingId", "=", id)
    .where("blobId", "is not", null)
    .execute();
  const blobs = parts.flatMap(({ blobId }) => (blobId === null ? [] : [blobId]));
  for (let from = 0; from < blobs.length; from += blobsAtOnce) {
    await removeBlobs(db, outside, blobs.slice(from, from + blobsAtOnce), now);
  }
  await db.deleteFrom("recording_parts").where("recordingId", "=", id).execute();
  await db.deleteFrom("recordings").where("id", "=", id).execute();
}

const blobsAtOnce = 500;
const recordingsAtOnce = 20;

/** Deletes those that have expired, and says how many it deleted. */
export async function purgeRecordings(
  db: Kysely<Tables>,
  now: number,
  limit: number,
  outside: Outside,
): Promise<number> {
  const old = await db
    .selectFrom("recordings")
    .select("id")
    .where("expiresAt", "<=", now)
    .orderBy("expiresAt")
    .limit(Math.min(limit, recordingsAtOnce))
    .execute();
  for (const { id } of old) await removeRecording(db, outside, id, now);
  return old.length;
}
