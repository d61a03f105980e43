// Gotify: POST /message with the token of an application.
import { type BlockStyle, escapeMarkdown, type Level, writeBlocks } from "../messages/notice-message.ts";
import { answerFields, type NoticeChannel, postJson, reasonOf, underUrl } from "./notice-channel.ts";

/** Gotify has no limit; its apps show a list. */
const mostCharacters = 16_000;
const priorities: Record<Level, number> = { info: 4, trouble: 8, recovered: 4 };

const style: BlockStyle = {
  // Two spaces keep the end of a line.
  text: (value) => escapeMarkdown(value, /[\\*_~`|<>#[\]]/g).replaceAll("\n", "  \n"),
  code: (value) => `\`\`\`diff\n${value.replaceAll("```", "'''")}\n\`\`\``,
  gap: "\n\n",
};

export const gotify: NoticeChannel<"gotify"> = {
  send({ url, token, priority }, { title, blocks, level, link }) {
    const extras = {
      "client::display": { contentType: "text/markdown" },
      ...(link === "" ? {} : { "client::notification": { click: { url: link } } }),
    };
    const message = writeBlocks(blocks, style, mostCharacters);
    const body = { title, message, priority: priority ?? priorities[level], extras };
    return postJson(underUrl(url, "/message"), body, { "x-gotify-key": token });
  },
  refusalOf({ status, body }) {
    const { id, error, errorDescription } = answerFields(body);
    if (status < 300 && typeof id === "number") return null;
    return { reason: reasonOf(error, errorDescription) || "no answer of Gotify" };
  },
};
