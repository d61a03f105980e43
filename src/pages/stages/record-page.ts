import { bareUrl, type Trace } from "../../base/index.ts";
import type { ScrapeOptions } from "../../contract/index.ts";
import { pagePrice } from "../record/page-price.ts";
import type { PageRecorder } from "../record/page-record.ts";
import type { PageDetails } from "../record/stored-details.ts";
import type { ObtainedPage, PageRequest, Payer } from "./asked-page.ts";
import type { Fetched } from "./fetch-page.ts";
import type { SentFile } from "./take-file.ts";

export interface Recorded {
  obtained: ObtainedPage;
}

interface Needs extends Fetched {
  request: { id: string; payer: Payer; url?: string; options: ScrapeOptions; replay?: string | undefined } & Pick<
    PageRequest,
    "archive"
  >;
  /** Where it has no URL. */
  file?: SentFile;
  trace: Trace;
}

/** Makes the bill, and what is kept besides the document. Nothing is written: the feature does that, together with its own rows. */
export function createRecordStage(recorder: Pick<PageRecorder, "record">) {
  return ({ request, file, reading, trace }: Needs): Recorded => {
    const { id, payer, url = "", options, replay, archive } = request;
    const isReplay = archive?.kind === "replay";
    const credits = payer.chargeId === null ? 0 : pagePrice(options, reading.document, isReplay);
    const own = { sourceURL: file ? file.filename : bareUrl(url), scrapeId: id, creditsUsed: credits };
    const details: PageDetails = { facts: Object.assign({}, reading.facts, own), warnings: reading.warnings };
    if (replay !== undefined) details.replay = replay;
    if (options.trace) details.trace = trace.steps;
    return {
      obtained: {
        ok: true,
        reading,
        details,
        credits,
        steps: options.trace ? trace.steps : [],
        record: (keeping) => recorder.record({ credits, ...payer }, reading, keeping),
      },
    };
  };
}
