// Adds to archives: what one page brought goes in together, in one transaction, before the page counts as read. So a process that
// is killed leaves whole records only.
import { type Clock, createGroup, newId } from "../../base/index.ts";
import type { ArchivePageRow, Store } from "../../store/index.ts";
import type { ExchangeRecords, Original } from "../warc/exchange-records.ts";
import type { WarcRecord } from "../warc/warc-record.ts";
import { gzipMember, recordBytes } from "../warc/warc-record.ts";
import { type IndexedRecord, type Member, PartCutter, type StoredMembers } from "./record-rows.ts";

/** Of one page, in the order in which it is to be written. */
export interface Addition {
  archiveId: string;
  teamId: string;
  items: (
    | { kind: "exchange"; records: ExchangeRecords; index: IndexedRecord }
    | { kind: "resource"; record: WarcRecord; index: IndexedRecord }
  )[];
  /** The page that they belong to; null: none, or it could not be read. */
  page: Omit<ArchivePageRow, "archiveId" | "searchUrl"> | null;
  /** Set when it has been written, or could not be. */
  isKept?: boolean;
}

export interface ArchiveWriterDeps {
  store: Store;
  clock: Clock;
}

export interface ArchiveWriterOptions {
  /** Bytes of all archives of a team; 0: no limit. */
  teamBytes: number;
}

export type ArchiveWriter = ReturnType<typeof createArchiveWriter>;

/** Another process has added the same payload meanwhile. */
class Overtaken extends Error {}

const mostTries = 5;
const fullWarning =
  "The team's archives have no room left (ARCHIVE_MB), so pages are missing from the archive of this job.";

export function createArchiveWriter({ store, clock }: ArchiveWriterDeps, { teamBytes }: ArchiveWriterOptions) {
  /** Pages of one archive that end together are written together. */
  const write = createGroup<Addition>(async (additions) => {
    const byArchive = new Map<string, Addition[]>();
    for (const addition of additions) {
      const group = byArchive.get(addition.archiveId);
      if (group) group.push(addition);
      else byArchive.set(addition.archiveId, [addition]);
    }
    for (const group of byArchive.values()) await add(group);
  });

  async function add(additions: readonly Addition[]): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await addOnce(additions);
      } catch (error) {
        if (!(error instanceof Overtaken) || tries === mostTries) throw error;
      }
    }
  }

  async function addOnce(additions: readonly Addition[]): Promise<void> {
    const [{ archiveId, teamId }] = additions as [Addition];
    const items = additions.flatMap((addition) => addition.items);
    const digests = items.flatMap((item) => (item.kind === "exchange" ? (item.records.digest ?? []) : []));
    const known = new Map<string, Original>();
    for (const { digest, url, at } of await store.archives.findPayloads(archiveId, [...new Set(digests)]))
      if (!known.has(digest)) known.set(digest, { url, at });
    const fresh = new Set<string>();
    const { parts, rows } = await membersOf(items, known, fresh);
    const bytes = parts.reduce((sum, part) => sum + part.bytes.length, 0);
    const pages = additions.flatMap(({ page }) => (page === null ? [] : [{ ...page, archiveId, searchUrl: "" }]));
    if (teamBytes > 0 && (await store.archives.sumBytes(teamId)) + bytes > teamBytes) return drop(additions);
    const blobs = await Promise.all(
      parts.map(({ bytes: data }) => {
        const now = clock.now();
        return store.blobs.pack({ id: newId(now), teamId, createdAt: now, expiresAt: null, data, isCompact: true });
      }),
    );
    const times = rows.map(({ at }) => at);
    const isKept = await store.transaction(async (statements) => {
      const archive = await statements.archives.lock(archiveId);
      if (archive?.status !== "capturing") return false;
      const found = await statements.archives.findPayloads(archiveId, [...fresh]);
      if (found.length > 0) throw new Overtaken();
      await statements.blobs.put(blobs);
      const growth = {
        id: archiveId,
        records: items.reduce((sum, item) => sum + (item.kind === "exchange" ? 2 : 1), 0),
        bytes,
        parts: parts.length,
        firstAt: times.length === 0 ? null : Math.min(...times),
        lastAt: times.length === 0 ? null : Math.max(...times),
      };
      await statements.archives.add(growth, {
        parts: parts.map(({ bytes: data, startsRecord }, place) => ({
          archiveId,
          part: archive.parts + place,
          blobId: (blobs[place] as { id: string }).id,
          sizeBytes: data.length,
          startsRecord: startsRecord ? 1 : 0,
        })),
        records: rows.map((row) => ({ archiveId, ...row, part: archive.parts + row.part })),
        pages,
      });
      return true;
    });
    for (const addition of additions) addition.isKept = isKept;
  }

  /** The job goes on without its archive, and says so. */
  async function drop(additions: readonly Addition[]): Promise<void> {
    const [{ archiveId }] = additions as [Addition];
    for (const addition of additions) addition.isKept = false;
    const missing = additions.filter(({ page }) => page !== null).length;
    if (missing === 0) return;
    await store.transaction(async (statements) => {
      const job = await statements.jobs.lock(archiveId);
      await statements.archives.addMissing(archiveId, missing);
      if (job === null || job.warning?.includes(fullWarning)) return;
      const warning = [job.warning, fullWarning].filter(Boolean).join(" ");
      await statements.jobs.change(archiveId, { set: { warning } });
    });
  }

  return { write };
}

async function membersOf(
  items: Addition["items"],
  known: Map<string, Original>,
  fresh: Set<string>,
): Promise<StoredMembers> {
  const cutter = new PartCutter();
  const parts: StoredMembers["parts"] = [];
  const rows: StoredMembers["rows"] = [];
  const take = (member: Member) => {
    const made = cutter.add(member);
    parts.push(...made.parts);
    rows.push(...made.rows);
  };
  for (const item of items) {
    if (item.kind === "resource") {
      take({ bytes: await gzipMember(recordBytes(item.record)), index: item.index });
      continue;
    }
    const { records, index } = item;
    const { digest } = records;
    const original = digest === null ? null : (known.get(digest) ?? null);
    if (digest !== null && original === null) {
      known.set(digest, { url: index.url, at: index.at });
      fresh.add(digest);
    }
    const shown = original === null ? index : { ...index, type: "revisit" };
    take({ bytes: await gzipMember(recordBytes(records.response(original))), index: shown });
    take({ bytes: await gzipMember(recordBytes(records.request)), index: null });
  }
  parts.push(...cutter.end());
  return { parts, rows };
}
