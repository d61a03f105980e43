// The keys of cached pages and documents.
import { pageUrl, sha256 } from "../../base/index.ts";
import { refusesInjection, type ScrapeOptions } from "../../contract/index.ts";
import { isFrom } from "../formats/formats.ts";

export interface CopyKeys {
  page: string;
  document: string;
}

/** `url` is normalised. `model`: the one that outputs are made with, if any. */
export function copyKeys(url: string, options: ScrapeOptions, model: string | null): CopyKeys {
  // Everything that decides which bytes a page's server sends, and whether a browser may have changed them.
  const { mobile, location, waitFor, blockAds, skipTlsVerification, proxy } = options;
  const decisive = [pageUrl(url), mobile, location, waitFor, blockAds, skipTlsVerification, proxy === "enhanced"];
  const isRaw = options.formats.some((format) => isFrom(format, "bytes"));
  const page = sha256(JSON.stringify(isRaw ? [...decisive, "raw"] : decisive));
  // Everything that decides what is made from those bytes.
  const { formats, onlyMainContent, includeTags, excludeTags, removeBase64Images, parsers } = options;
  const made: unknown[] = [page, formats, onlyMainContent, includeTags, excludeTags, removeBase64Images, parsers];
  if (refusesInjection(options)) made.push("checked");
  const document = sha256(JSON.stringify(model === null ? made : [...made, model, options.onlyCleanContent]));
  return { page, document };
}
