export { type Archives, type ArchivesOptions, createArchives, type NewArchive } from "./assembly/create-archives.ts";
export type { Capture } from "./keeping/capture.ts";
export type { Replay } from "./replay/replay-source.ts";
