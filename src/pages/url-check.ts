// Whether an address may be asked for at all, before any work on it begins; what it leads to is judged where it is dialled.
import { errorTable, ServiceError } from "../base/index.ts";

export type CheckUrl = (url: string) => { url: URL } | { problem: "invalid" | "refused"; message: string };

/**
 * Throws 403 for an address that is not allowed and 400, naming the field, for one that nobody can read. A field beside the
 * request's own address is named in both.
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
