// Microsoft Teams: a workflow ("When a Teams webhook request is received") that posts an Adaptive Card.
import { type BlockStyle, type Level, plainStyle, sizeInBytes, writeBlocks } from "../messages/notice-message.ts";
import { answerFields, type NoticeChannel, postJson, reasonOf } from "./notice-channel.ts";

/** Of 28 KB for the whole request. */
const mostBytes = 20_000;
const colors: Record<Level, string> = { info: "default", trouble: "attention", recovered: "good" };

/** Text of a card is Markdown in part; what a page says is not. */
const style: BlockStyle = { ...plainStyle, text: (value) => value.replace(/[\\*_[\]#`>]/g, "\\$&") };

export const teamsChannel: NoticeChannel<"teams"> = {
  send({ url }, { title, blocks, level, link }) {
    let room = mostBytes;
    const body = blocks.flatMap((block) => {
      const text = room > 0 ? writeBlocks([block], style, room, jsonBytes) : "";
      room -= jsonBytes(text);
      if (text === "") return [];
      return [{ type: "TextBlock", text, wrap: true, ...(block.kind === "code" ? { fontType: "Monospace" } : {}) }];
    });
    const heading = { type: "TextBlock", text: style.text(title), weight: "bolder", size: "medium", wrap: true };
    const card = {
      $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
      type: "AdaptiveCard",
      version: "1.4",
      body: [{ ...heading, color: colors[level] }, ...body],
      ...(link === "" ? {} : { actions: [{ type: "Action.OpenUrl", title: "Open", url: link }] }),
    };
    const attachment = { contentType: "application/vnd.microsoft.card.adaptive", contentUrl: null, content: card };
    return postJson(url, { type: "message", attachments: [attachment] });
  },
  refusalOf({ status, body }) {
    if (status < 300) return null;
    const { error } = answerFields(body);
    const { code, message } = typeof error === "object" && error !== null ? (error as Record<string, unknown>) : {};
    return { reason: reasonOf(code, message) };
  },
};

/** As it is in the request, where a line break takes two. */
function jsonBytes(text: string): number {
  return sizeInBytes(JSON.stringify(text));
}
