// Cached copies: a page as it was fetched, so that any output can be made from it, and documents that cannot be made from it
// again (a model's answers, pictures) or that a second request has asked for.
import { type Clock, dayMs, hourMs, newId, ServiceError } from "../../base/index.ts";
import type { Page } from "../../engines/index.ts";
import type { FoundCopy, PackedBlob, PageCopy, Store } from "../../store/index.ts";
import { createDocumentJson } from "../document/document-json.ts";
import { mediaAgeMs } from "../media/kept-media.ts";
import { mediaOf } from "../media/pictures.ts";
import type { CopySpan } from "./copy-use.ts";
import { createRecentCopies } from "./recent-copies.ts";
import { type CachedDocument, createRecentDocuments } from "./recent-documents.ts";

const blobGraceMs = 25 * hourMs;

export interface CacheOptions {
  /** Whether copies made for one team may serve another. */
  isShared: boolean;
  /** Days that a copy is kept. */
  days: number;
}

export interface CachedPage {
  page: Page;
  fetchedAt: number;
}

/** Something to keep for later requests: a page's body, or a document as JSON text. */
export interface NewCopy {
  key: string;
  fetchedAt: number;
  details: object;
  bytes: Uint8Array;
  mayShare: boolean;
  isDocument: boolean;
}

export type PageCache = ReturnType<typeof createPageCache>;

export function createPageCache({ store, clock }: { store: Store; clock: Clock }, { isShared, days }: CacheOptions) {
  const recent = createRecentDocuments(clock);
  const recentCopies = createRecentCopies(clock);

  /** Bytes that cannot be read at present are no reason to fail: the page is fetched instead. */
  async function readBytes({ teamId, blobId }: FoundCopy): Promise<Uint8Array | null> {
    try {
      return await store.blobs.get(teamId, blobId, clock.now());
    } catch (error) {
      if (error instanceof ServiceError && error.code === "STORE_UNAVAILABLE") return null;
      throw error;
    }
  }

  async function readStored(copy: FoundCopy): Promise<CachedDocument | null> {
    const bytes = await readBytes(copy);
    if (!bytes) return null;
    const document = JSON.parse(Buffer.from(bytes).toString("utf8"));
    const found = { document, json: createDocumentJson(document), blobId: copy.blobId, fetchedAt: copy.fetchedAt };
    recent.keep(copy.blobId, found, 2 * bytes.byteLength);
    return found;
  }

  return {
    /**
     * The newest copy that fits, of the document or of the page it is made from: one key or both, or none. A page that was
     * fetched again since is newer than its old document and replaces it.
     */
    async find(teamId: string, keys: readonly string[], { from, to }: CopySpan): Promise<FoundCopy | null> {
      const [first, second = first] = keys;
      if (first === undefined || second === undefined) return null;
      const look = (until: number) =>
        store.copies.find({ teamId, keys: [first, second], from, to: until, isSharedToo: isShared });
      if (to !== null) return look(to);
      const newest = await recentCopies.find(teamId, [first, second], () => look(clock.now()));
      return newest && newest.fetchedAt >= from ? newest : null;
    },

    /** To be called once these are committed, so that they are found in place of older ones. */
    noteNew(copies: readonly PageCopy[]): void {
      recentCopies.noteChanges(copies.map(({ key }) => key));
    },

    /** Null when it, or a picture that it shows, is gone. */
    async readDocument(copy: FoundCopy): Promise<CachedDocument | null> {
      const served = recent.find(copy.blobId);
      // What is served twice is likely to be served again.
      served?.json.write();
      const found = served ?? (await readStored(copy));
      if (!found) return null;
      const shown = mediaOf(found.document);
      const now = clock.now();
      const isWhole = shown.length === 0 || (await store.blobs.renew(copy.teamId, shown, now + mediaAgeMs, now));
      return isWhole ? found : null;
    },

    readBytes,

    async readPage(copy: FoundCopy): Promise<CachedPage | null> {
      const bytes = await readBytes(copy);
      if (!bytes) return null;
      return { page: { ...JSON.parse(copy.details), body: Buffer.from(bytes) }, fetchedAt: copy.fetchedAt };
    },

    /** Makes a copy ready for the store. */
    async makeCopy(teamId: string, copy: NewCopy): Promise<{ copy: PageCopy; blob: PackedBlob; isDocument: boolean }> {
      const { key, fetchedAt, bytes } = copy;
      const expiresAt = fetchedAt + days * dayMs;
      const blob = await store.blobs.pack({
        id: newId(fetchedAt),
        teamId,
        createdAt: fetchedAt,
        // Outlives the copy: a response served in its last moment stays readable.
        expiresAt: expiresAt + blobGraceMs,
        data: bytes,
      });
      return {
        isDocument: copy.isDocument,
        blob,
        copy: {
          id: newId(fetchedAt),
          teamId,
          key,
          fetchedAt,
          expiresAt,
          isShared: copy.mayShare && isShared,
          blobId: blob.id,
          sizeBytes: blob.packedBytes,
          details: JSON.stringify(copy.details),
        },
      };
    },
  };
}
