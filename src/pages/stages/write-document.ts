import type { Document } from "../../contract/index.ts";
import { addWarnings, documentOf, makeDocument, unreadPdf } from "../document/page-document.ts";
import { noFindings, type ReadFindings } from "../record/page-reading.ts";
import type { InjectionChecked } from "./check-injection.ts";
import type { EnteredPage } from "./entered-page.ts";
import type { Identified } from "./identify-page.ts";
import type { Parsed } from "./parse-content.ts";
import type { DocumentOpened } from "./read-document.ts";

export interface DocumentWritten {
  document: Document;
  /** What was found on the page besides its document. */
  findings: ReadFindings;
}

type Needs = Pick<EnteredPage, "page" | "request" | "rendered"> &
  Identified &
  DocumentOpened &
  Parsed &
  InjectionChecked;

/** The document that the caller gets: the outputs of the content and of the browser, and the facts of the response. */
export function writeDocument(needs: Needs): DocumentWritten {
  const { page, request, rendered, kind, opened, content, verdict, injectionCheck } = needs;
  if (kind === "unread") return { document: unreadPdf(page, request.options), findings: noFindings };
  if (!content) return { document: documentOf(page, rendered, verdict), findings: noFindings };
  const { result } = content;
  if (opened) result.warnings.push(...opened.warnings);
  const document = makeDocument(page, result, rendered);
  if (opened) Object.assign(document.metadata, opened.facts(result.metadata.title));
  if (injectionCheck) Object.assign(document.metadata, { injectionCheck: injectionCheck.by });
  if (injectionCheck) addWarnings(document, injectionCheck.warnings);
  const { searchText = null, outlinks = null, places = null, found: finding = null } = result;
  return { document, findings: { outlinks, finding, places, searchText } };
}
