// Email, as text and as HTML. Everything from pages is escaped, and nothing is loaded from anywhere.
import { type BlockStyle, escapeHtml, inOneLine, plainStyle, writeBlocks } from "../messages/message.ts";
import type { Channel } from "./channel.ts";

const mostCharacters = 100_000;
const mostSubject = 200;

const htmlStyle: BlockStyle = {
  text: (value) => `<p>${escapeHtml(value).replaceAll("\n", "<br>")}</p>`,
  code: (value) => `<pre>${escapeHtml(value)}</pre>`,
  gap: "\n",
};

export const emailChannel: Channel<"email"> = {
  send(_entry, { title, blocks, link }) {
    const foot = link === "" ? [] : [link];
    const text = [writeBlocks(blocks, plainStyle, mostCharacters), ...foot].join("\n\n");
    const html = [
      `<!doctype html><html><body><h1>${escapeHtml(title)}</h1>`,
      writeBlocks(blocks, htmlStyle, mostCharacters),
      ...foot.map((each) => `<p><a href="${escapeHtml(each)}" rel="noreferrer">${escapeHtml(each)}</a></p>`),
      "</body></html>",
    ];
    return { email: { subject: inOneLine(`[Trawl] ${title}`, mostSubject), text, html: html.join("\n") } };
  },
};
