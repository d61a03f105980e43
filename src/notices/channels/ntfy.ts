// ntfy: a message as JSON to the root of the server.
import { inOneLine, type Level, plainStyle, sizeInBytes, writeBlocks } from "../messages/notice-message.ts";
import { answerFields, type NoticeChannel, postJson, reasonOf } from "./notice-channel.ts";

/** Longer ones become a file. */
const mostBytes = 4096;
const mostTitle = 250;
const tags: Record<Level, string[]> = { info: [], trouble: ["warning"], recovered: ["white_check_mark"] };

export const ntfy: NoticeChannel<"ntfy"> = {
  send({ url, topic, token, priority }, { title, blocks, level, link }) {
    const message = {
      topic,
      title: inOneLine(title, mostTitle),
      message: writeBlocks(blocks, plainStyle, mostBytes, sizeInBytes),
      tags: tags[level],
      ...(priority === undefined ? {} : { priority }),
      ...(link === "" ? {} : { click: link }),
    };
    return postJson(url, message, token === undefined ? {} : { authorization: `Bearer ${token}` });
  },
  refusalOf({ status, body }) {
    const { id, error, code } = answerFields(body);
    if (status < 300 && typeof id === "string") return null;
    return { reason: reasonOf(code, error) || "no answer of ntfy" };
  },
};
