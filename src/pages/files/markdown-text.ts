// What markdown says, without its markup.

export function withoutMarkup(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]\n]*)\]\([^\s)]*(?:\s"[^"\n]*")?\)/g, "$1")
    .replace(/^\s*(?:#{1,6}|>|[-*+]|\d+\.)\s+/gm, "")
    .replace(/[*_`|\\]+/g, " ");
}

const mostHeadings = 200;

/** The headings that begin with `#`; what stands between fences is code. */
export function headingsOf(markdown: string): string[] {
  const headings: string[] = [];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (/^\s{0,3}(?:```|~~~)/.test(line)) isCode = !isCode;
    const [, heading] = isCode ? [] : (/^\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$/.exec(line) ?? []);
    if (heading !== undefined && headings.length < mostHeadings) headings.push(withoutMarkup(heading).trim());
  }
  return headings;
}

/** Fields between two lines of `---` at the start, as many tools write them; only single lines are read. */
export function readFrontMatter(markdown: string): { fields: ReadonlyMap<string, string>; body: string } {
  const [whole, block] = /^\ufeff?---\r?\n([\s\S]{0,20000}?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(markdown) ?? [];
  if (whole === undefined || block === undefined) return { fields: new Map(), body: markdown };
  const fields = new Map<string, string>();
  for (const line of block.split(/\r?\n/)) {
    const [, name, value] = /^([A-Za-z][\w-]*):\s*(.+?)\s*$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined)
      fields.set(name.toLowerCase(), value.replace(/^(["'])(.*)\1$/, "$2"));
  }
  return { fields, body: markdown.slice(whole.length) };
}
