// A page that could not be fetched, as its caller is told.
import { sentence, type Trace } from "../../base/index.ts";
import type { ScrapeOptions } from "../../contract/index.ts";
import type { ReachFailure } from "../../reach/index.ts";
import { createMediaCollector } from "../media/kept-media.ts";
import type { PageFailure } from "../record/page-reading.ts";

/** A failed action is named; what the page looked like then is shown in the trace. */
export function describeFailure(
  { ok, code, message: said, action, details: known, asks }: ReachFailure,
  options: ScrapeOptions,
  trace: Trace,
): PageFailure {
  const counted = asks === undefined ? {} : { asks };
  const message = said && sentence(said);
  if (!action) return { ok, code, message, ...(known === undefined ? {} : { details: known }), ...counted };
  const { screenshot, ...details } = action;
  const collector = createMediaCollector(options);
  const step = trace.steps.at(-1);
  if (screenshot && step && options.trace) step.detail = { ...details, screenshot: collector.put(screenshot) };
  return { ok, code, message, details, media: collector.media, ...counted };
}
