import type { CaptionReader } from "../media/caption-reader.ts";
import type { EnteredPage } from "./entered-page.ts";
import type { Parsed } from "./parse-content.ts";
import type { DocumentWritten } from "./write-document.ts";

export interface CaptionsRead {
  /** Whether the document has the captions of media as text. */
  hasCaptions: boolean;
}

const without: CaptionsRead = { hasCaptions: false };

type Needs = Pick<EnteredPage, "request" | "signal"> & Parsed & DocumentWritten;

/** Fetches the captions that the page's media name, as text. */
export function createCaptionStage(captions: CaptionReader) {
  return ({ document, content, request: { options }, signal }: Needs): CaptionsRead | Promise<CaptionsRead> =>
    content && captions.isNeeded(document, options)
      ? captions.read(document, options, signal).then(() => ({ hasCaptions: true }))
      : without;
}
