// A caller's list of addresses, some of which may be bad.
import { errorTable, readUrl, ServiceError } from "../base/index.ts";
import type { Judge } from "./url-check.ts";

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
  const issue = issueOf(texts, texts.indexOf(bad ?? ""), judge);
  const code = issue.code === "URL_NOT_ALLOWED" ? issue.code : "BAD_REQUEST";
  return new ServiceError(code, issue.message, { details: [issue] });
}

/** The failure of a list without any address that can be read. */
export function noneValid(texts: readonly string[], judge: Judge): ServiceError {
  const details = texts.slice(0, shownIssues).map((_, place) => issueOf(texts, place, judge));
  return new ServiceError("BAD_REQUEST", "No valid URLs provided", { details });
}

const shownIssues = 100;

function issueOf(texts: readonly string[], place: number, judge: Judge) {
  const reading = readUrl(texts[place] ?? "");
  const judgement = "url" in reading ? judge(reading.url) : { problem: "invalid", message: reading.problem };
  const isRefused = "problem" in judgement && judgement.problem === "refused";
  const code = isRefused ? "URL_NOT_ALLOWED" : "invalid_format";
  const message = isRefused ? errorTable.URL_NOT_ALLOWED.message : "Invalid URL";
  return { code, path: ["urls", place], message };
}
