// Escapes text and values for HTML, and counts the words of HTML.

export function asHtmlText(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
}

export function asHtmlValue(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/"/g, "&quot;");
}

const unseen = /<(?:script|style)\b/iy;
const unseenEnd = /<\/(?:script|style)\s*>/gi;

/** The words of a text that may hold markup: without its tags, comments and scripts. */
export function seenWords(html: string): string {
  let words = "";
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf("<", at);
    words += `${html.slice(at, open < 0 ? html.length : open)} `;
    if (open < 0) break;
    at = behindTag(html, open);
  }
  return words;
}

/** What has no end goes on to the end of the text. */
function behindTag(html: string, open: number): number {
  const behind = (end: number, length: number) => (end < 0 ? html.length : end + length);
  if (html.startsWith("<!--", open)) return behind(html.indexOf("-->", open), 3);
  unseen.lastIndex = open;
  if (!unseen.test(html)) return behind(html.indexOf(">", open), 1);
  unseenEnd.lastIndex = open;
  return unseenEnd.test(html) ? unseenEnd.lastIndex : html.length;
}

/** Everything but whitespace counts. */
export function countLetters(text: string): number {
  return text.replace(/\s+/g, "").length;
}
