// An email -> HTML: its header, its body with inline pictures, and the list of attachments.

import { FileFault, type ParsedFile } from "../file/file-reading.ts";
import { bodyOf, escapeHtml, PictureShelf, parsedFile } from "../html/document-html.ts";
import { plainHtml } from "../text/read-markdown.ts";

/** A part of a mail. */
export interface MailPart {
  contentId?: string | undefined;
  mimeType: string;
  bytes(): Uint8Array;
}

const shown = /^image\/(?:png|jpeg|gif|webp|bmp|avif)$/;

export function withInlinePictures(html: string, parts: readonly MailPart[]): { html: string; warnings: string[] } {
  if (!/\bcid:/i.test(html)) return { html, warnings: [] };
  const shelf = new PictureShelf();
  const known = new Map<string, string | null>();
  const sourceOf = (id: string): string | null => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const part = parts.find(({ contentId, mimeType }) => bare(contentId ?? "") === id && shown.test(mimeType));
    const source = part ? shelf.put(part.mimeType, Buffer.from(part.bytes())) : null;
    known.set(id, source);
    return source;
  };
  const filled = html.replace(
    /(\ssrc\s*=\s*)(["'])cid:([^"'>]{1,500})\2/gi,
    (whole, start: string, _quote, id: string) => {
      const source = sourceOf(decode(id));
      return source === null ? whole : `${start}"${source}"`;
    },
  );
  return { html: filled, warnings: shelf.warnings() };
}

const bare = (contentId: string) => contentId.replace(/^<|>$/g, "");

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

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
