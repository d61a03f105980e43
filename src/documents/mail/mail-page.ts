// A mail -> HTML: its head, its body, and the list of what is attached.
import { FileFault } from "../file/file-fault.ts";
import type { ParsedFile } from "../file/parsed-file.ts";
import { bodyOf, parsedFile } from "../html/document-html.ts";
import { escapeHtml } from "../html/escape-html.ts";
import { plainHtml } from "../text/read-markdown.ts";

export interface Attachment {
  name: string;
  sizeBytes: number;
  bytes(): Uint8Array;
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

/** HTML of a file inside; throws a fault where it cannot be read. */
export type ReadInside = (name: string, bytes: Uint8Array) => Promise<string>;

const maxRead = 50;
const maxHtmlLength = 16 * 1024 * 1024;

/** `read`: given when what is attached is asked for, too. */
export async function mailPage(mail: Mail, read: ReadInside | null, said: string[] = []): Promise<ParsedFile> {
  const { subject, head, from, sentAt, html, text, attachments } = mail;
  const lines = head
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `<strong>${name}:</strong> ${escapeHtml(value)}`);
  const body = html.trim() === "" ? plainHtml(text) : bodyOf(html);
  const names = attachments.map(({ name, sizeBytes }) => `<li>${escapeHtml(name)} (${sizeText(sizeBytes)})</li>`);
  const list = names.length > 0 ? `<h2>Attachments</h2><ul>${names.join("")}</ul>` : "";
  const title = subject === "" ? "" : `<h1>${escapeHtml(subject)}</h1>`;
  const inside = read ? await readAttachments(attachments, read) : { html: "", unread: [] };
  const facts = {
    ...(subject ? { title: subject } : {}),
    ...(from ? { author: from } : {}),
    ...(sentAt ? { createdAt: sentAt } : {}),
  };
  const unread = inside.unread.length > 0 ? [`Attachments that were not read: ${inside.unread.join(", ")}`] : [];
  const warnings = [...said, ...unread];
  return parsedFile(`${title}<p>${lines.join("<br>")}</p>${body}${list}${inside.html}`, facts, warnings);
}

async function readAttachments(attachments: readonly Attachment[], read: ReadInside) {
  let html = "";
  const unread: string[] = [];
  for (const [index, { name, bytes }] of attachments.entries()) {
    if (index >= maxRead || html.length > maxHtmlLength) {
      unread.push(name);
      continue;
    }
    try {
      html += `<section><h2>${escapeHtml(name)}</h2>${await read(name, bytes())}</section>`;
    } catch (error) {
      // One bad attachment costs neither the mail nor the others; a bomb does.
      if (error instanceof FileFault && error.kind === "limit") throw error;
      unread.push(name);
    }
  }
  return { html, unread };
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 ** 2 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}
