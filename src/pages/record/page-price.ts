// What a page costs with its options.
import { prices } from "../../accounts/index.ts";
import { type Document, formats, type ScrapeOptions } from "../../contract/index.ts";
import { paidOutputs } from "../formats/formats.ts";

/** `document`: of the page that was read; without it the least that it can cost. */
export function pagePrice(options: ScrapeOptions, document?: Pick<Document, "metadata">, isReplay = false): number {
  const outputs = [...paidOutputs(options.formats)].reduce((sum, name) => sum + formats[name].credits, 0);
  const judged = document?.metadata.injectionCheck === "model" ? prices.injectionJudgement : 0;
  const redacted = options.redactPII === false ? 0 : prices.redactPii;
  // Out of an archive only what is made of the page costs anything.
  if (isReplay) return outputs + judged + redacted;
  const extra = outputs + judged + redacted + (document ? furtherPages(document) * prices.page : 0);
  if (options.lockdown) return prices.lockdownHit + extra;
  return prices.page + extra + (options.zeroDataRetention ? prices.zeroDataRetention : 0);
}

/** The pages of a PDF are paid one by one; every other file is one page. */
function furtherPages({ metadata }: Pick<Document, "metadata">): number {
  const { contentType, numPages = 1 } = metadata;
  return contentType === "application/pdf" ? Math.max(0, numPages - 1) : 0;
}
