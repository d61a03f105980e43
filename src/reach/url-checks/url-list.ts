// A caller's list of URLs, some of which may be invalid.
import { errorTable, readUrl, ServiceError } from "../../base/index.ts";
import type { CheckUrl } from "./url-check.ts";

/** The usable URLs, and the others as they were sent. */
export function sortOut(texts: readonly string[], checkUrl: CheckUrl): { urls: string[]; invalid: string[] } {
  const urls: string[] = [];
  const invalid: string[] = [];
  for (const text of texts) {
    const reading = readUrl(text);
    if ("url" in reading && "url" in checkUrl(reading.url)) urls.push(reading.url);
    else invalid.push(text);
  }
  return { urls, invalid };
}

/** The error for a list with a bad URL, which it names by its position. */
export function refusalOf(texts: readonly string[], bad: string | undefined, checkUrl: CheckUrl): ServiceError {
  const issue = issueOf(texts, texts.indexOf(bad ?? ""), checkUrl);
  const code = issue.code === "URL_NOT_ALLOWED" ? issue.code : "BAD_REQUEST";
  return new ServiceError(code, issue.message, { details: [issue] });
}

/** The error for a list without a single usable URL. */
export function noneValid(texts: readonly string[], checkUrl: CheckUrl): ServiceError {
  const details = texts.slice(0, shownIssues).map((_, place) => issueOf(texts, place, checkUrl));
  return new ServiceError("BAD_REQUEST", "No valid URLs provided", { details });
}

const shownIssues = 100;

function issueOf(texts: readonly string[], place: number, checkUrl: CheckUrl) {
  const reading = readUrl(texts[place] ?? "");
  const check = "url" in reading ? checkUrl(reading.url) : { problem: "invalid", message: reading.problem };
  const isRefused = "problem" in check && check.problem === "refused";
  const code = isRefused ? "URL_NOT_ALLOWED" : "invalid_format";
  const message = isRefused ? errorTable.URL_NOT_ALLOWED.message : "Invalid URL";
  return { code, path: ["urls", place], message };
}
