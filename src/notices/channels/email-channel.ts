// Email, as text and as HTML. Everything from pages is escaped, and nothing is loaded from anywhere.
import { type BlockStyle, escapeMarkup, inOneLine, plainStyle, writeBlocks } from "../messages/notice-message.ts";
import type { NoticeChannel } from "./notice-channel.ts";

const mostCharacters = 100_000;
const mostSubject = 200;

const htmlStyle: BlockStyle = {
  text: (value) => `<p>${escapeMarkup(value).replaceAll("\n", "<br>")}</p>`,
  code: (value) => `<pre>${escapeMarkup(value)}</pre>`,
  gap: "\n",
};

export const emailChannel: NoticeChannel<"email"> = {
  send(_entry, { title, blocks, link }) {
    const foot = link === "" ? [] : [link];
    const text = [writeBlocks(blocks, plainStyle, mostCharacters), ...foot].join("\n\n");
    const html = [
      `<!doctype html><html><body><h1>${escapeMarkup(title)}</h1>`,
      writeBlocks(blocks, htmlStyle, mostCharacters),
      ...foot.map((each) => `<p><a href="${escapeMarkup(each)}" rel="noreferrer">${escapeMarkup(each)}</a></p>`),
      "</body></html>",
    ];
    return { email: { subject: inOneLine(`[Trawl] ${title}`, mostSubject), text, html: html.join("\n") } };
  },
};
