// What Tavily's requests and answers have in common.
import type { Document } from "../../contract/index.ts";
import type { DialectCall } from "../frame/dialect.ts";
import { silentFields } from "../frame/dialect-fields.ts";
import { plainTextOf } from "../frame/texts.ts";

/** Sent by clients with every request. */
export const tavilySenderFields = silentFields("api_key", "client_source");

/** With the two decimals of Tavily's own times. */
export function secondsSince(startedAt: number, { now }: DialectCall): number {
  return Math.round((now() - startedAt) / 10) / 100;
}

export function tavilyUsage({ include_usage: isWanted }: { include_usage: boolean }, credits: number) {
  return isWanted ? { usage: { credits } } : {};
}

/** The page as extract and crawl return it. */
export function tavilyPage(
  { markdown = "", images = [], metadata }: Document,
  fields: { format: "markdown" | "text"; include_images: boolean; include_favicon: boolean },
) {
  return {
    raw_content: fields.format === "text" ? plainTextOf(markdown) : markdown,
    images: fields.include_images ? images : [],
    ...(fields.include_favicon && metadata.favicon ? { favicon: metadata.favicon } : {}),
  };
}

/** The formats of a page that those fields need. */
export function tavilyFormats({ include_images: hasImages }: { include_images: boolean }): string[] {
  return hasImages ? ["markdown", "images"] : ["markdown"];
}
