// The document of a job's result as its caller sees it.
import type { Document } from "../../contract/index.ts";
import { assembleDocument, withMediaLinks, withTraceLinks } from "../../pages/index.ts";
import type { ResultDetails } from "./task-page.ts";

/** `bytes` null: a page that has not changed, of which only facts are told. */
export function showDocument(bytes: Uint8Array | null, details: string, baseUrl: string): Document {
  const added: ResultDetails = JSON.parse(details);
  if (bytes === null) return assembleDocument({ metadata: {} }, added);
  const whole = assembleDocument(JSON.parse(Buffer.from(bytes).toString("utf8")), added);
  const document = withMediaLinks(whole, baseUrl);
  return added.trace ? { ...document, trace: withTraceLinks(added.trace, baseUrl) } : document;
}
