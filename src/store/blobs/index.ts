// What other rooms use of this folder.
export type { BlobPlace, PlacedObject } from "./blob-place.ts";
export { createDiskPlace, fanOf } from "./disk-place.ts";
export type { OutsideOptions } from "./outside.ts";
