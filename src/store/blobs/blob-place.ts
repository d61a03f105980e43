// Where bytes can lie outside of the database: a folder, or a store of objects.

export type PlaceName = "disk" | "s3";

export interface PlacedObject {
  id: string;
  /** In milliseconds since 1970. */
  changedAt: number;
}

/** Every method rejects when the place cannot be used at present, and does so within a bounded time. */
export interface BlobPlace {
  readonly name: PlaceName;
  /** Whole or not at all; replaces what was there. */
  put(id: string, bytes: Uint8Array): Promise<void>;
  /** Null when there is no such object. Never more than a little beyond `sizeBytes`. */
  get(id: string, sizeBytes: number): Promise<Uint8Array | null>;
  /** So many bytes of it from there on, fewer where it ends before. Null when there is no such object. */
  getPart(id: string, start: number, byteCount: number): Promise<Uint8Array | null>;
  /** Those that are gone already count as removed. */
  remove(ids: readonly string[]): Promise<void>;
  /** Everything that lies there, in batches. */
  list(): AsyncGenerator<readonly PlacedObject[]>;
  close(): Promise<void>;
}
