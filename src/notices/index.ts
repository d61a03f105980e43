export { channels } from "./channels/channel-table.ts";
export type { ChannelAnswer, ChannelRequest, ChannelSending } from "./channels/notice-channel.ts";
export { composeMessage } from "./messages/compose.ts";
export type { Message, Notice } from "./messages/notice-message.ts";
