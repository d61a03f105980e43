// An email -> HTML: its header, its body with inline pictures, and the list of attachments.

import { decodeEscapes } from "../../base/index.ts";
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
  const sourceOf = (id: string) =>
    shelf.once(id, () => {
      const part = parts.find(({ contentId, mimeType }) => bare(contentId ?? "") === id && shown.test(mimeType));
      return part ? shelf.put(part.mimeType, Buffer.from(part.bytes())) : null;
    });
  const filled = html.replace(
    /(\ssrc\s*=\s*)(["'])cid:([^"'>]{1,500})\2/gi,
    (whole, start: string, _quote, id: string) => {
      const source = sourceOf(decodeEscapes(id));
      return source === null ? whole : `${start}"${source}"`;
    },
  );
  return { html: filled, warnings: shelf.warnings() };
}

const bare = (contentId: string) => contentId.replace(/^<|>$/g, "");

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

const maxAttachments = 50;
const maxHtmlLength = 16 * 1024 * 1024;

/** `read` is given when attachments are requested too. */
export async function mailPage(mail: Mail, read: ReadInside | null, warnings: string[] = []): Promise<ParsedFile> {
  const { subject, head, from, sentAt, html, text, attachments } = mail;
  const lines = head
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `<strong>${name}:</strong> ${escapeHtml(value)}`);
  const body = html.trim() === "" ? plainHtml(text) : bodyOf(html);
  const names = attachments.map(({ name, sizeBytes }) => `<li>${escapeHtml(name)} (${sizeText(sizeBytes)})</li>`);
  const list = names.length > 0 ? `<h2>Attachments</h2><ul>${names.join("")}</ul>` : "";
  const title = subject === "" ? "" : `<h1>${escapeHtml(subject)}</h1>`;
  const inside = await readSections(read ? attachments : [], "h2", maxAttachments, read);
  const unread = inside.unread.length > 0 ? [`Attachments that were not read: ${inside.unread.join(", ")}`] : [];
  return parsedFile(
    `${title}<p>${lines.join("<br>")}</p>${body}${list}${inside.html}`,
    { title: subject, author: from, createdAt: sentAt },
    [...warnings, ...unread],
  );
}

/** Files inside of another one, each a section below its name. */
export async function readSections(
  files: readonly Omit<Attachment, "sizeBytes">[],
  heading: "h1" | "h2",
  most: number,
  read: ReadInside | null,
): Promise<{ html: string; count: number; unread: string[] }> {
  let html = "";
  let count = 0;
  const unread: string[] = [];
  for (const { name, bytes } of files) {
    try {
      if (!read || count >= most || html.length > maxHtmlLength)
        throw new FileFault("unsupported", `${name} cannot be read here`);
      html += `<section><${heading}>${escapeHtml(name)}</${heading}>${await read(name, bytes())}</section>`;
      count += 1;
    } catch (error) {
      // One bad file costs neither the mail nor the other files; a decompression bomb ends the reading.
      if (error instanceof FileFault && error.kind === "limit") throw error;
      unread.push(name);
    }
  }
  return { html, count, unread };
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 ** 2 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}
