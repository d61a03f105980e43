// Copies of pages for later requests: a page as it was fetched, so that any output can be made from it, and documents that cannot
// be made of it again (a model's answers, pictures) or that a second request has asked for, so that a third need not make them.
import { type Clock, dayMs, holdsCredentials, hourMs, newId, pageAddress, sha256 } from "../../base/index.ts";
import type { ScrapeOptions } from "../../contract/index.ts";
import type { Page } from "../../engines/index.ts";
import { type FoundCopy, type PackedBlob, type PageCopy, packBlob, type Store } from "../../store/index.ts";
import { writeOutputs } from "../document/document-text.ts";
import { mediaAgeMs, mediaOf } from "../media/media.ts";
import { type CachedDocument, createRecentDocuments } from "./recent-documents.ts";

/** A scrape's answer is readable for 24 hours; the hour more covers a request that is under way. */
export const resultAgeMs = 24 * hourMs;
const blobGraceMs = 25 * hourMs;

export interface CacheOptions {
  /** Whether copies made for one team may serve another. */
  isShared: boolean;
  /** Days that a copy is kept. */
  days: number;
}

/** The span of time in which a usable copy was fetched; null: no copy will do. */
export interface CopySpan {
  from: number;
  to: number;
}

export interface CopyKeys {
  page: string;
  document: string;
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

/** What comes back may be for this caller alone. */
export function isPersonal(url: string, options: ScrapeOptions): boolean {
  const isSigned = Object.keys(options.headers).length > 0 || holdsCredentials(url);
  return isSigned || options.actions.length > 0 || options.profile !== undefined;
}

/** Such requests neither read nor write copies (API.md 2.1): they are personal, or too particular to come again. */
export function usesCopies(url: string, options: ScrapeOptions): boolean {
  const isParticular = options.formats.some(
    (format) =>
      format.type === "changeTracking" ||
      (format.type === "screenshot" && (format.quality !== undefined || format.viewport !== undefined)),
  );
  return !isParticular && !isPersonal(url, options);
}

export function createPageCache({ store, clock }: { store: Store; clock: Clock }, { isShared, days }: CacheOptions) {
  const recent = createRecentDocuments(clock);

  async function readStored(copy: FoundCopy): Promise<CachedDocument | null> {
    const bytes = await store.blobs.get(copy.teamId, copy.blobId, clock.now());
    if (!bytes) return null;
    const document = JSON.parse(Buffer.from(bytes).toString("utf8"));
    const found = { document, blobId: copy.blobId, fetchedAt: copy.fetchedAt };
    recent.keep(copy.blobId, found, 2 * bytes.byteLength);
    return found;
  }

  return {
    /** Which copies the options accept. */
    spanFor(options: ScrapeOptions): CopySpan | null {
      if (options.maxAge === 0) return null;
      const now = clock.now();
      return { from: now - options.maxAge, to: now - (options.minAge ?? 0) };
    },

    /**
     * The newest copy that fits, of the document or of the page it is made from: one key or both, or none. A page that was
     * fetched again since is newer than its old document and stands in its place.
     */
    async find(teamId: string, keys: readonly string[], span: CopySpan): Promise<FoundCopy | null> {
      const [first, second = first] = keys;
      if (first === undefined || second === undefined) return null;
      return store.copies.find({ teamId, keys: [first, second], ...span, isSharedToo: isShared });
    },

    /** Null when it, or a picture that it shows, is gone. */
    async readDocument(copy: FoundCopy): Promise<CachedDocument | null> {
      const served = recent.find(copy.blobId);
      // Served twice, it will be served more often.
      if (served) writeOutputs(served.document);
      const found = served ?? (await readStored(copy));
      if (!found) return null;
      const shown = mediaOf(found.document);
      const now = clock.now();
      const isWhole = shown.length === 0 || (await store.blobs.renew(copy.teamId, shown, now + mediaAgeMs, now));
      return isWhole ? found : null;
    },

    async readPage(copy: FoundCopy): Promise<CachedPage | null> {
      const bytes = await store.blobs.get(copy.teamId, copy.blobId, clock.now());
      if (!bytes) return null;
      return { page: { ...JSON.parse(copy.details), body: Buffer.from(bytes) }, fetchedAt: copy.fetchedAt };
    },

    /** Makes a copy ready for the store. */
    async makeCopy(teamId: string, copy: NewCopy): Promise<{ copy: PageCopy; blob: PackedBlob; isDocument: boolean }> {
      const { key, fetchedAt, bytes } = copy;
      const expiresAt = fetchedAt + days * dayMs;
      const blob = await packBlob({
        id: newId(fetchedAt),
        teamId,
        createdAt: fetchedAt,
        // Outlives the copy: an answer given in its last moment stays readable.
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
          sizeBytes: blob.data.byteLength,
          details: JSON.stringify(copy.details),
        },
      };
    },
  };
}

/** `url` as contract and discovery give it: normalised. `model`: the one that outputs are made with, if any. */
export function copyKeys(url: string, options: ScrapeOptions, model: string | null): CopyKeys {
  // Everything that decides which bytes a page's server sends, and whether a browser may have changed them.
  const { mobile, location, waitFor, blockAds, skipTlsVerification, proxy } = options;
  const decisive = [pageAddress(url), mobile, location, waitFor, blockAds, skipTlsVerification, proxy === "enhanced"];
  const isRaw = options.formats.some(({ type }) => type === "rawBase64");
  const page = sha256(JSON.stringify(isRaw ? [...decisive, "raw"] : decisive));
  // Everything that decides what is made of those bytes.
  const { formats, onlyMainContent, includeTags, excludeTags, removeBase64Images, parsers } = options;
  const made = [page, formats, onlyMainContent, includeTags, excludeTags, removeBase64Images, parsers];
  const document = sha256(JSON.stringify(model === null ? made : [...made, model, options.onlyCleanContent]));
  return { page, document };
}
