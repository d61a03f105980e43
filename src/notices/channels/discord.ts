// Discord's webhooks: one embed, and it mentions no one, whatever a page says.
import { type BlockStyle, escapeMarkdown, inOneLine, type Level, writeBlocks } from "../messages/notice-message.ts";
import { answerFields, type NoticeChannel, postJson, reasonOf, waitOf } from "./notice-channel.ts";

const mostTitle = 256;
const mostDescription = 4096;
const colors: Record<Level, number> = { info: 0x2b6cb0, trouble: 0xc53030, recovered: 0x2f855a };

const style: BlockStyle = {
  text: (value) => escapeMarkdown(value, /[\\*_~`|<>#[\]]/g),
  code: (value) => `\`\`\`diff\n${value.replaceAll("```", "'''")}\n\`\`\``,
  gap: "\n\n",
};

export const discord: NoticeChannel<"discord"> = {
  send({ url }, { title, blocks, level, link }) {
    const embed = {
      title: inOneLine(title, mostTitle),
      description: writeBlocks(blocks, style, mostDescription),
      color: colors[level],
      ...(link === "" ? {} : { url: link }),
    };
    return postJson(url, { embeds: [embed], allowed_mentions: { parse: [] } });
  },
  refusalOf({ status, body }) {
    if (status < 300) return null;
    const { message, code, retry_after: wait } = answerFields(body);
    return { reason: reasonOf(code, message), ...waitOf(wait, 1000) };
  },
};
