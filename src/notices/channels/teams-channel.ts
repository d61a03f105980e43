// Microsoft Teams: a workflow ("When a Teams webhook request is received") that posts an Adaptive Card.
import { type BlockStyle, escapeMarkdown, type Level, sizeInBytes, writeBlocks } from "../messages/notice-message.ts";
import { answerFields, type NoticeChannel, postJson, reasonOf } from "./notice-channel.ts";

/** Of 28 KB for the whole request. */
const mostBytes = 20_000;
const colors: Record<Level, string> = { info: "default", trouble: "attention", recovered: "good" };

/** It knows no other: escapes of others would be shown. */
const markup = /[\\*_[\]]/g;
const escapeOwn = (text: string) => text.replace(markup, "\\$&");

/** All text of a card is Markdown of a kind, in which only an empty line ends a line. */
function escapeText(value: string): string {
  const linkTo = (url: string) => `[${escapeOwn(url)}](${url.replaceAll("(", "%28").replaceAll(")", "%29")})`;
  return escapeMarkdown(value, markup, linkTo).replaceAll("\n", "\n\n");
}

const style: BlockStyle = { text: escapeText, code: escapeText, gap: "\n\n" };

export const teamsChannel: NoticeChannel<"teams"> = {
  send({ url }, { title, blocks, level, link }) {
    let room = mostBytes;
    const body = blocks.flatMap((block) => {
      const text = room > 0 ? writeBlocks([block], style, room, jsonBytes) : "";
      room -= jsonBytes(text);
      if (text === "") return [];
      return [{ type: "TextBlock", text, wrap: true, ...(block.kind === "code" ? { fontType: "Monospace" } : {}) }];
    });
    const heading = { type: "TextBlock", text: escapeOwn(title), weight: "bolder", size: "medium", wrap: true };
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
