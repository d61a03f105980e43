// Documents served a moment ago, kept in memory so that serving them again reads nothing. Bounded by size and age; the
// store is authoritative, and the caller checks that the request accepts an entry's age.
import { type Clock, minuteMs } from "../../base/index.ts";
import type { Document } from "../../contract/index.ts";
import type { DocumentJson } from "../document/document-json.ts";

const mostBytes = 16 * 1024 * 1024;
const longestMs = 10 * minuteMs;

export interface CachedDocument {
  document: Document;
  json: DocumentJson;
  blobId: string;
  fetchedAt: number;
}

interface Entry extends CachedDocument {
  sizeBytes: number;
  keptSince: number;
}

export function createRecentDocuments(clock: Clock) {
  /** In the order of their last use, so that the first is the one to forget. */
  const entries = new Map<string, Entry>();
  let bytes = 0;

  function forget(key: string, entry: Entry): void {
    entries.delete(key);
    bytes -= entry.sizeBytes;
  }

  return {
    find(key: string): CachedDocument | null {
      const entry = entries.get(key);
      if (!entry) return null;
      if (clock.now() - entry.keptSince > longestMs) {
        forget(key, entry);
        return null;
      }
      entries.delete(key);
      entries.set(key, entry);
      return entry;
    },

    keep(key: string, document: CachedDocument, sizeBytes: number): void {
      const earlier = entries.get(key);
      if (earlier) forget(key, earlier);
      if (sizeBytes > mostBytes / 16) return;
      entries.set(key, { ...document, sizeBytes, keptSince: clock.now() });
      bytes += sizeBytes;
      for (const [oldest, entry] of entries) {
        if (bytes <= mostBytes) break;
        forget(oldest, entry);
      }
    },
  };
}
