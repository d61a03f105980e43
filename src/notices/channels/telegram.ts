// Telegram's Bot API: sendMessage with HTML, answered by {ok: true} or {ok: false, description}.
import { type BlockStyle, escapeMarkup, writeBlocks } from "../messages/notice-message.ts";
import { answerFields, type NoticeChannel, postJson, reasonOf, underUrl, waitOf } from "./notice-channel.ts";

const mostCharacters = 4096;

const style: BlockStyle = { text: escapeMarkup, code: (value) => `<pre>${escapeMarkup(value)}</pre>`, gap: "\n\n" };

export const telegram: NoticeChannel<"telegram"> = {
  send({ url, token, chatId, threadId }, { title, blocks, link }) {
    const head = `<b>${escapeMarkup(title)}</b>\n`;
    const foot = link === "" ? "" : `\n${escapeMarkup(link)}`;
    const text = head + writeBlocks(blocks, style, mostCharacters - head.length - foot.length) + foot;
    const place = { chat_id: chatId, ...(threadId === undefined ? {} : { message_thread_id: threadId }) };
    const how = { parse_mode: "HTML", link_preview_options: { is_disabled: true } };
    return postJson(underUrl(url, `/bot${token}/sendMessage`), { ...place, text, ...how });
  },
  refusalOf({ body }) {
    const { ok, error_code: code, description, parameters } = answerFields(body);
    if (ok === true) return null;
    const { retry_after: wait } = (parameters ?? {}) as Record<string, unknown>;
    return { reason: reasonOf(code, description) || "no answer of the Bot API", ...waitOf(wait, 1000) };
  },
};
