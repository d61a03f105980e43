// Texts inside an archive -> HTML; outside of one the page reader takes them as they are.

import { bodyOf } from "../html/document-html.ts";
import { escapeHtml } from "../html/escape-html.ts";
import type { FileKind } from "../kinds/file-kinds.ts";
import { decodeText } from "../text/decode-text.ts";
import { plainHtml } from "../text/read-markdown.ts";

export function textHtml(kind: FileKind, bytes: Uint8Array): string {
  const text = decodeText(bytes);
  if (kind === "html" || kind === "xhtml") return bodyOf(text);
  if (kind === "txt") return plainHtml(text);
  return `<pre><code class="language-${kind}">${escapeHtml(text)}</code></pre>`;
}
