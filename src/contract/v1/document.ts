// v1 returns extracted data under two names.
import * as z from "zod";
import { document } from "../fields/document.ts";

export const v1Document = document
  .safeExtend({ extract: z.unknown().optional() })
  .meta({ id: "DocumentV1", description: "A page, in the requested formats" });

export function fromV2Document<Page extends { json?: unknown }>(page: Page): Page & { extract?: unknown } {
  return page.json === undefined ? page : { ...page, extract: page.json };
}

/** Links to jobs use the API version of the caller. */
export function fromV2Link(url: string): string {
  return url.replace(/\/v2\/(?=(?:crawl|batch)\/[^/]*(?:\/[^/]*)?$)/, "/v1/");
}
