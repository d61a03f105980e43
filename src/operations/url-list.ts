// A caller's list of addresses, some of which may be bad.
import { readUrl, ServiceError } from "../base/index.ts";
import type { Judge } from "./judge.ts";

/** Addresses that can be read, and those that cannot, as they were sent. */
export function sortOut(texts: readonly string[], judge: Judge): { urls: string[]; invalid: string[] } {
  const urls: string[] = [];
  const invalid: string[] = [];
  for (const text of texts) {
    const reading = readUrl(text);
    if ("url" in reading && "url" in judge(reading.url)) urls.push(reading.url);
    else invalid.push(text);
  }
  return { urls, invalid };
}

export function refusalOf(text: string, judge: Judge): ServiceError {
  const reading = readUrl(text);
  const judgement = "url" in reading ? judge(reading.url) : { problem: "invalid", message: reading.problem };
  if ("problem" in judgement && judgement.problem === "refused") return new ServiceError("URL_NOT_ALLOWED");
  return new ServiceError("BAD_REQUEST", "Invalid URL");
}
