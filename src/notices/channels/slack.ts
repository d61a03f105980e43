// Slack's incoming webhooks, which Mattermost takes, too: text in mrkdwn, answered by "ok".
import { type BlockStyle, writeBlocks } from "../messages/notice-message.ts";
import { type NoticeChannel, postJson } from "./notice-channel.ts";

/** Slack shows longer messages in parts. */
const mostCharacters = 4000;

/** The only three that Slack reads as more than text. */
const escapeText = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

const style: BlockStyle = {
  text: escapeText,
  code: (value) => `\`\`\`\n${escapeText(value).replaceAll("```", "'''")}\n\`\`\``,
  gap: "\n\n",
};

export const slack: NoticeChannel<"slack"> = {
  send({ url }, { title, blocks, link }) {
    const head = `*${escapeText(title).replaceAll("*", "∗")}*\n`;
    const foot = link === "" ? "" : `\n<${escapeText(link)}>`;
    const text = writeBlocks(blocks, style, mostCharacters - head.length - foot.length);
    return postJson(url, { text: head + text + foot, unfurl_links: false, unfurl_media: false });
  },
  refusalOf: ({ body }) => (body.trim() === "ok" ? null : { reason: body.trim() || "an empty answer" }),
};
