// Whether a URL may be requested at all, checked before any work begins. The network layer checks each connection again.
import { errorTable, ServiceError } from "../../base/index.ts";

export type CheckUrl = (url: string) => { url: URL } | { problem: "invalid" | "refused"; message: string };

/**
 * Throws 403 for a URL that is not allowed, and 400 with the name of the field for an invalid one. With `path` both name the
 * field.
 */
export function requireAllowedUrl(checkUrl: CheckUrl, url: string, path?: readonly (string | number)[]): URL {
  const check = checkUrl(url);
  if ("url" in check) return check.url;
  if (check.problem === "refused") {
    const code = "URL_NOT_ALLOWED";
    throw new ServiceError(code, undefined, path && { details: [{ code, path, message: errorTable[code].message }] });
  }
  throw new ServiceError("BAD_REQUEST", "Invalid URL", {
    details: [{ code: "invalid_format", path: path ?? ["url"], message: check.message }],
  });
}
