import type { ScrapeOptions } from "../../contract/index.ts";
import { findFile, type PageFile } from "../files/page-file.ts";
import { isFrom } from "../formats/formats.ts";
import type { EnteredPage } from "./entered-page.ts";
import type { StageResult } from "./list-of-stages.ts";

/**
 * "content": a page, or a file that is read like one. "bytes": the caller wants the bytes as they are. "unread": a PDF that the
 * caller does not want to be read.
 */
type Kind = "content" | "bytes" | "unread";

export interface Identified {
  kind: Kind;
  /** Null for a page that the content room reads as it is. */
  file: PageFile | null;
}

/** What the bytes are, and so what is done with them. */
export function identifyPage({
  page,
  source,
  request: { options },
}: Pick<EnteredPage, "page" | "source" | "request">): StageResult<Identified> {
  if (options.formats.some((format) => isFrom(format, "bytes"))) return { kind: "bytes", file: null };
  if (isUnreadPdf(page.body, options)) {
    if (options.redactPII === false) return { kind: "unread", file: null };
    const message = "A PDF that is not parsed cannot be redacted.";
    return { ok: false, code: "SCRAPE_UNSUPPORTED_FILE_ERROR", message };
  }
  const file = findFile(page, options, source);
  return file && "ok" in file ? file : { kind: "content", file };
}

function isUnreadPdf(body: Buffer, { parsers }: ScrapeOptions): boolean {
  return body.subarray(0, 5).toString("latin1") === "%PDF-" && parsers.every(({ type }) => type !== "pdf");
}
