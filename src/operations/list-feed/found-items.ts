// The items that a read page has: found on its tree, or taken from data in the form of the caller's schema.
import { bareUrl } from "../../base/index.ts";
import type { Document, Format, OperationInput } from "../../contract/index.ts";
import type { LinkedItem } from "../../extraction/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";

export type WantedItem = NonNullable<OperationInput<"createFeed">["item"]>;

const longestTitle = 300;
const longestSummary = 2000;
const textFormats = { markdown: false, html: false, rawHtml: false, links: false, images: false, outlinks: false };

/** What the page is read with. */
export function formatsFor(item: WantedItem | null): Format[] {
  if (item === null || typeof item === "string") return [{ type: "rawHtml" }];
  const schema = { type: "object", properties: { items: { type: "array", items: item } }, required: ["items"] };
  return [{ type: "json", schema, checkPromptInjection: false, evidence: false }];
}

/** What is said where nothing is found. */
export function describeWanted(item: WantedItem | null): string {
  if (item === null) return "three or more parts of one look, each with a link and a text";
  return typeof item === "string" ? `elements that match ${item}` : "items in the form of the schema";
}

export function createItemFinder({ content }: Pick<OperationParts, "content">) {
  return async function findItems(
    document: Document,
    item: WantedItem | null,
    { url, teamId, signal }: { url: string; teamId: string; signal: AbortSignal },
  ): Promise<LinkedItem[]> {
    const pageUrl = document.metadata.url ?? url;
    if (item !== null && typeof item !== "string") return itemsOfData(document.json, pageUrl);
    const read = await content.read(
      {
        bytes: Buffer.from(document.rawHtml ?? ""),
        contentType: "text/html; charset=utf-8",
        url: pageUrl,
        formats: textFormats,
        onlyMainContent: false,
        includeTags: [],
        excludeTags: [],
        removeBase64Images: true,
        readerInput: { schema: null, prompt: null, linkedItems: { selector: item } },
      },
      teamId,
      signal,
    );
    return "found" in read ? (read.found?.linkedItems ?? []) : [];
  };
}

const titleNames = ["title", "headline", "name", "heading", "subject"];
const urlNames = ["url", "link", "href"];
const dateNames = ["date", "published", "publishedat", "datepublished", "posted", "time", "created"];
const summaryNames = ["summary", "description", "text", "content", "teaser", "abstract"];
const imageNames = ["image", "picture", "thumbnail", "imageurl"];

/** Fields are known by their names; what has no other place is in the text. */
export function itemsOfData(data: unknown, pageUrl: string): LinkedItem[] {
  const { items } = (data ?? {}) as { items?: unknown };
  return (Array.isArray(items) ? items : []).flatMap((each: unknown) => {
    if (typeof each === "string") return each === "" ? [] : [itemOf({ title: each }, pageUrl)];
    return typeof each === "object" && each !== null ? [itemOf(each, pageUrl)] : [];
  });
}

function itemOf(fields: object, pageUrl: string): LinkedItem {
  const left = new Map(Object.entries(fields).filter(([, value]) => value !== null && value !== ""));
  const take = (names: readonly string[]): string | null => {
    for (const [name, value] of left) {
      if (typeof value !== "string" || !names.includes(name.toLowerCase().replace(/[_-]/g, ""))) continue;
      left.delete(name);
      return value;
    }
    return null;
  };
  const title = take(titleNames) ?? firstText(left) ?? "";
  const [url, image] = [take(urlNames), take(imageNames)].map((written) => absolute(written, pageUrl));
  const date = take(dateNames);
  const summary = take(summaryNames);
  const rest = [...left].map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return {
    title: title.slice(0, longestTitle),
    url: url ?? null,
    date: date === null ? null : wholeDate(date),
    summary: [...(summary === null ? [] : [summary]), ...rest].join("\n").slice(0, longestSummary),
    image: image ?? null,
  };
}

function firstText(fields: Map<string, unknown>): string | null {
  for (const [name, value] of fields) {
    if (typeof value !== "string" || /^https?:/.test(value)) continue;
    fields.delete(name);
    return value;
  }
  return null;
}

function absolute(written: string | null, base: string): string | null {
  if (written === null || !URL.canParse(written, base)) return null;
  const url = new URL(written, base);
  return /^https?:$/.test(url.protocol) ? bareUrl(url) : null;
}

function wholeDate(written: string): string | null {
  if (/^\d{4}-\d{2}-\d{2}$/.test(written)) return Number.isNaN(Date.parse(written)) ? null : written;
  const at = /^\d{4}-\d{2}-\d{2}[T ]\d/.test(written) ? Date.parse(written) : Number.NaN;
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}
