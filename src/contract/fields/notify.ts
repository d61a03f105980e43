// Where notices go: one entry a channel. This table says what each channel needs and which of it is secret; `src/notices` makes its
// requests from that.
import * as z from "zod";
import { emailAddress, headersField, timeZoneField, urlField, uuidField } from "./common-fields.ts";

const word = (description: string) =>
  z
    .string()
    .min(1)
    .max(512)
    .regex(/^[\x21-\x7e]+$/, "Must be ASCII text without spaces")
    .describe(description);
const priority = (most: number, description: string) => z.int().min(1).max(most).optional().describe(description);

/** What each channel is set with. `secrets` are sealed where they are kept, and masked in answers. */
export const notifyChannels = {
  slack: { fields: { url: urlField("URL of an incoming webhook") }, secrets: ["url"] },
  discord: { fields: { url: urlField("URL of a webhook of the channel") }, secrets: ["url"] },
  teams: { fields: { url: urlField("URL of a workflow that takes webhook requests") }, secrets: ["url"] },
  telegram: {
    fields: {
      token: word("Token of the bot"),
      chatId: word("ID of the chat, or @name of the channel"),
      threadId: z.int().min(1).optional().describe("ID of the topic of a forum"),
      url: urlField("URL of the Bot API").default("https://api.telegram.org"),
    },
    secrets: ["token"],
  },
  ntfy: {
    fields: {
      topic: word("Topic; on a public server it is a secret").regex(
        /^(?:[-_A-Za-z0-9]{1,64}|\*\*\*)$/,
        "Must be letters, digits, - or _",
      ),
      token: word("Access token").optional(),
      priority: priority(5, "1 (lowest) to 5 (urgent)"),
      url: urlField("URL of the server").default("https://ntfy.sh"),
    },
    secrets: ["topic", "token"],
  },
  gotify: {
    fields: {
      url: urlField("URL of the server"),
      token: word("Token of the application"),
      priority: priority(10, "1 to 10"),
    },
    secrets: ["token"],
  },
  matrix: {
    fields: {
      url: urlField("URL of the homeserver"),
      token: word("Access token of the account that writes"),
      room: word("ID of the room, such as !abc:example.org"),
    },
    secrets: ["token"],
  },
  email: {
    fields: {
      to: z
        .array(emailAddress)
        .max(25)
        .default([])
        .describe("Email addresses; without any, the members of the team who have one"),
    },
    secrets: [],
  },
  webhook: {
    fields: {
      url: urlField("URL that receives the notices"),
      headers: headersField("HTTP headers to send with each notice").default({}),
    },
    secrets: ["headers"],
  },
} as const satisfies Record<string, { fields: z.ZodRawShape; secrets: readonly string[] }>;

type Channels = typeof notifyChannels;
export type ChannelName = keyof Channels;

export const noticeEvents = ["change", "failure", "health"] as const;
export type NoticeEvent = (typeof noticeEvents)[number];

/** What a template may hold, in double braces. */
export const templateWords = ["title", "text", "change", "name", "url", "status", "error", "time", "link"] as const;
export type TemplateWord = (typeof templateWords)[number];

const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "Must be a time of day such as 22:00");

const commonFields = {
  id: uuidField("Id of an existing entry: secrets that are sent masked keep their values").optional(),
  events: z
    .array(z.enum(noticeEvents))
    .min(1)
    .max(noticeEvents.length)
    .optional()
    .describe(
      "change: pages changed; failure: a monitor, crawl or batch failed; health: the server has a fault. All unless given",
    ),
  failures: z.int().min(1).max(100).default(3).describe("Failed checks of a monitor in a row before it is told"),
  template: z
    .string()
    .min(1)
    .max(4000)
    .superRefine((text, context) => {
      for (const [, name = ""] of text.matchAll(/\{\{\s*(.*?)\s*\}\}/g)) {
        if (templateWords.some((known) => known === name)) continue;
        const message = `Unknown placeholder {{${name}}}: known are ${templateWords.join(", ")}`;
        context.addIssue({ code: "custom", message });
      }
    })
    .optional()
    .describe("Text of a notice, with placeholders such as {{title}} and {{change}}"),
  digest: z
    .enum(["hourly", "daily"])
    .optional()
    .describe("Collect notices and send them at the full hour, or daily at 8:00"),
  quietHours: z
    .strictObject({
      from: timeOfDay.describe("When they begin"),
      to: timeOfDay.describe("When they end"),
      timeZone: timeZoneField(),
    })
    .refine(({ from, to }) => from !== to, { message: "from and to must differ", path: ["to"] })
    .optional()
    .describe("Notices are held in these hours and sent together at their end, in this time zone"),
};

type EntryOf<Name extends ChannelName> = { channel: Name } & z.output<z.ZodObject<Channels[Name]["fields"]>> &
  z.output<z.ZodObject<typeof commonFields>>;

/** As a caller sets it. */
export type NotifyEntry = { [Name in ChannelName]: EntryOf<Name> }[ChannelName];
export type EntryFor<Name extends ChannelName> = EntryOf<Name>;

const forms = Object.entries(notifyChannels).map(([channel, { fields }]) =>
  z.strictObject({ channel: z.literal(channel), ...fields, ...commonFields }),
) as unknown as [z.ZodObject<{ channel: z.ZodLiteral }>];

const entry = z
  .discriminatedUnion("channel", forms)
  .meta({ id: "NotifyEntry", description: "A channel and what it is told" }) as unknown as z.ZodType<
  NotifyEntry,
  Partial<NotifyEntry> & Pick<NotifyEntry, "channel">
>;

export const notifyField = z.array(entry).max(20);

export const shownNotify = z
  .array(z.looseObject({ id: z.string(), channel: z.string() }))
  .describe("Each entry as it was set, with secrets masked");
