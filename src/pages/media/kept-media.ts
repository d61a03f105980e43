// Screenshots and PDFs that a browser made of a page, and pictures of files. They are stored in blobs with unguessable ids, so
// their URLs need no API key. Documents hold the path; the host is added when a document is returned.
import { randomBytes } from "node:crypto";
import { type Clock, dayMs } from "../../base/index.ts";
import type { Document, ScrapeOptions } from "../../contract/index.ts";
import type { ActionResults } from "../../engines/index.ts";
import type { OpenedBlob, PackBlob, PackedBlob, Store } from "../../store/index.ts";

/** Something to keep for a day under its own URL. */
export interface NewMedia {
  id: string;
  bytes: Buffer;
}

/** How long its URL works, counted from when it was made or last served. */
export const mediaAgeMs = dayMs;

export const mediaFolder = "/media/";
/** Without drawings, which could hold a script. */
const kinds = [
  { extension: "png", type: "image/png", signature: /^\x89PNG/ },
  { extension: "jpg", type: "image/jpeg", signature: /^\xff\xd8\xff/ },
  { extension: "gif", type: "image/gif", signature: /^GIF8[79]a/ },
  { extension: "webp", type: "image/webp", signature: /^RIFF[\s\S]{4}WEBP/ },
  { extension: "bmp", type: "image/bmp", signature: /^BM/ },
  { extension: "avif", type: "image/avif", signature: /^[\s\S]{4}ftypavi[fs]/ },
  { extension: "pdf", type: "application/pdf", signature: /^%PDF/ },
] as const;

/** Ids of other blobs are UUIDs and never look like this. */
export const mediaName = /^([\w-]{43})\.([a-z]{3,4})$/;

/** Takes what a document should show, and gives what it shows: a path, or the bytes themselves where nothing may be kept. */
export function createMediaCollector({ zeroDataRetention }: Pick<ScrapeOptions, "zeroDataRetention">) {
  const media: NewMedia[] = [];
  return {
    media,
    put(bytes: Buffer): string {
      const { type, extension } = kindOf(bytes);
      if (zeroDataRetention) return `data:${type};base64,${bytes.toString("base64")}`;
      const id = randomBytes(32).toString("base64url");
      media.push({ id, bytes });
      return `${mediaFolder}${id}.${extension}`;
    },
  };
}

export type MediaCollector = ReturnType<typeof createMediaCollector>;

function kindOf(bytes: Buffer): (typeof kinds)[number] {
  return findKind(bytes) ?? kinds[0];
}

function findKind(bytes: Buffer) {
  const start = bytes.toString("latin1", 0, 16);
  return kinds.find(({ signature }) => signature.test(start));
}

/** Whether bytes are a picture that browsers show and that can do nothing else. */
export function isPicture(bytes: Buffer): boolean {
  return findKind(bytes)?.type.startsWith("image/") === true;
}

export function actionOutputs(
  { screenshots, pdfs, ...rest }: ActionResults,
  collector: MediaCollector,
): Document["actions"] {
  return { screenshots: screenshots.map(collector.put), ...rest, pdfs: pdfs.map(collector.put) };
}

export function mediaBlobs(
  pack: PackBlob,
  teamId: string,
  media: readonly NewMedia[],
  now: number,
): Promise<PackedBlob[]> {
  const times = { createdAt: now, expiresAt: now + mediaAgeMs };
  return Promise.all(media.map(({ id, bytes }) => pack({ id, teamId, ...times, data: bytes, isCompact: true })));
}

export type ReadMedia = ReturnType<typeof createMediaReader>;

/** By the last part of its URL; null if it never existed or has expired. */
export function createMediaReader({ store, clock }: { store: Store; clock: Clock }) {
  return async (name: string): Promise<(OpenedBlob & { type: string }) | null> => {
    const [, id, extension] = mediaName.exec(name) ?? [];
    const kind = kinds.find((one) => one.extension === extension);
    if (id === undefined || !kind) return null;
    const opened = await store.blobs.openById(id, clock.now());
    return opened && { type: kind.type, ...opened };
  };
}
