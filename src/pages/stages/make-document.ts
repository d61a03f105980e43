// A page's way through the stages from `identify` to `finish`, wherever its bytes come from.
import { isTimeout } from "../../base/index.ts";
import type { Document } from "../../contract/index.ts";
import type { PackedSnapshot } from "../../store/index.ts";
import type { DocumentJson } from "../document/document-json.ts";
import type { ContentOptions } from "../document/page-document.ts";
import type { PageFailure, ReadFindings } from "../record/page-reading.ts";
import type { Answered } from "./answer-requests.ts";
import type { EnteredPage } from "./entered-page.ts";
import type { Finished } from "./finish-document.ts";
import type { Judged } from "./judge-page.ts";
import type { StageList } from "./list-of-stages.ts";
import type { Parsed } from "./parse-content.ts";
import type { ChangesTracked } from "./track-changes.ts";
import type { DocumentWritten } from "./write-document.ts";

/** A page that went through all of these stages. */
export interface DocumentRead {
  ok: true;
  findings: ReadFindings;
  snapshots: PackedSnapshot[];
  document: Document;
  json: DocumentJson;
  /** False when the language model could not be used: a later request may get better outputs. */
  isFinal: boolean;
  /** Scripts would have filled it in, and none ran. */
  lacksText: boolean;
  /** What makes the document again from the page's bytes; null when more is needed. */
  remake: ContentOptions | null;
}

export type MakeDocument = (page: EnteredPage) => Promise<DocumentRead | PageFailure>;

type Made = Parsed & Judged & DocumentWritten & Answered & ChangesTracked & Finished;

export function createDocumentMaker(stages: StageList<EnteredPage, Made, PageFailure>): MakeDocument {
  return async (page) => {
    try {
      const made = await stages.run(page);
      if ("ok" in made) return made;
      const { answered, findings, snapshots, json, lacksText, remake } = made;
      const { document, isFinal } = answered;
      return { ok: true, document, json, findings, snapshots, isFinal, lacksText, remake };
    } catch (error) {
      if (!page.signal.aborted) throw error;
      return { ok: false, code: isTimeout(page.signal) ? "SCRAPE_TIMEOUT" : "ABORTED" };
    } finally {
      (page as Partial<Parsed>).learning?.end();
    }
  };
}
