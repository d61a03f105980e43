// The channels by name.
import type { ChannelName } from "../../contract/index.ts";
import { discord } from "./discord.ts";
import { emailChannel } from "./email-channel.ts";
import { gotify } from "./gotify.ts";
import { matrix } from "./matrix.ts";
import type { NoticeChannel } from "./notice-channel.ts";
import { ntfy } from "./ntfy.ts";
import { slack } from "./slack.ts";
import { teamsChannel } from "./teams-channel.ts";
import { telegram } from "./telegram.ts";
import { webhookChannel } from "./webhook-channel.ts";

export const channels: { readonly [Name in ChannelName]: NoticeChannel<Name> } = {
  slack,
  discord,
  teams: teamsChannel,
  telegram,
  ntfy,
  gotify,
  matrix,
  email: emailChannel,
  webhook: webhookChannel,
};
