// What a document shows besides its text: the paths of its media, and the URLs that callers get.
import type { TraceStep } from "../../base/index.ts";
import type { Document } from "../../contract/index.ts";
import { mediaFolder, mediaName } from "./media.ts";
import { picturesOf, withPictureLinks } from "./pictures.ts";

/** Ids of the blobs that a stored document shows. */
export function mediaOf(document: Document): string[] {
  const { screenshot, actions } = document;
  const shown = [screenshot, ...(actions?.screenshots ?? []), ...(actions?.pdfs ?? [])];
  const ids = shown.flatMap((path) =>
    path?.startsWith(mediaFolder) ? (mediaName.exec(path.slice(mediaFolder.length))?.[1] ?? []) : [],
  );
  return [...ids, ...picturesOf(document)];
}

/** The document with absolute URLs instead of paths. */
export function withMediaLinks<Shown extends Partial<Document>>(given: Shown, baseUrl: string): Shown {
  const document = withPictureLinks(given, baseUrl);
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

/** The absolute URL of a stored picture or file. */
export function toMediaLink(path: string, baseUrl: string): string {
  return path.startsWith(mediaFolder) ? baseUrl + path : path;
}
