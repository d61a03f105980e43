// A document as one request is answered with it: others may share it, so what only this request knows is added to a copy, and
// the paths of its media become URLs.
import type { TraceStep } from "../../base/index.ts";
import type { Document } from "../../contract/index.ts";
import { mediaFolder } from "../media/kept-media.ts";
import { withPictureLinks } from "../media/pictures.ts";

/** What one request adds to a document. */
export interface PageFacts {
  facts?: Document["metadata"];
  warnings?: string[];
}

export function assembleDocument(document: Readonly<Document>, { facts, warnings = [] }: PageFacts): Document {
  const whole = { ...document, metadata: Object.assign({}, document.metadata, facts) };
  if (warnings.length > 0) whole.warning = [...warnings, document.warning].filter(Boolean).join(" ");
  return whole;
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
