// Arguments as other servers of the same tools name them.

import { isObject } from "../base/index.ts";

type Json = Record<string, unknown>;

/** Options beside `formats`, by the format they belong to. */
const besideFormats: Record<string, string> = {
  jsonOptions: "json",
  queryOptions: "query",
  screenshotOptions: "screenshot",
  changeTrackingOptions: "changeTracking",
};

/**
 * `formats: ["json"], jsonOptions: {…}` as `formats: [{ type: "json", … }]`; likewise `pdfOptions` beside the parsers and
 * `webhookHeaders` beside the webhook. The options of the pages of a crawl or search are read the same way.
 */
export function understandArguments({ pdfOptions, webhookHeaders, scrapeOptions, ...args }: Json): Json {
  const formats = formatsOf(args);
  const parsers = isObject(pdfOptions) ? withOptions(args["parsers"], "pdf", pdfOptions) : args["parsers"];
  const { webhook } = args;
  const hook =
    isObject(webhookHeaders) && typeof webhook === "string" ? { url: webhook, headers: webhookHeaders } : webhook;
  const rest = Object.entries(args).filter(([name]) => !(name in besideFormats));
  const made = {
    formats,
    parsers,
    webhook: hook,
    scrapeOptions: isObject(scrapeOptions) ? understandArguments(scrapeOptions) : scrapeOptions,
  };
  const given = Object.entries(made).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(rest), ...Object.fromEntries(given) };
}

function formatsOf(args: Json): unknown {
  let formats = args["formats"];
  for (const [name, type] of Object.entries(besideFormats))
    if (name in args) formats = withOptions(formats, type, isObject(args[name]) ? args[name] : {});
  return formats;
}

/** A list of names in which one name has options; it is added where it is missing. */
function withOptions(list: unknown, type: string, options: Json): unknown[] {
  const names = Array.isArray(list) ? list : [];
  const whole = { type, ...options };
  return names.includes(type) ? names.map((name) => (name === type ? whole : name)) : [...names, whole];
}
