// What other rooms use of this folder.
export type { ArchivePageRow, ArchivePart, ArchiveRecordRow, ArchiveRow } from "./archives.ts";
