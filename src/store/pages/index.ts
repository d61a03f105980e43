// What other rooms use of this folder.
export { type OpenedBlob, type PackBlob, type PackedBlob, packBlob } from "./blobs.ts";
export type { FoundCopy, PageCopy } from "./copies.ts";
export type { HostNotes, HostRow } from "./host-memory.ts";
export type { KnownPage } from "./known-pages.ts";
export {
  type PackedFingerprint,
  type PageFingerprint,
  packFingerprint,
  type StoredFingerprint,
} from "./page-fingerprints.ts";
export type { ScrapeRecord } from "./scrapes.ts";
export { type PackedSnapshot, packSnapshot } from "./snapshots.ts";
