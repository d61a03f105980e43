// Builds the room: archives that are kept, read again, and go out.
import { type Clock, dayMs, minuteMs, ServiceError } from "../../base/index.ts";
import type { ArchiveRow, Statements, Store } from "../../store/index.ts";
import { type ArchiveWriterOptions, createArchiveWriter } from "../keeping/archive-writer.ts";
import { type Capture, type CaptureRequest, openCapture } from "../keeping/capture.ts";
import { createPartReader } from "../replay/part-reader.ts";
import { type ArchiveReplay, openArchiveReplay, type ReplayRequest } from "../replay/replay-source.ts";
import { createArchiveExport } from "../wacz/export-archive.ts";

export interface ArchivesOptions extends ArchiveWriterOptions {
  /** False: none is kept or imported; those that are there are read. */
  isOn: boolean;
  /** Days that one is kept; 0: until it is deleted. */
  days: number;
  /** Trawl/1.2.3 */
  software: string;
}

export interface NewArchive extends Pick<ArchiveRow, "id" | "teamId" | "name" | "source"> {
  status?: ArchiveRow["status"];
}

export interface ArchiveUseRequest {
  archive?: boolean | undefined;
  replay?: { archive: string; at?: string | undefined } | undefined;
  /** Where exchanges go. */
  archiveId: string;
  teamId: string;
  options: { headers: Readonly<Record<string, string>> };
}

export type Archives = ReturnType<typeof createArchives>;

/** With less room than this no archive is begun. */
const leastRoomBytes = 64 * 1024;
const rowsAtOnce = 500;
/** Longer than any scrape takes: its process has ended without saying so. */
const lostAfterMs = 15 * minuteMs;

export function createArchives({ store, clock }: { store: Store; clock: Clock }, options: ArchivesOptions) {
  const { isOn, days, software, teamBytes } = options;
  const reader = createPartReader({ store, clock });
  const writer = createArchiveWriter({ store, clock }, options);
  const files = createArchiveExport({ store, reader, software });

  const expiryOf = (finishedAt: number) => (days === 0 ? null : finishedAt + days * dayMs);

  /** Ready from its job's end on. */
  async function end(id: string, finishedAt: number): Promise<void> {
    await store.transaction(async ({ archives }) => {
      const archive = await archives.lock(id);
      if (archive?.status !== "capturing") return;
      // What failed without an answer leaves nothing.
      const isEmpty = archive.records === 0 && archive.missing === 0 && archive.source === "scrape";
      const status = isEmpty ? ("deleted" as const) : ("ready" as const);
      await archives.change(id, { status, finishedAt, expiresAt: expiryOf(finishedAt) });
    });
  }

  /** Of its job, if that runs; null: it has ended. */
  async function endOf({ id, teamId, source, createdAt }: ArchiveRow): Promise<number | null> {
    if (source === "scrape") return createdAt < clock.now() - lostAfterMs ? clock.now() : null;
    const job = await store.jobs.find(teamId, id);
    return job === null ? clock.now() : job.finishedAt;
  }

  async function settled(archive: ArchiveRow): Promise<ArchiveRow> {
    if (archive.status !== "capturing") return archive;
    const finishedAt = await endOf(archive);
    if (finishedAt === null) return archive;
    await end(archive.id, finishedAt);
    return { ...archive, status: "ready", finishedAt, expiresAt: expiryOf(finishedAt) };
  }

  async function find(teamId: string, id: string): Promise<ArchiveRow | null> {
    const archive = await store.archives.find(teamId, id, clock.now());
    return archive === null || archive.status === "loading" ? null : settled(archive);
  }

  async function require(teamId: string, id: string, message?: string): Promise<ArchiveRow> {
    const archive = await find(teamId, id);
    if (archive === null) throw new ServiceError("ARCHIVE_NOT_FOUND", message);
    return archive;
  }

  async function requireReady(teamId: string, id: string, message?: string): Promise<ArchiveRow> {
    const archive = await require(teamId, id, message);
    if (archive.status === "capturing") throw new ServiceError("JOB_STILL_RUNNING");
    return archive;
  }

  /** Null: there is no limit. */
  async function roomOf(teamId: string): Promise<number | null> {
    return teamBytes === 0 ? null : Math.max(0, teamBytes - (await store.archives.sumBytes(teamId)));
  }

  function requireOn(): void {
    if (!isOn) throw new ServiceError("NOT_IMPLEMENTED", "Web archives are turned off on this server (ARCHIVE=0).");
  }

  return {
    requireOn,
    roomOf,

    /** Throws where none may be begun. */
    async requireRoom(teamId: string): Promise<void> {
      requireOn();
      const room = await roomOf(teamId);
      if (room === null || room >= leastRoomBytes) return;
      throw new ServiceError("ARCHIVE_QUOTA");
    },

    async begin(statements: Pick<Statements, "archives">, archive: NewArchive): Promise<void> {
      const { id, teamId, name, source, status = "capturing" } = archive;
      const counts = { pages: 0, records: 0, bytes: 0, missing: 0, mismatched: 0, indexed: 0, parts: 0, hasInfo: 0 };
      const times = { createdAt: clock.now(), finishedAt: null, expiresAt: null, firstAt: null, lastAt: null };
      await statements.archives.insert({ id, teamId, name: name.slice(0, 2000), source, status, ...counts, ...times });
    },

    end,
    expiryOf,
    /** What a page's exchanges are kept in, or what answers for it; undefined where neither was asked for. */
    open({
      archive,
      replay,
      archiveId,
      teamId,
      options: asked,
    }: ArchiveUseRequest): Capture | ArchiveReplay | undefined {
      if (archive === true) {
        const request: CaptureRequest = { archiveId, teamId, callerHeaders: Object.keys(asked.headers) };
        return openCapture(writer, request);
      }
      if (replay === undefined) return undefined;
      const at = replay.at === undefined ? null : Date.parse(replay.at);
      const request: ReplayRequest = { archiveId: replay.archive, teamId, at };
      return openArchiveReplay({ store, reader }, request);
    },
    find,
    require,
    requireReady,
    settled,
    files,

    /** Gone for every request from now on; its rows and bytes follow. */
    async remove(teamId: string, id: string): Promise<void> {
      await requireReady(teamId, id);
      await store.archives.change(id, { status: "deleted" });
    },

    /** Ends those whose jobs have ended, and takes away what was deleted or has expired. */
    async tend(): Promise<void> {
      for (const { id, finishedAt } of await store.archives.listEnded(rowsAtOnce)) await end(id, finishedAt);
      while (await store.retention.purgeArchives({ now: clock.now(), limit: rowsAtOnce }));
    },
  };
}
