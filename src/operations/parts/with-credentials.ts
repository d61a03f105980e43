// Credentials in the URL that a job starts from.
import { basicAuthorization } from "../../base/index.ts";
import type { ScrapeOptions } from "../../contract/index.ts";

/** `user:password@` becomes the header it stands for, which is kept sealed. */
export function withCredentials(options: ScrapeOptions, start: URL): ScrapeOptions {
  const authorization = basicAuthorization(start);
  return authorization === null ? options : { ...options, headers: { authorization, ...options.headers } };
}
