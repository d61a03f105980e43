// Mails (eml) and saved web pages (mhtml), which are mails by their form.

import { isUtf8 } from "node:buffer";
import PostalMime, { type Address, type Attachment as MimePart } from "postal-mime";
import { decodeBytes } from "../../detection/index.ts";
import { FileFault, type ParsedFile } from "../file/file-reading.ts";
import { bodyOf, parsedFile } from "../html/document-html.ts";
import { type Mail, type MailPart, mailPage, type ReadInside, withInlinePictures } from "./mail-page.ts";

const limits = { maxNestingDepth: 32, maxHeadersSize: 1024 * 1024 };

export async function readEml(bytes: Uint8Array, read: ReadInside | null): Promise<ParsedFile> {
  const mail = await parse(bytes);
  const from = addresses(mail.from ? [mail.from] : []);
  const attachments = mail.attachments
    .filter(({ disposition, related }) => disposition === "attachment" || !related)
    .map((part) => {
      const bytes = bytesOf(part);
      return { name: part.filename ?? part.mimeType, sizeBytes: bytes.byteLength, bytes: () => bytes };
    });
  const { html, warnings } = withInlinePictures(mail.html ?? "", partsOf(mail));
  const shown: Mail = {
    subject: mail.subject ?? "",
    from,
    sentAt: mail.date,
    head: [
      ["From", from],
      ["To", addresses(mail.to)],
      ["Cc", addresses(mail.cc)],
      ["Date", mail.date ?? ""],
    ],
    html,
    text: mail.text ?? "",
    attachments,
  };
  return mailPage(shown, read, warnings);
}

function bytesOf({ content }: MimePart): Uint8Array {
  return typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);
}

function partsOf({ attachments }: { attachments: MimePart[] }): MailPart[] {
  return attachments.map((part) => ({
    contentId: part.contentId,
    mimeType: part.mimeType,
    bytes: () => bytesOf(part),
  }));
}

export async function readMhtml(bytes: Uint8Array): Promise<ParsedFile> {
  const page = await parse(bytes);
  const { html, warnings } = withInlinePictures(page.html ?? "", partsOf(page));
  if (html === "") throw new FileFault("broken", "The saved page has no HTML");
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1]?.trim() ?? page.subject;
  return parsedFile(bodyOf(html), { title, createdAt: page.date }, warnings);
}

/** Letters beyond ASCII in a mail that declares no encoding at all, as UTF-8, which is what the parser takes them for. */
function withDeclaredLetters(bytes: Uint8Array): Uint8Array {
  if (
    isUtf8(bytes) ||
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      .toString("latin1")
      .search(/charset/i) >= 0
  )
    return bytes;
  return Buffer.from(decodeBytes(bytes).text);
}

async function parse(bytes: Uint8Array) {
  const mail = await PostalMime.parse(withDeclaredLetters(bytes), limits).catch((error: unknown) => {
    throw new FileFault("broken", `The email cannot be read: ${error instanceof Error ? error.message : error}`);
  });
  if (mail.headers.length === 0) throw new FileFault("broken", "The email has no headers");
  return mail;
}

function addresses(list: readonly Address[] = []): string {
  return list
    .flatMap((each) => (each.group ? each.group : [each]))
    .map(({ name, address }) => (name && address ? `${name} <${address}>` : name || address || ""))
    .join(", ");
}
