// A page that could not be fetched, as its caller is told.
import { sentence } from "../../base/index.ts";
import type { PageFetchFailure } from "../fetching/fetch-page.ts";
import { createMediaCollector } from "../media/media.ts";
import type { PageFailure } from "./page-reading.ts";
import type { ReadingWork } from "./read-bytes.ts";

/** A failed action is named; what the page looked like then is shown in the trace. */
export function describeFailure(
  failure: PageFetchFailure,
  { request: { options }, trace }: Pick<ReadingWork, "request" | "trace">,
): PageFailure {
  const { ok, code, action } = failure;
  const message = failure.message && sentence(failure.message);
  if (!action) return { ok, code, message };
  const { screenshot, ...details } = action;
  const collector = createMediaCollector(options);
  const step = trace.steps.at(-1);
  if (screenshot && step && options.trace) step.detail = { ...details, screenshot: collector.put(screenshot) };
  return { ok, code, message, details, media: collector.media };
}
