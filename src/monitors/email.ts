// The emails of monitors: about a check, and the one that asks whether an address wants them. As plain text and as HTML.
// Everything from pages is escaped, nothing is loaded from anywhere, and links lead only to the pages themselves and to this
// server's own.
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
  unsubscribeUrl: string;
}

export interface Email {
  subject: string;
  text: string;
  html: string;
}

const longestSubject = 200;
const longestDiff = 10_000;
const longestReason = 500;
/** Of a monitor's name in an email to somebody who has not agreed to it. */
const longestName = 80;

export function renderCheckEmail(facts: EmailFacts): Email {
  const { summary, pages, further, unsubscribeUrl } = facts;
  const monitorName = inOneLine(facts.monitorName);
  const counts = countChanges(summary);
  const subject = `[Trawl] ${monitorName}: ${counts || facts.status}`.slice(0, longestSubject);
  const more = further > 0 ? `and ${further} more` : "";
  const text = [
    `${monitorName}: ${counts} (${facts.status})`,
    ...pages.map((page) => [`${page.status}: ${page.url}`, ...saidOf(page), cut(page.diff)].filter(Boolean).join("\n")),
    more,
    facts.checkUrl,
    `Unsubscribe: ${unsubscribeUrl}`,
  ]
    .filter(Boolean)
    .join("\n\n");
  const html = [
    `<h1>${escapeXml(monitorName)}</h1><p>${escapeXml(`${counts} (${facts.status})`)}</p>`,
    ...pages.map(pageHtml),
    more && `<p>${more}</p>`,
    `<p><small>${escapeXml(facts.checkUrl)}</small></p>`,
    `<p><small>${link(unsubscribeUrl, "Unsubscribe")}</small></p>`,
  ];
  return { subject, text, html: document(html) };
}

/** Such as "2 changed, 1 new". */
export function countChanges(summary: Record<string, number>): string {
  return Object.entries(summary)
    .filter(([name, count]) => name !== "totalPages" && count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
}

/** To an address that somebody else named: it says no more than is needed to decide. */
export function renderConsentEmail(facts: { monitorName: string; confirmUrl: string; unsubscribeUrl: string }): Email {
  const { confirmUrl, unsubscribeUrl } = facts;
  const name = inOneLine(facts.monitorName).slice(0, longestName);
  const subject = `[Trawl] Confirm email from the monitor ${name}`;
  const [asked, calm] = [
    `Somebody wants to send you an email whenever the monitor "${name}" finds a change. You get none unless you confirm.`,
    "If you do not know what this is about, ignore this email: there will be no other.",
  ];
  const text = [asked, `Confirm: ${confirmUrl}`, calm, `Never ask me again: ${unsubscribeUrl}`].join("\n\n");
  const html = [
    `<p>${escapeXml(asked)}</p><p>${link(confirmUrl, "Confirm")}</p><p>${escapeXml(calm)}</p>`,
    `<p><small>${link(unsubscribeUrl, "Never ask me again")}</small></p>`,
  ];
  return { subject, text, html: document(html) };
}

function document(parts: readonly string[]): string {
  return ["<!doctype html><html><body>", ...parts, "</body></html>"].join("\n");
}

function pageHtml(page: EmailPage): string {
  const { url, status, diff } = page;
  const shown = isWebUrl(url) ? link(url, url) : escapeXml(url);
  const said = saidOf(page).map((text) => `<p>${escapeXml(text)}</p>`);
  return `<h2>${escapeXml(status)}: ${shown}</h2>${said.join("")}${diff === "" ? "" : `<pre>${diffHtml(cut(diff))}</pre>`}`;
}

function saidOf({ reason, error }: EmailPage): string[] {
  return [reason, error === null ? "" : outerReason(error)].filter(Boolean);
}

/** A reason for readers outside: its first line, without addresses of the network behind this server. */
function outerReason(error: string): string {
  const [line = ""] = error.split("\n", 1);
  return line
    .replace(/\[[0-9a-f:.]{3,}\](?::\d+)?|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/gi, "…")
    .slice(0, longestReason);
}

function link(url: string, text: string): string {
  return `<a href="${escapeXml(url)}" rel="noreferrer">${escapeXml(text)}</a>`;
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, " ");
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
