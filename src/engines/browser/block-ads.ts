// Which requests of a page only bring advertisements: our own short list of advertisers and trackers, and the operator's lists
// (BLOCK_LISTS).
import { readFile } from "node:fs/promises";
import type { Logger } from "../../base/index.ts";
import ownList from "./block-list.json" with { type: "json" };

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

/** In the syntax of filter lists. Only as third parties: a request for one of these sites itself is served. */
const ownFilters = [
  ...[...ownList.advertisers, ...ownList.trackers].map((host) => `||${host}^$third-party`),
  ...ownList.patterns.map((pattern) => `${pattern}$third-party`),
];

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
  const engine = FiltersEngine.parse([...ownFilters, ...lists].join("\n"), { loadCosmeticFilters: false });
  return {
    blocks(url, type, source) {
      const request = Request.fromRawDetails({ url, sourceUrl: source, type: types[type] ?? "other" });
      return engine.match(request).match;
    },
  };
}
