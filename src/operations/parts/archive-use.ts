// Whether a request keeps an archive or is answered out of one, checked before anything is made for it.
import type { Caller } from "../../accounts/index.ts";
import type { Archives } from "../../archive/index.ts";
import { bareUrl, parseUrl } from "../../base/index.ts";
import type { ArchiveFormat, ExportFormat, FileStream, ReplayField } from "../../contract/index.ts";
import type { Jobs } from "../../jobs/index.ts";
import type { CheckUrl } from "../../reach/index.ts";
import type { ArchiveRow, Statements } from "../../store/index.ts";

interface AskedArchive {
  archive?: boolean | undefined;
  replay?: ReplayField | undefined;
}

/** Throws where the archive of the request cannot be begun, or read. */
export async function checkArchiveUse(archives: Archives, { archive, replay }: AskedArchive, teamId: string) {
  if (archive === true) await archives.requireRoom(teamId);
  if (replay !== undefined) await archives.requireReady(teamId, replay.archive);
}

/** What begins a job's archive, in the transaction that begins the job; nothing unless it keeps one. */
export function joinArchive(
  archives: Archives,
  { archive }: AskedArchive,
  { teamId, url, source }: { teamId: string; url: string; source: "batch" | "crawl" },
): { join?(statements: Statements, id: string): Promise<void> } {
  if (archive !== true) return {};
  return { join: (statements, id) => archives.begin(statements, { id, teamId, name: bareUrl(url), source }) };
}

/** Nothing is connected to, so any URL will do. */
export const anyUrl: CheckUrl = (text) => {
  const url = parseUrl(text);
  return url === null ? { problem: "invalid", message: "Invalid URL" } : { url };
};

const types = { wacz: "application/wacz", warc: "application/warc" } as const;
const endings = { wacz: "wacz", warc: "warc.gz" } as const;

export function archiveFile(archives: Archives, archive: ArchiveRow, format: ArchiveFormat): FileStream {
  const chunks = archives.files[format](archive);
  return { type: types[format], name: `${archive.source}-${archive.id}.${endings[format]}`, chunks };
}

const keptNone = "The job kept no web archive. Start it with archive: true.";

/** The documents of a job, or its archive. */
export async function exportWith(
  archives: Archives,
  exportJob: Jobs["exportJob"],
  kind: "crawl" | "batch",
  { id, format }: { id: string; format: ExportFormat },
  caller: Caller,
): Promise<FileStream> {
  if (format !== "wacz" && format !== "warc") return exportJob(kind, { id, format }, caller);
  // It is the job that is asked for: whose archive it is, it says first.
  await exportJob(kind, { id, format: "jsonl" }, caller);
  const archive = await archives.requireReady(caller.teamId, id, keptNone);
  return archiveFile(archives, archive, format);
}
