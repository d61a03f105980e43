// A mail -> HTML: its head, its body, and the list of what is attached.
import { escapeHtml } from "../html/escape.ts";
import { bodyOf, parsedFile } from "../html/page.ts";
import type { ParsedFile } from "../parsed-file.ts";
import { plainHtml } from "../text/read-markdown.ts";

export interface Attachment {
  name: string;
  sizeBytes: number;
}

export interface Mail {
  subject: string;
  head: [name: string, value: string][];
  from: string;
  sentAt?: string | undefined;
  html: string;
  text: string;
  attachments: Attachment[];
}

export function mailPage({ subject, head, from, sentAt, html, text, attachments }: Mail): ParsedFile {
  const lines = head
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `<strong>${name}:</strong> ${escapeHtml(value)}`);
  const body = html.trim() === "" ? plainHtml(text) : bodyOf(html);
  const names = attachments.map(({ name, sizeBytes }) => `<li>${escapeHtml(name)} (${sizeText(sizeBytes)})</li>`);
  const list = names.length > 0 ? `<h2>Attachments</h2><ul>${names.join("")}</ul>` : "";
  const title = subject === "" ? "" : `<h1>${escapeHtml(subject)}</h1>`;
  return parsedFile(`${title}<p>${lines.join("<br>")}</p>${body}${list}`, {
    ...(subject ? { title: subject } : {}),
    ...(from ? { author: from } : {}),
    ...(sentAt ? { createdAt: sentAt } : {}),
  });
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 ** 2 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}
