// Telegram's Bot API: sendMessage with HTML, answered by {ok: true} or {ok: false, description}.
import { type BlockStyle, escapeHtml, writeBlocks } from "../messages/message.ts";
import { below, type Channel, fieldsOf, postJson, reasonOf, waitOf } from "./channel.ts";

const mostCharacters = 4096;

const style: BlockStyle = { text: escapeHtml, code: (value) => `<pre>${escapeHtml(value)}</pre>`, gap: "\n\n" };

export const telegram: Channel<"telegram"> = {
  send({ url, token, chatId, threadId }, { title, blocks, link }) {
    const head = `<b>${escapeHtml(title)}</b>\n`;
    const foot = link === "" ? "" : `\n${escapeHtml(link)}`;
    const text = head + writeBlocks(blocks, style, mostCharacters - head.length - foot.length) + foot;
    const place = { chat_id: chatId, ...(threadId === undefined ? {} : { message_thread_id: threadId }) };
    const how = { parse_mode: "HTML", link_preview_options: { is_disabled: true } };
    return postJson(below(url, `/bot${token}/sendMessage`), { ...place, text, ...how });
  },
  refusalOf({ body }) {
    const { ok, error_code: code, description, parameters } = fieldsOf(body);
    if (ok === true) return null;
    const { retry_after: wait } = (parameters ?? {}) as Record<string, unknown>;
    return { reason: reasonOf(code, description) || "no answer of the Bot API", ...waitOf(wait, 1000) };
  },
};
