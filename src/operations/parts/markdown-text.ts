// What markdown says, without its markup. Texts come from anywhere, so every pattern takes time in proportion to their length.

/** A link or an image; neither its text nor its URL holds a bracket, so that no attempt reads past the next one. */
const link = /!?\[([^[\]\n]*)\]\([^\s)[\]]*(?:[ \t]"[^"\n[\]]*")?\)/g;
/** Of a heading, a quote or an item of a list. */
const mark = /^[ \t]*(?:#{1,6}|>|[-*+]|\d{1,9}\.)[ \t]+/gm;

export function withoutMarkup(markdown: string): string {
  return (
    markdown
      .replace(link, "$1")
      // An image may be the text of a link.
      .replace(link, "$1")
      .replace(mark, "")
      .replace(/[*_`|\\]+/g, " ")
  );
}

const mostHeadings = 200;
const longestHeading = 1000;

/** The headings that begin with `#`; lines between fences are code. */
export function headingsOf(markdown: string): string[] {
  const headings: string[] = [];
  let isCode = false;
  for (const line of markdown.split("\n")) {
    if (/^\s{0,3}(?:```|~~~)/.test(line)) isCode = !isCode;
    const [sign] = isCode ? [] : (/^\s{0,3}#{1,6}[ \t]/.exec(line) ?? []);
    if (sign === undefined || headings.length >= mostHeadings) continue;
    const heading = line
      .slice(sign.length, longestHeading)
      .trim()
      .replace(/ #{1,6}$/, "");
    if (heading !== "") headings.push(withoutMarkup(heading).trim());
  }
  return headings;
}

/** Fields between two lines of `---` at the start, as many tools write them; only single lines are read. */
export function readFrontMatter(markdown: string): { fields: ReadonlyMap<string, string>; body: string } {
  const [whole, block] = /^\ufeff?---\r?\n([\s\S]{0,20000}?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(markdown) ?? [];
  if (whole === undefined || block === undefined) return { fields: new Map(), body: markdown };
  const fields = new Map<string, string>();
  for (const line of block.split(/\r?\n/)) {
    const [, name, text = ""] = /^([A-Za-z][\w-]*):(.*)$/.exec(line) ?? [];
    const value = text.trim().replace(/^(["'])(.*)\1$/, "$2");
    if (name !== undefined && value !== "") fields.set(name.toLowerCase(), value);
  }
  return { fields, body: markdown.slice(whole.length) };
}
