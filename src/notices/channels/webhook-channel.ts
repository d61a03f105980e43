// A webhook of the caller: the notice as JSON, signed like the events of jobs. Any 2xx is a delivery.
import { plainStyle, writeBlocks } from "../messages/notice-message.ts";
import { type NoticeChannel, postJson } from "./notice-channel.ts";

const mostCharacters = 100_000;

export const webhookChannel: NoticeChannel<"webhook"> = {
  send({ url, headers }, { id, title, blocks, level, link }) {
    const text = writeBlocks(blocks, plainStyle, mostCharacters);
    return postJson(url, { type: "notice", webhookId: id, level, title, text, link }, headers);
  },
};
