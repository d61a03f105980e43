// Blobs that lie outside of the database. Writing them never fails: what a place does not take is kept in the row. Reading tells
// apart data that is gone or damaged, which counts as never kept, from a place that does not respond at present.
import { createHash, hash } from "node:crypto";
import { ServiceError, secondMs } from "../../base/index.ts";
import type { BlobPlace, PlaceName } from "./blob-place.ts";

export interface OutsideOptions {
  places: readonly BlobPlace[];
  /** Where new blobs go; null: into the row. */
  writesTo: PlaceName | null;
  /** How long a place is not used after a failure; 5 s by default. */
  restMs?: number;
  /** Told when a place fails, once for each rest. */
  onTrouble?(place: PlaceName, error: unknown): void;
}

/** As the row has it. */
export interface PlacedBlob {
  place: string;
  /** SHA-256 of the bytes as they lie there. */
  digest: Uint8Array;
}

type Outcome = "ok" | "missing" | "damaged" | "failed" | "resting";

export interface OutsideCount {
  place: string;
  operation: "write" | "read" | "remove";
  outcome: Outcome;
  count: number;
}

export type Outside = ReturnType<typeof createOutside>;

/** Smaller ones lie in the row: fetching them from elsewhere takes longer than they are worth. */
const smallestOutsideBytes = 4096;
/** Larger ones are read in parts, where the reader allows it. */
const partBytes = 4 * 1024 * 1024;
/** Requests must not wait for a place that fails, one after the other. */
const usualRestMs = 5 * secondMs;

export function createOutside({ places, writesTo, restMs = usualRestMs, onTrouble }: OutsideOptions) {
  const byName = new Map<string, BlobPlace>(places.map((place) => [place.name, place]));
  const restsUntil = new Map<string, number>();
  const { note, counts, works } = openNotes();
  const target = writesTo === null ? null : (byName.get(writesTo) ?? null);

  const isResting = ({ name }: BlobPlace) => performance.now() < (restsUntil.get(name) ?? 0);

  function rest({ name }: BlobPlace, error: unknown): void {
    restsUntil.set(name, performance.now() + restMs);
    onTrouble?.(name, error);
  }

  async function ask(name: string, read: (place: BlobPlace) => Promise<Uint8Array | null>): Promise<Uint8Array | null> {
    const place = byName.get(name);
    if (place === undefined) throw unavailable(name, "it is not configured");
    if (isResting(place)) {
      note(name, "read", "resting");
      throw unavailable(name, "it failed a moment ago");
    }
    try {
      return await read(place);
    } catch (error) {
      note(name, "read", "failed");
      rest(place, error);
      throw unavailable(name, "it does not answer", error);
    }
  }

  return {
    /** Whether a row may name a place at all. */
    isUsed: places.length > 0,
    partBytes,
    places,

    /** Null: the bytes belong into the row. */
    async put(id: string, bytes: Uint8Array): Promise<PlacedBlob | null> {
      if (target === null || bytes.byteLength < smallestOutsideBytes) return null;
      if (isResting(target)) {
        note(target.name, "write", "resting");
        return null;
      }
      try {
        await target.put(id, bytes);
        note(target.name, "write", "ok");
        return { place: target.name, digest: hash("sha256", bytes, "buffer") };
      } catch (error) {
        note(target.name, "write", "failed");
        rest(target, error);
        return null;
      }
    },

    /** Null when it is gone or is not what was written. */
    async get(id: string, { place: name, digest }: PlacedBlob, mostBytes: number): Promise<Uint8Array | null> {
      const bytes = await ask(name, (place) => place.get(id, mostBytes));
      const isWhole = bytes !== null && hash("sha256", bytes, "buffer").equals(digest);
      note(name, "read", bytes === null ? "missing" : isWhole ? "ok" : "damaged");
      return isWhole ? bytes : null;
    },

    /**
     * The same part by part, for what is too large to be held whole; no part when it is gone. Whether it is what was written is
     * known after its last part: if it is not, that part is not given, and this throws.
     */
    async *getParts(id: string, { place: name, digest }: PlacedBlob, sizeBytes: number): AsyncGenerator<Uint8Array> {
      const seen = createHash("sha256");
      for (let start = 0; start < sizeBytes; start += partBytes) {
        const byteCount = Math.min(partBytes, sizeBytes - start);
        const part = await ask(name, (place) => place.getPart(id, start, byteCount));
        if (part === null && start === 0) return note(name, "read", "missing");
        seen.update(part ?? "");
        const isLast = start + byteCount === sizeBytes;
        if (part?.byteLength !== byteCount || (isLast && !seen.digest().equals(digest))) {
          note(name, "read", part === null ? "missing" : "damaged");
          throw unavailable(name, "it is gone or damaged");
        }
        yield part;
      }
      note(name, "read", "ok");
    },

    /** The ids of those that could not be removed. */
    async remove(rows: readonly { id: string; place: string | null }[]): Promise<string[]> {
      const stuck: string[] = [];
      for (const place of places) {
        const ids = rows.filter((row) => row.place === place.name).map(({ id }) => id);
        if (ids.length === 0) continue;
        try {
          await place.remove(ids);
          note(place.name, "remove", "ok", ids.length);
        } catch (error) {
          note(place.name, "remove", "failed", ids.length);
          rest(place, error);
          stuck.push(...ids);
        }
      }
      return stuck;
    },

    /** Since the process started. */
    counts: (): OutsideCount[] => [...counts.values()],
    resting: (): { place: PlaceName; isResting: boolean }[] =>
      places.map((place) => ({ place: place.name, isResting: isResting(place) })),
    /** By its latest operation; null before the first one. */
    states: (): { place: PlaceName; works: boolean | null }[] =>
      places.map(({ name }) => ({ place: name, works: works.get(name) ?? null })),

    async close(): Promise<void> {
      for (const place of places) await place.close();
    },
  };
}

/** What came of each operation, and by place whether the latest one was successful. */
function openNotes() {
  const counts = new Map<string, OutsideCount>();
  const works = new Map<string, boolean>();
  return {
    counts,
    works,
    note(place: string, operation: OutsideCount["operation"], outcome: Outcome, more = 1): void {
      const key = `${place} ${operation} ${outcome}`;
      const counted = counts.get(key) ?? { place, operation, outcome, count: 0 };
      counted.count += more;
      counts.set(key, counted);
      if (outcome === "ok" || outcome === "failed") works.set(place, outcome === "ok");
    },
  };
}

function unavailable(place: string, why: string, cause?: unknown): ServiceError {
  return new ServiceError(
    "STORE_UNAVAILABLE",
    `The requested data is stored in "${place}" (BLOBS), which cannot be read: ${why}.`,
    {
      cause,
    },
  );
}
