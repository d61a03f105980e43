// The mail server through which monitors and notices send email, and whom notices about the server itself go to.
import { flag, optional, setting } from "./setting.ts";

const smtpUrl = {
  takes: "a URL that starts with smtp:// or smtps://",
  read: (value: string): string | null | undefined =>
    URL.canParse(value) && /^smtps?:$/.test(new URL(value).protocol) && new URL(value).hostname !== ""
      ? value
      : undefined,
};

export const mailSettings = {
  smtpUrl: setting(
    "SMTP_URL",
    smtpUrl,
    null,
    "Mail server for the email of monitors, such as `smtp://user:password@mail.example.com:587` (STARTTLS if the server " +
      "offers it) or `smtps://…:465`. Without it, no email is sent.",
  ),
  monitorMailConfirm: setting(
    "MONITOR_MAIL_CONFIRM",
    flag,
    true,
    "`1`: an address outside of a monitor's team first gets one email that asks whether it wants more of them, and nothing else " +
      "until it has agreed. `0`: every recipient gets email at once.",
  ),
  noticesTeam: optional(
    "NOTICES_TEAM",
    "Name of the team whose channels (`PUT /v2/team/notify`) are told of faults of this server: disk, store, browser, search, " +
      "certificate of PUBLIC_URL.",
    "the first team of TRAWL_API_KEYS, or `default`",
  ),
  mailFrom: optional("MAIL_FROM", "Sender of the email, such as `Trawl <trawl@example.com>`. Required with SMTP_URL."),
};
