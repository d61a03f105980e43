// Mails (eml) and saved web pages (mhtml), which are mails by their form.
import PostalMime, { type Address } from "postal-mime";
import { FileFault } from "../file-fault.ts";
import { bodyOf, parsedFile } from "../html/page.ts";
import type { ParsedFile } from "../parsed-file.ts";
import { type Mail, mailPage, type ReadInside } from "./mail-page.ts";

const limits = { maxNestingDepth: 32, maxHeadersSize: 1024 * 1024 };

export async function readEml(bytes: Uint8Array, read: ReadInside | null): Promise<ParsedFile> {
  const mail = await parse(bytes);
  const from = addresses(mail.from ? [mail.from] : []);
  const attachments = mail.attachments
    .filter(({ disposition, related }) => disposition === "attachment" || !related)
    .map(({ filename, mimeType, content }) => {
      const bytes = typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);
      return { name: filename ?? mimeType, sizeBytes: bytes.byteLength, bytes: () => bytes };
    });
  const told: Mail = {
    subject: mail.subject ?? "",
    from,
    sentAt: mail.date,
    head: [
      ["From", from],
      ["To", addresses(mail.to)],
      ["Cc", addresses(mail.cc)],
      ["Date", mail.date ?? ""],
    ],
    html: mail.html ?? "",
    text: mail.text ?? "",
    attachments,
  };
  return mailPage(told, read);
}

export async function readMhtml(bytes: Uint8Array): Promise<ParsedFile> {
  const page = await parse(bytes);
  const html = page.html ?? "";
  if (html === "") throw new FileFault("broken", "The saved page has no HTML");
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(html)?.[1]?.trim() ?? page.subject;
  return parsedFile(bodyOf(html), { ...(title ? { title } : {}), ...(page.date ? { createdAt: page.date } : {}) });
}

async function parse(bytes: Uint8Array) {
  const mail = await PostalMime.parse(bytes, limits).catch((error: unknown) => {
    throw new FileFault("broken", `The mail cannot be read: ${error instanceof Error ? error.message : error}`);
  });
  if (mail.headers.length === 0) throw new FileFault("broken", "The mail has no head");
  return mail;
}

function addresses(list: readonly Address[] = []): string {
  return list
    .flatMap((each) => (each.group ? each.group : [each]))
    .map(({ name, address }) => (name && address ? `${name} <${address}>` : name || address || ""))
    .join(", ");
}
