// What a team has archived: lists, files, deletion.
import type { Caller } from "../../accounts/index.ts";
import type { Archives } from "../../archive/index.ts";
import { cutPage, isoTime, readCursor, readUrl, sha256, timeOfId, withoutFragment } from "../../base/index.ts";
import type { OperationOutput } from "../../contract/index.ts";
import type { ArchiveRow, Store } from "../../store/index.ts";
import { archiveFile } from "../parts/archive-use.ts";
import type { ServedOperations } from "../parts/operation-parts.ts";

export interface ArchiveParts {
  store: Store;
  archives: Archives;
  clock: { now(): number };
}

export function createArchiveOperations({ store, archives, clock }: ArchiveParts) {
  return {
    async listArchives({ limit, cursor: after }, { teamId }: Caller) {
      const before = after === undefined ? undefined : readCursor(after).rowId;
      const rows = await store.archives.list(teamId, clock.now(), limit + 1, before);
      const { page, cursor, hasMore } = cutPage(rows, limit, ({ id }) => ({ createdAt: timeOfId(id) ?? 0, rowId: id }));
      const settled = await Promise.all(page.map((row) => archives.settled(row)));
      return { success: true, archives: settled.map(shownArchive), cursor, has_more: hasMore };
    },

    async readArchive({ id }, { teamId }: Caller) {
      return { success: true, archive: shownArchive(await archives.require(teamId, id)) };
    },

    async listArchivePages({ id, url, limit, cursor: from }, { teamId }: Caller) {
      await archives.require(teamId, id);
      const place = from === undefined ? undefined : readCursor(from);
      const after = place && { at: place.createdAt, pageId: place.rowId };
      const urlHash = url === undefined ? undefined : sha256(withoutFragment(normalized(url)));
      const rows = await store.archives.listPages(id, { limit: limit + 1, after, urlHash });
      const { page, cursor, hasMore } = cutPage(rows, limit, ({ at, pageId }) => ({ createdAt: at, rowId: pageId }));
      const pages = page.map(({ url: shown, at, status, mime, title, bytes }) => {
        return { url: shown, at: isoTime(at), status, mime, title, bytes };
      });
      return { success: true, pages, cursor, has_more: hasMore };
    },

    async exportArchive({ id, format }, { teamId }: Caller) {
      return archiveFile(archives, await archives.requireReady(teamId, id), format);
    },

    async deleteArchive({ id }, { teamId }: Caller) {
      await archives.remove(teamId, id);
      return { success: true };
    },
  } satisfies ServedOperations;
}

function normalized(url: string): string {
  const reading = readUrl(url);
  return "url" in reading ? reading.url : url;
}

export function shownArchive(row: ArchiveRow): OperationOutput<"readArchive">["archive"] {
  const { id, name, source, pages, records, bytes, missing, mismatched, indexed } = row;
  const time = (at: number | null) => (at === null ? null : isoTime(at));
  return {
    id,
    name,
    source,
    status: row.status === "capturing" ? "capturing" : "ready",
    pages,
    records,
    bytes,
    firstAt: time(row.firstAt),
    lastAt: time(row.lastAt),
    createdAt: isoTime(row.createdAt),
    expiresAt: time(row.expiresAt),
    missing,
    mismatched,
    indexed,
  };
}
