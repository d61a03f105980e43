// A caller's list of addresses, some of which may be bad.
import { errorTable, readUrl, ServiceError } from "../base/index.ts";
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

/** The failure of a list with a bad address, which it names by its place in the list. */
export function refusalOf(texts: readonly string[], bad: string | undefined, judge: Judge): ServiceError {
  const place = texts.indexOf(bad ?? "");
  const reading = readUrl(texts[place] ?? "");
  const judgement = "url" in reading ? judge(reading.url) : { problem: "invalid", message: reading.problem };
  const isRefused = "problem" in judgement && judgement.problem === "refused";
  const code = isRefused ? "URL_NOT_ALLOWED" : "BAD_REQUEST";
  const message = isRefused ? errorTable[code].message : "Invalid URL";
  return new ServiceError(code, message, { details: [{ code, path: ["urls", place], message }] });
}
