// ZIP archives -> one section per file. Nested archives are named, not opened; names are shown, never used as paths.

import { FileFault, type ParsedFile } from "../file/file-reading.ts";
import { bodyOf, escapeHtml, parsedFile } from "../html/document-html.ts";
import type { FileKind } from "../kinds/file-kinds.ts";
import type { ReadInside } from "../mail/mail-page.ts";
import { archiveLimits, openZip } from "../packages/containers.ts";
import { decodeText } from "../text/decode-text.ts";
import { plainHtml } from "../text/read-markdown.ts";

export function textHtml(kind: FileKind, bytes: Uint8Array): string {
  const text = decodeText(bytes);
  if (kind === "html" || kind === "xhtml") return bodyOf(text);
  if (kind === "txt") return plainHtml(text);
  return `<pre><code class="language-${kind}">${escapeHtml(text)}</code></pre>`;
}

const maxFiles = 100;
const maxHtmlLength = 16 * 1024 * 1024;
const maxNamed = 10;

export async function readZip(bytes: Uint8Array, read: ReadInside): Promise<ParsedFile> {
  const zip = openZip(bytes, archiveLimits);
  const names = zip.names.filter((name) => !name.endsWith("/") && !/(?:^|\/)(?:__MACOSX\/|\.[^./])/.test(name));
  const unread: string[] = [];
  let body = "";
  let count = 0;
  for (const name of names) {
    if (count >= maxFiles || body.length > maxHtmlLength) {
      unread.push(name);
      continue;
    }
    try {
      const data = zip.read(name);
      body += `<section><h1>${escapeHtml(name)}</h1>${data ? await read(name, data) : ""}</section>`;
      count += 1;
    } catch (error) {
      // One bad file does not cost the others; a bomb does.
      if (error instanceof FileFault && error.kind === "limit") throw error;
      unread.push(name);
    }
  }
  if (count === 0) throw new FileFault("unsupported", `No file of the archive can be read: ${named(unread)}`);
  return parsedFile(body, {}, unread.length > 0 ? [`Files of the archive that were not read: ${named(unread)}`] : []);
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, maxNamed).join(", ");
  return names.length > maxNamed ? `${shown} and ${names.length - maxNamed} more` : shown;
}
