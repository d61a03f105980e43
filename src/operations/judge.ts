// Whether an address may be asked for at all, before any work on it begins; what it leads to is judged where it is dialled.
import { ServiceError } from "../base/index.ts";

export type Judge = (url: string) => { url: URL } | { problem: "invalid" | "refused"; message: string };

/** Throws 403 for an address that is not allowed and 400, naming the field, for one that nobody can read. */
export function judgeOrThrow(judge: Judge, url: string, path: readonly string[] = ["url"]): URL {
  const judgement = judge(url);
  if ("url" in judgement) return judgement.url;
  if (judgement.problem === "refused") throw new ServiceError("URL_NOT_ALLOWED");
  throw new ServiceError("BAD_REQUEST", "Invalid URL", {
    details: [{ code: "invalid_format", path, message: judgement.message }],
  });
}
