import { findTracking } from "../changes/change-tracker.ts";
import { createDocumentJson, type DocumentJson } from "../document/document-json.ts";
import type { ContentOptions } from "../document/page-document.ts";
import { type Answered, isPlainPlan } from "./answer-requests.ts";
import type { InjectionChecked } from "./check-injection.ts";
import type { EnteredPage } from "./entered-page.ts";
import type { StageResult } from "./list-of-stages.ts";
import type { Parsed } from "./parse-content.ts";
import type { CaptionsRead } from "./read-captions.ts";
import type { DocumentOpened } from "./read-document.ts";

export interface Finished {
  json: DocumentJson;
  /** What makes the document again from the page's bytes; null when more is needed. */
  remake: ContentOptions | null;
}

type Needs = Pick<EnteredPage, "request" | "rendered"> &
  DocumentOpened &
  Parsed &
  InjectionChecked &
  CaptionsRead &
  Answered;

/** All outputs of a page together: several of a large page would be more than an answer can carry. */
const maxDocumentBytes = 64 * 1024 * 1024;

/** Freezes the document. */
export function finishDocument(page: Needs): StageResult<Finished> {
  const json = createDocumentJson(page.answered.document);
  if (json.outputs().length > maxDocumentBytes)
    return {
      ok: false,
      code: "SCRAPE_PAGE_TOO_LARGE",
      message: "The outputs together are too large. Ask for fewer formats.",
    };
  return { json, remake: page.content && isMadeFromBytes(page) ? page.content.asked : null };
}

function isMadeFromBytes({ request, rendered, opened, injectionCheck, hasCaptions }: Needs): boolean {
  const { options, plan } = request;
  if (!isPlainPlan(plan) || injectionCheck || hasCaptions || opened) return false;
  return findTracking(options) === undefined && Object.keys(rendered).length === 0;
}
