// Which requests of a page only bring advertisements: our own short list, and the operator's lists.
import { readFile } from "node:fs/promises";
import type { Logger } from "../../base/index.ts";
import { ownBlockList } from "./block-list.ts";

export interface AdBlocker {
  /** `type` as the browser's protocol names it, `source` the page that asks. */
  blocks(url: string, type: string, source: string): boolean;
}

type KnownType = "script" | "image" | "xmlhttprequest" | "sub_frame" | "ping" | "stylesheet" | "font" | "media";

const types: Record<string, KnownType> = {
  Document: "sub_frame",
  Fetch: "xmlhttprequest",
  Font: "font",
  Image: "image",
  Media: "media",
  Ping: "ping",
  Script: "script",
  Stylesheet: "stylesheet",
  XHR: "xmlhttprequest",
};

/** `files` are filter lists on disk. The engine is loaded with the first page that wants it. */
export async function openAdBlocker(files: readonly string[], log: Logger): Promise<AdBlocker> {
  const { FiltersEngine, Request } = await import("@ghostery/adblocker");
  const lists = await Promise.all(
    files.map((file) =>
      readFile(file, "utf8").catch((error: unknown) => {
        log.error({ err: error, file }, "a list of BLOCK_LISTS cannot be read");
        return "";
      }),
    ),
  );
  const engine = FiltersEngine.parse([ownBlockList, ...lists].join("\n"), { loadCosmeticFilters: false });
  return {
    blocks(url, type, source) {
      const request = Request.fromRawDetails({ url, sourceUrl: source, type: types[type] ?? "other" });
      return engine.match(request).match;
    },
  };
}
