// Pictures and PDFs that a browser made of a page. They lie in blobs whose ids nobody can guess, so their addresses need no
// key. Documents hold the path; the host is put before it when a document is answered.
import { randomBytes } from "node:crypto";
import type { TraceStep } from "../../base/index.ts";
import { type Clock, dayMs } from "../../base/index.ts";
import type { Document, ScrapeOptions } from "../../contract/index.ts";
import type { ActionResults } from "../../engines/index.ts";
import type { PackedBlob, Store } from "../../store/index.ts";

/** Something to keep for a day under an address of its own. */
export interface NewMedia {
  id: string;
  bytes: Buffer;
}

/** How long its address leads to it, from its making or its latest serving on. */
export const mediaAgeMs = dayMs;

const folder = "/media/";
const kinds = [
  { extension: "png", type: "image/png", signature: "\x89PNG" },
  { extension: "jpg", type: "image/jpeg", signature: "\xff\xd8\xff" },
  { extension: "pdf", type: "application/pdf", signature: "%PDF" },
] as const;

/** Ids of other blobs are UUIDs and never look like this. */
const mediaName = /^([\w-]{43})\.(png|jpg|pdf)$/;

/** Takes what a document should show, and gives what it shows: a path, or the bytes themselves where nothing may be kept. */
export function createMediaTray({ zeroDataRetention }: Pick<ScrapeOptions, "zeroDataRetention">) {
  const media: NewMedia[] = [];
  return {
    media,
    put(bytes: Buffer): string {
      const { type, extension } = kindOf(bytes);
      if (zeroDataRetention) return `data:${type};base64,${bytes.toString("base64")}`;
      const id = randomBytes(32).toString("base64url");
      media.push({ id, bytes });
      return `${folder}${id}.${extension}`;
    },
  };
}

export type MediaTray = ReturnType<typeof createMediaTray>;

function kindOf(bytes: Buffer): (typeof kinds)[number] {
  const start = bytes.toString("latin1", 0, 8);
  return kinds.find(({ signature }) => start.startsWith(signature)) ?? kinds[0];
}

export function actionOutputs({ screenshots, pdfs, ...rest }: ActionResults, tray: MediaTray): Document["actions"] {
  return { screenshots: screenshots.map(tray.put), ...rest, pdfs: pdfs.map(tray.put) };
}

/** Pictures hardly shrink, so they are kept as they are. */
export function mediaBlobs(teamId: string, media: readonly NewMedia[], now: number): PackedBlob[] {
  return media.map(({ id, bytes }) => ({
    id,
    teamId,
    createdAt: now,
    expiresAt: now + mediaAgeMs,
    encoding: "identity",
    sizeBytes: bytes.byteLength,
    data: bytes,
  }));
}

/** Ids of the blobs that a stored document shows. */
export function mediaOf({ screenshot, actions }: Document): string[] {
  const shown = [screenshot, ...(actions?.screenshots ?? []), ...(actions?.pdfs ?? [])];
  return shown.flatMap((path) =>
    path?.startsWith(folder) ? (mediaName.exec(path.slice(folder.length))?.[1] ?? []) : [],
  );
}

/** The document with whole addresses in place of paths. */
export function withMediaLinks<Shown extends Partial<Document>>(document: Shown, baseUrl: string): Shown {
  const { screenshot, actions } = document;
  if (screenshot === undefined && actions === undefined) return document;
  const link = (path: string) => toMediaLink(path, baseUrl);
  return {
    ...document,
    ...(screenshot === undefined ? {} : { screenshot: link(screenshot) }),
    ...(actions === undefined
      ? {}
      : {
          actions: {
            ...actions,
            ...(actions.screenshots ? { screenshots: actions.screenshots.map(link) } : {}),
            ...(actions.pdfs ? { pdfs: actions.pdfs.map(link) } : {}),
          },
        }),
  };
}

/** The same for the steps of a trace. */
export function withTraceLinks(steps: readonly TraceStep[], baseUrl: string): TraceStep[] {
  return steps.map((step) => {
    const { screenshot } = (step.detail ?? {}) as { screenshot?: unknown };
    if (typeof screenshot !== "string") return step;
    return { ...step, detail: { ...(step.detail as object), screenshot: toMediaLink(screenshot, baseUrl) } };
  });
}

/** The whole address of a kept picture or file. */
export function toMediaLink(path: string, baseUrl: string): string {
  return path.startsWith(folder) ? baseUrl + path : path;
}

/** By the last part of its address; null for what was never there or is gone. */
export function createMediaReader({ store, clock }: { store: Store; clock: Clock }) {
  return async (name: string): Promise<{ type: string; bytes: Uint8Array } | null> => {
    const [, id, extension] = mediaName.exec(name) ?? [];
    const kind = kinds.find((one) => one.extension === extension);
    if (id === undefined || !kind) return null;
    const bytes = await store.blobs.getById(id, clock.now());
    return bytes && { type: kind.type, bytes };
  };
}
