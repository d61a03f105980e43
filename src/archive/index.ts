export { type Archives, type ArchivesOptions, createArchives, type NewArchive } from "./assembly/create-archives.ts";
export type { Capture } from "./keeping/capture.ts";
export type { ArchiveReplay } from "./replay/replay-source.ts";
