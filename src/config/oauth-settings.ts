// Which apps people may connect, and for how long.
import { splitList } from "../base/index.ts";
import { flag, setting, wholeNumber } from "./setting.ts";

const hosts = {
  takes: "a comma-separated list of hosts such as claude.ai",
  read: (value: string): readonly string[] | undefined => {
    const list = splitList(value.toLowerCase());
    return list.every((host) => /^[a-z\d.-]+(?::\d{1,5})?$/.test(host)) ? list : undefined;
  },
};

export const oauthSettings = {
  oauth: setting(
    "OAUTH",
    flag,
    true,
    "Let people connect apps such as claude.ai to `/mcp` and the API by OAuth (docs/doors.md). It needs keys (TRAWL_AUTH) and " +
      "a PUBLIC_URL with https; without PUBLIC_URL it works on localhost only. 0 ends all access that was given.",
  ),
  oauthRegistration: setting(
    "OAUTH_REGISTRATION",
    flag,
    true,
    "Let apps register themselves. With 0, only apps with a metadata document can be connected.",
  ),
  oauthRegistrationsPerHour: setting(
    "OAUTH_REGISTRATIONS_PER_HOUR",
    wholeNumber(1, 1_000_000),
    20,
    "Apps that one IP address may register in an hour.",
  ),
  oauthClientHosts: setting(
    "OAUTH_CLIENT_HOSTS",
    hosts,
    [],
    "Hosts whose metadata documents are accepted, such as `claude.ai`.",
    "any",
  ),
  oauthAccessMinutes: setting(
    "OAUTH_ACCESS_MINUTES",
    wholeNumber(1, 1440),
    60,
    "Lifetime of an access token, in minutes. Apps renew it by themselves.",
  ),
  oauthRefreshDays: setting(
    "OAUTH_REFRESH_DAYS",
    wholeNumber(1, 365),
    30,
    "Days after its last use for which an app stays connected.",
  ),
};
