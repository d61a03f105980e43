// Which of the outputs and options that a caller may ask for can be had here, decided before anything is fetched.
import { ServiceError } from "../base/index.ts";
import { type AttributeQuery, type ContentFormats, findBadSelector } from "../content/index.ts";
import type { Format, ScrapeOptions } from "../contract/index.ts";

const builtOutputs = new Set([
  ...["markdown", "html", "rawHtml", "links", "images", "attributes"],
  ...["screenshot", "rawBase64", "changeTracking"],
]);

/** Accepted for the sake of clients that always send them, answered without the field (D19). */
const leftOut = new Set(["product", "menu", "audio", "video"]);

export interface OutputPlan {
  formats: ContentFormats;
  /** Sentences about what was asked for and will not be there. */
  warnings: string[];
}

/** Throws 501 for what this server cannot do and 400 for a selector that nobody can. */
export function planOutputs(options: ScrapeOptions): OutputPlan {
  for (const format of options.formats) {
    if (format.type === "changeTracking" && format.modes.includes("json")) {
      throw new ServiceError(
        "FORMAT_NOT_AVAILABLE",
        "changeTracking in the mode json is not available on this server.",
      );
    }
    if (builtOutputs.has(format.type) || leftOut.has(format.type)) continue;
    throw new ServiceError("FORMAT_NOT_AVAILABLE", `The output ${format.type} is not available on this server.`);
  }
  if (options.onlyCleanContent) {
    throw new ServiceError("MODEL_NOT_CONFIGURED", "onlyCleanContent needs a language model, and none is configured.");
  }
  checkSelectors(options);
  return { formats: contentFormats(options.formats), warnings: leftOutWarnings(options) };
}

/** Of all selectors of a request together: each is compiled, and compiling costs time on the main thread. */
const maxSelectorText = 32 * 1024;

function checkSelectors(options: ScrapeOptions): void {
  const queries = options.formats.flatMap((format) => (format.type === "attributes" ? format.selectors : []));
  const all = [...options.includeTags, ...options.excludeTags, ...queries.map(({ selector }) => selector)];
  if (all.reduce((sum, selector) => sum + selector.length, 0) > maxSelectorText) {
    const message = `All selectors together take at most ${maxSelectorText} characters`;
    throw new ServiceError("BAD_REQUEST", undefined, {
      details: [{ code: "too_big", path: ["includeTags"], message }],
    });
  }
  const lists = { includeTags: options.includeTags, excludeTags: options.excludeTags };
  for (const [field, selectors] of Object.entries(lists)) refuseBadSelector(selectors, (index) => [field, index]);
  for (const [place, format] of options.formats.entries()) {
    if (format.type !== "attributes") continue;
    const selectors = format.selectors.map(({ selector }) => selector);
    refuseBadSelector(selectors, (index) => ["formats", place, "selectors", index, "selector"]);
  }
}

function refuseBadSelector(selectors: readonly string[], pathOf: (index: number) => (string | number)[]): void {
  const bad = findBadSelector(selectors);
  if (!bad) return;
  const message = `Takes a CSS selector; ${JSON.stringify(bad.selector)} is none: ${bad.message}`;
  throw new ServiceError("BAD_REQUEST", undefined, {
    details: [{ code: "invalid_selector", path: pathOf(selectors.indexOf(bad.selector)), message }],
  });
}

function contentFormats(formats: readonly Format[]): ContentFormats {
  const has = (type: Format["type"]) => formats.some((format) => format.type === type);
  const queries: AttributeQuery[] = formats.flatMap((format) => (format.type === "attributes" ? format.selectors : []));
  // The same question twice would only be answered twice.
  const attributes = [...new Map(queries.map((query) => [JSON.stringify(query), query])).values()];
  return {
    markdown: has("markdown"),
    html: has("html"),
    rawHtml: has("rawHtml"),
    links: has("links"),
    images: has("images"),
    outlinks: false,
    attributes,
  };
}

function leftOutWarnings(options: ScrapeOptions): string[] {
  const names = [
    ...options.formats.map((format) => format.type).filter((type) => leftOut.has(type)),
    ...(options.redactPII === false ? [] : ["redactPII"]),
    ...(options.threatProtection === undefined ? [] : ["threatProtection"]),
    ...(options.proxy === "enhanced" ? ["proxy enhanced"] : []),
  ];
  return [
    ...(names.length === 0 ? [] : [`Not available here and left out: ${names.join(", ")}.`]),
    ...(options.fastMode && options.waitFor > 0 ? ["waitFor has no effect with fastMode."] : []),
  ];
}
