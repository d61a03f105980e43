// Recordings as their teams read them, by key or by the token of a URL.
import { createHmac, timingSafeEqual } from "node:crypto";
import { isoTime, ServiceError } from "../../base/index.ts";
import type { RecordingRow } from "../../store/index.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";
import { type PartContent, type Replay, replayPurpose } from "./recording-parts.ts";

export interface ReplayFiles {
  /** The facts that the page shows. Throws TOKEN_INVALID unless the token opens this recording. */
  read(id: string, token: string, baseUrl: string): Promise<Replay>;
  /** A picture of it. */
  picture(id: string, token: string, name: string): Promise<Uint8Array>;
}

export type Replays = ReturnType<typeof createReplays>;

export function createReplays({ store, clock, sealer }: OperationParts) {
  const tokenOf = ({ id, sealedSecret }: RecordingRow) =>
    createHmac("sha256", sealer.open(sealedSecret, replayPurpose(id)))
      .update("replay")
      .digest("base64url");

  const urlOf = (recording: RecordingRow, baseUrl: string) =>
    `${baseUrl}/replay/${recording.id}?token=${tokenOf(recording)}`;

  async function find(teamId: string, id: string): Promise<RecordingRow> {
    const recording = await store.recordings.read(id, clock.now());
    if (recording?.teamId === teamId) return recording;
    const session = await store.sessions.read(teamId, id);
    throw new ServiceError(session?.isRecorded === false ? "REPLAY_NOT_RECORDED" : "REPLAY_NOT_FOUND");
  }

  /** An unknown recording is no other case than a wrong token. */
  async function admit(id: string, given: string): Promise<RecordingRow> {
    const recording = await store.recordings.read(id, clock.now());
    const expected = Buffer.from(recording === null ? "" : tokenOf(recording));
    const token = Buffer.from(given);
    const fits = token.length === expected.length && timingSafeEqual(token, expected);
    if (recording === null || !fits) throw new ServiceError("TOKEN_INVALID");
    return recording;
  }

  async function show(recording: RecordingRow, baseUrl: string): Promise<Replay> {
    const { id, startedAt, endedAt, expiresAt, byteCount, isCut } = recording;
    const token = tokenOf(recording);
    const frames: Replay["frames"] = [];
    const events: Replay["events"] = [];
    const pages = new Map<string, { url: string; title: string }>();
    for (const { part, content } of await store.recordings.parts(id)) {
      const read: PartContent = JSON.parse(content);
      for (const [place, { at, pageId, width, height }] of read.frames.entries()) {
        frames.push({ at, pageId, url: `${baseUrl}/replay/${id}/${part}-${place}.jpg?token=${token}`, width, height });
      }
      events.push(...read.events);
      for (const [pageId, page] of Object.entries(read.pages)) pages.set(pageId, page);
    }
    // The server that recorded it may be gone without an end.
    const isOver = endedAt !== null || (await store.sessions.readAny(id))?.status !== "active";
    const latest = Math.max(0, ...[frames.at(-1)?.at ?? 0, events.at(-1)?.at ?? 0]);
    return {
      success: true,
      id,
      status: isOver ? "ready" : "recording",
      durationMs: endedAt === null ? latest : Math.max(latest, endedAt - startedAt),
      bytes: byteCount,
      truncated: isCut === 1,
      expiresAt: isoTime(expiresAt),
      replayUrl: urlOf(recording, baseUrl),
      pages: [...pages].map(([pageId, page]) => ({ pageId, ...page, ...timesOf(pageId, frames, events) })),
      frames,
      events,
    };
  }

  return {
    operations: {
      async readReplay({ id, pageId }, { teamId, baseUrl }) {
        const whole = await show(await find(teamId, id), baseUrl);
        if (pageId === undefined) return whole;
        const pages = whole.pages.filter((page) => page.pageId === pageId);
        if (pages.length === 0) throw new ServiceError("REPLAY_NOT_FOUND");
        const ofPage = (each: { pageId: string }) => each.pageId === pageId;
        return Object.assign({}, whole, {
          pages,
          frames: whole.frames.filter(ofPage),
          events: whole.events.filter(ofPage),
        });
      },

      async deleteReplay({ id }, { teamId }) {
        const recording = await find(teamId, id);
        await store.recordings.remove(recording.id, clock.now());
        return { success: true };
      },
    } satisfies ServedOperations,

    /** By session, of those that have a recording. */
    async linksOf(ids: readonly string[], baseUrl: string): Promise<Map<string, { replayUrl: string }>> {
      const kept = await store.recordings.listKept(ids, clock.now());
      return new Map(kept.map((recording) => [recording.id, { replayUrl: urlOf(recording, baseUrl) }]));
    },

    files: {
      read: async (id, token, baseUrl) => show(await admit(id, token), baseUrl),
      async picture(id, token, name) {
        const { teamId } = await admit(id, token);
        const [, part = "", place = ""] = /^(\d{1,9})-(\d{1,4})\.jpg$/.exec(name) ?? [];
        const row = part === "" ? null : await store.recordings.part(id, Number(part));
        const content: PartContent | null = row && JSON.parse(row.content);
        const frame = content?.frames[Number(place)];
        const bytes = frame && row?.blobId ? await store.blobs.get(teamId, row.blobId, clock.now()) : null;
        if (!frame || !bytes) throw new ServiceError("NOT_FOUND", "This picture does not exist or has expired.");
        return bytes.subarray(frame.offset, frame.offset + frame.length);
      },
    } satisfies ReplayFiles,
  };
}

function timesOf(pageId: string, frames: Replay["frames"], events: Replay["events"]) {
  const own = frames.filter((frame) => frame.pageId === pageId);
  const times = [...own, ...events.filter((event) => event.pageId === pageId)].map(({ at }) => at);
  const from = times.reduce((one, other) => Math.min(one, other), times[0] ?? 0);
  const to = times.reduce((one, other) => Math.max(one, other), 0);
  return { from, to, frames: own.length };
}
