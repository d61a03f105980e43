// Matrix: m.room.message by the client-server API. The id of the message is its transaction, so a repeated attempt adds nothing.
import { type BlockStyle, escapeMarkup, plainStyle, sizeInBytes, writeBlocks } from "../messages/notice-message.ts";
import { answerFields, jsonRequest, type NoticeChannel, reasonOf, underUrl, waitOf } from "./notice-channel.ts";

/** Of 65,536 for the whole event, which holds the text twice. */
const mostBytes = 20_000;

const htmlStyle: BlockStyle = {
  text: (value) => `<p>${escapeMarkup(value).replaceAll("\n", "<br>")}</p>`,
  code: (value) => `<pre><code class="language-diff">${escapeMarkup(value)}</code></pre>`,
  gap: "",
};

export const matrix: NoticeChannel<"matrix"> = {
  send({ url, token, room }, { id, title, blocks, link }) {
    const foot = link === "" ? [] : [link];
    const text = [title, writeBlocks(blocks, plainStyle, mostBytes, sizeInBytes), ...foot];
    const html = [
      `<strong>${escapeMarkup(title)}</strong>`,
      writeBlocks(blocks, htmlStyle, mostBytes, sizeInBytes),
      ...foot.map((each) => `<a href="${escapeMarkup(each)}">${escapeMarkup(each)}</a>`),
    ];
    const body = {
      msgtype: "m.text",
      body: text.join("\n\n"),
      format: "org.matrix.custom.html",
      formatted_body: html.join(""),
    };
    const path = `/_matrix/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.message/${encodeURIComponent(id)}`;
    const request = jsonRequest(underUrl(url, path), body, { authorization: `Bearer ${token}` });
    return { request: { ...request, method: "PUT" } };
  },
  refusalOf({ status, body }) {
    const { event_id: event, errcode, error, retry_after_ms: wait } = answerFields(body);
    if (status < 300 && typeof event === "string") return null;
    return { reason: reasonOf(errcode, error) || "no answer of a homeserver", ...waitOf(wait, 1) };
  },
};
