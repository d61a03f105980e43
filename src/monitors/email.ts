// The email about a check: as plain text and as HTML. Everything from pages is escaped, nothing is loaded, and
// links lead only to the pages themselves.
import { escapeXml, isWebUrl } from "./feed.ts";

export interface EmailPage {
  url: string;
  status: string;
  /** A unified diff, "" when it is not shown. */
  diff: string;
  /** Why a model considered the change meaningful. */
  reason: string;
  error: string | null;
}

export interface EmailFacts {
  monitorName: string;
  status: string;
  summary: Record<string, number>;
  pages: readonly EmailPage[];
  /** Pages that are not listed. */
  further: number;
  checkUrl: string;
}

export interface Email {
  subject: string;
  text: string;
  html: string;
}

const longestSubject = 200;
const longestDiff = 10_000;

export function renderEmail(facts: EmailFacts): Email {
  const { summary, pages, further } = facts;
  const monitorName = facts.monitorName.replace(/\s+/g, " ");
  const counts = Object.entries(summary)
    .filter(([name, count]) => name !== "totalPages" && count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
  const subject = `[Trawl] ${monitorName}: ${counts || facts.status}`.slice(0, longestSubject);
  const more = further > 0 ? `and ${further} more` : "";
  const text = [
    `${monitorName}: ${counts} (${facts.status})`,
    ...pages.map((page) =>
      [`${page.status}: ${page.url}`, page.reason, page.error ?? "", cut(page.diff)].filter(Boolean).join("\n"),
    ),
    more,
    facts.checkUrl,
  ]
    .filter(Boolean)
    .join("\n\n");
  const html = [
    "<!doctype html><html><body>",
    `<h1>${escapeXml(monitorName)}</h1><p>${escapeXml(`${counts} (${facts.status})`)}</p>`,
    ...pages.map(pageHtml),
    more && `<p>${more}</p>`,
    `<p><small>${escapeXml(facts.checkUrl)}</small></p>`,
    "</body></html>",
  ].join("\n");
  return { subject, text, html };
}

function pageHtml({ url, status, diff, reason, error }: EmailPage): string {
  const shown = escapeXml(url);
  const link = isWebUrl(url) ? `<a href="${shown}" rel="noreferrer">${shown}</a>` : shown;
  const said = [reason, error ?? ""].filter(Boolean).map((text) => `<p>${escapeXml(text)}</p>`);
  return `<h2>${escapeXml(status)}: ${link}</h2>${said.join("")}${diff === "" ? "" : `<pre>${diffHtml(cut(diff))}</pre>`}`;
}

function diffHtml(diff: string): string {
  const colors: Record<string, string> = { "+": "#0a0", "-": "#a00", "@": "#666" };
  return diff
    .split("\n")
    .map((line) => {
      const color = colors[line[0] ?? ""];
      return color ? `<span style="color:${color}">${escapeXml(line)}</span>` : escapeXml(line);
    })
    .join("\n");
}

function cut(diff: string): string {
  return diff.length > longestDiff ? `${diff.slice(0, longestDiff)}\n…` : diff;
}
