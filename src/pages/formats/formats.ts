// The table of formats, one row for each name of the contract, and what the rest of the room asks it.
import type { ContentFormats } from "../../content/index.ts";
import type { Document, Format, FormatName } from "../../contract/index.ts";
import type { OutputNeeds, Page, RenderedPage } from "../../engines/index.ts";
import type { MediaCollector } from "../media/media.ts";
import { attributes } from "./attributes.ts";
import { audio } from "./audio.ts";
import { branding } from "./branding.ts";
import { changeTracking } from "./change-tracking.ts";
import { chunks } from "./chunks.ts";
import { deterministicJson } from "./deterministic-json.ts";
import type { AnswerPlan, FormatRow, FormatTable, UsableCopies } from "./format-row.ts";
import { highlights } from "./highlights.ts";
import { html } from "./html.ts";
import { images } from "./images.ts";
import { json } from "./json.ts";
import { links } from "./links.ts";
import { markdown } from "./markdown.ts";
import { menu } from "./menu.ts";
import { product } from "./product.ts";
import { query } from "./query.ts";
import { question } from "./question.ts";
import { rawBase64 } from "./raw-base64.ts";
import { rawHtml } from "./raw-html.ts";
import { screenshot } from "./screenshot.ts";
import { summary } from "./summary.ts";
import { tables } from "./tables.ts";
import { video } from "./video.ts";

export const formatTable: FormatTable = {
  markdown,
  html,
  rawHtml,
  links,
  images,
  attributes,
  tables,
  chunks,
  rawBase64,
  screenshot,
  changeTracking,
  json,
  deterministicJson,
  summary,
  question,
  query,
  highlights,
  product,
  menu,
  audio,
  video,
  branding,
};

export type Formats = readonly Format[];
type Source = FormatRow<FormatName>["source"];

/** The row of a format, whose functions take just this format. */
function rowOf({ type }: Format): FormatRow<FormatName> {
  return formatTable[type] as FormatRow<FormatName>;
}

export function isFrom(format: Format, source: Source): boolean {
  return rowOf(format).source === source;
}

export function includesSource(formats: Formats, source: Source): boolean {
  return formats.some((format) => isFrom(format, source));
}

const contentNames = (Object.keys(formatTable) as FormatName[]).filter(
  (name) => formatTable[name].source === "content",
);
const noContent = {
  ...Object.fromEntries(contentNames.map((name) => [name, false])),
  outlinks: false,
  attributes: [],
} as unknown as ContentFormats;

/** What the content room is to make for all of them. */
export function contentFormats(formats: Formats): ContentFormats {
  const all: ContentFormats = { ...noContent };
  const queries = new Map<string, ContentFormats["attributes"][number]>();
  for (const format of formats) {
    const { attributes: asked = [], ...rest } = rowOf(format).content?.(format) ?? {};
    // The same query twice would only be answered twice.
    for (const one of asked) queries.set(JSON.stringify(one), one);
    Object.assign(all, rest);
  }
  all.attributes = [...queries.values()];
  return all;
}

/** What is answered from the page's text and data; null when nothing is. The first format of a field counts. */
export function answerPlan(formats: Formats, hasModel: boolean): AnswerPlan | null {
  const asked = formats.filter((format) => isFrom(format, "answer") || isFrom(format, "text"));
  if (asked.length === 0) return null;
  const plan: AnswerPlan = {
    json: null,
    deterministic: null,
    summary: false,
    question: null,
    isQuoted: false,
    highlights: null,
    highlightTokens: null,
    product: false,
    menu: false,
    chunks: null,
    hidesMarkdown: false,
  };
  const filled = new Set<string>();
  for (const format of asked) {
    const { field, answer } = rowOf(format);
    if (!filled.has(field)) Object.assign(plan, answer?.(format));
    filled.add(field);
  }
  const readsText = asked.some((format) => {
    const { readsText: when } = rowOf(format);
    return when === "always" || (when === "with a model" && hasModel);
  });
  plan.hidesMarkdown = readsText && formats.every(({ type }) => type !== "markdown");
  return plan;
}

/** The outputs that are paid for on top of the page. */
export function paidOutputs(formats: Formats): Set<FormatName> {
  return new Set(formats.flatMap((format) => rowOf(format).paidAs?.(format) ?? []));
}

/** What they need of the engine that fetches the page. */
export function outputNeeds(formats: Formats): OutputNeeds {
  const known = knownNeeds.get(formats);
  if (known) return known;
  const browser = formats.filter((format) => isFrom(format, "browser")).map(({ type }) => type);
  const needs = { browser: [...new Set(browser)], isRaw: includesSource(formats, "bytes") };
  knownNeeds.set(formats, needs);
  return needs;
}

/** All pages of a job have the same formats. */
const knownNeeds = new WeakMap<Formats, OutputNeeds>();

/** The copies that can serve all of them. */
export function usableCopies(formats: Formats): UsableCopies {
  const each = formats.map((format) => rowOf(format).copies?.(format) ?? "any");
  if (each.includes("none")) return "none";
  return each.includes("documents") ? "documents" : "any";
}

/** What is made from the page itself: from its bytes, or from a browser's view of it. */
export function outputsFromPage(
  formats: Formats,
  page: Page | RenderedPage,
  collector: MediaCollector,
): Partial<Document> {
  return Object.assign({}, ...formats.map((format) => rowOf(format).fromPage?.(page, collector)));
}

/** Warnings about outputs that came back empty, so that no success hides it. */
export function emptyWarnings(document: Partial<Document>): string[] {
  const said = emptyChecks.flatMap((check) => check(document) ?? []);
  return said.length < 2 ? said : [...new Set(said)];
}

const emptyChecks = Object.values(formatTable).flatMap(({ whenEmpty }) => whenEmpty ?? []);

/** Fields of a document that several different formats are to fill. */
export function contestedFields(formats: Formats): string[] {
  const byField = new Map<string, Set<string>>();
  for (const format of formats) {
    const { field, source } = rowOf(format);
    if (source === "answer" || source === "text" || source === "history") {
      byField.set(field, (byField.get(field) ?? new Set()).add(JSON.stringify(format)));
    }
  }
  return [...byField].flatMap(([field, asked]) => (asked.size > 1 ? [field] : []));
}
