// Titles and snippets of services as plain text: without highlighting, with character references decoded once.

/** Only tags that highlight or break lines: "How to use <template>" is a title about a tag. */
const highlighting = /<\/?(?:a|b|br|em|font|i|mark|p|small|span|strong|sub|sup|u|wbr)(?:\s[^<>]{0,500})?\/?>/gi;

/** The parser is loaded with the first search: an idle server does without it. */
export async function loadPlainText(): Promise<(text: string) => string> {
  const { Parser } = await import("htmlparser2");
  return (text) => {
    let plain = text.replace(highlighting, (tag) => (/^<(?:br|p)\b/i.test(tag) ? " " : ""));
    if (plain.includes("&")) {
      const pieces: string[] = [];
      new Parser({ ontext: (piece) => pieces.push(piece) }).end(plain.replaceAll("<", "&lt;"));
      plain = pieces.join("");
    }
    return plain.replace(/\s+/g, " ").trim();
  };
}
