// ZIP archives -> one section per file. Nested archives are named, not opened; names are shown, never used as paths.

import { decodeBytes } from "../../detection/index.ts";
import { FileFault, type ParsedFile } from "../file/file-reading.ts";
import { bodyOf, escapeHtml, parsedFile } from "../html/document-html.ts";
import type { FileKind } from "../kinds/file-kinds.ts";
import { type ReadInside, readSections } from "../mail/mail-page.ts";
import { archiveLimits, openZip } from "../packages/containers.ts";
import { plainHtml } from "../text/read-markdown.ts";

export function textHtml(kind: FileKind, bytes: Uint8Array): string {
  const text = decodeBytes(bytes).text;
  if (kind === "html" || kind === "xhtml") return bodyOf(text);
  if (kind === "txt") return plainHtml(text);
  return `<pre><code class="language-${kind}">${escapeHtml(text)}</code></pre>`;
}

const maxFiles = 100;
const maxNamed = 10;

export async function readZip(bytes: Uint8Array, read: ReadInside): Promise<ParsedFile> {
  const zip = openZip(bytes, archiveLimits);
  const names = zip.names.filter((name) => !name.endsWith("/") && !/(?:^|\/)(?:__MACOSX\/|\.[^./])/.test(name));
  const files = names.map((name) => ({ name, bytes: () => zip.read(name) ?? Buffer.alloc(0) }));
  const { html, count, unread } = await readSections(files, "h1", maxFiles, read);
  if (count === 0) throw new FileFault("unsupported", `No file of the archive can be read: ${named(unread)}`);
  return parsedFile(html, {}, unread.length > 0 ? [`Files of the archive that were not read: ${named(unread)}`] : []);
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, maxNamed).join(", ");
  return names.length > maxNamed ? `${shown} and ${names.length - maxNamed} more` : shown;
}
