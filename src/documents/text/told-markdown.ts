// Markdown that a language model wrote of an image -> blocks of HTML. An image has text and nothing else: no address, no
// picture and no markup of the model's own gets into a document.
import { Marked } from "marked";
import { escapeHtml } from "../html/escape-html.ts";

const reader = new Marked({
  gfm: true,
  async: false,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    image: ({ text }) => escapeHtml(text),
    link({ tokens }) {
      return this.parser.parseInline(tokens);
    },
  },
});

/** Each of them one element. */
export function toldBlocks(markdown: string): string[] {
  return reader
    .lexer(markdown)
    .map((token) => reader.parser([token]).trim())
    .map((html) => (html === "" || html.startsWith("<") ? html : `<p>${html}</p>`))
    .filter((html) => html !== "" && !html.startsWith("<hr"));
}
