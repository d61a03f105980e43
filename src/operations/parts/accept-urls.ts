// A request's list of URLs, some of which may be invalid.
import { errorTable, readUrl, ServiceError } from "../../base/index.ts";
import type { CheckUrl } from "../../reach/index.ts";

const shownIssues = 100;

/** The usable URLs, and the others as they were sent. Throws for an invalid one unless they are ignored, or where all are. */
export function acceptUrls(
  { urls: texts, ignoreInvalidURLs }: { urls: readonly string[]; ignoreInvalidURLs: boolean },
  checkUrl: CheckUrl,
): { urls: string[]; first: string; invalid: string[] } {
  const urls: string[] = [];
  const issues: UrlIssue[] = [];
  for (const [place, text] of texts.entries()) {
    const checked = checkText(text, checkUrl);
    if ("url" in checked) urls.push(checked.url);
    else issues.push({ ...checked, path: ["urls", place] });
  }
  const [issue] = issues;
  if (issue && !ignoreInvalidURLs) {
    const code = issue.code === "URL_NOT_ALLOWED" ? issue.code : "BAD_REQUEST";
    throw new ServiceError(code, issue.message, { details: [issue] });
  }
  const [first] = urls;
  if (first === undefined) {
    throw new ServiceError("BAD_REQUEST", "No valid URLs provided", { details: issues.slice(0, shownIssues) });
  }
  return { urls, first, invalid: issues.map(({ path: [, place] }) => texts[place] as string) };
}

interface UrlIssue {
  code: "URL_NOT_ALLOWED" | "invalid_format";
  message: string;
  path: [list: "urls", place: number];
}

function checkText(text: string, checkUrl: CheckUrl): { url: string } | Omit<UrlIssue, "path"> {
  const reading = readUrl(text);
  const check = "url" in reading ? checkUrl(reading.url) : null;
  if ("url" in reading && check && "url" in check) return { url: reading.url };
  const isRefused = check !== null && "problem" in check && check.problem === "refused";
  return isRefused
    ? { code: "URL_NOT_ALLOWED", message: errorTable.URL_NOT_ALLOWED.message }
    : { code: "invalid_format", message: "Invalid URL" };
}
