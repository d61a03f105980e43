// Keys, credits and rate limits of teams.
import { oneOf, optional, setting, teamKeys, wholeNumber } from "./setting.ts";

const perMinute = wholeNumber(0, 10_000_000);

export const accountSettings = {
  auth: setting(
    "TRAWL_AUTH",
    oneOf(["keys", "none"]),
    "keys",
    "Who may call the API. `keys`: every request needs an API key. `none`: any request is accepted, except from web pages " +
      "of other origins. Use `none` only on a single machine.",
  ),
  apiKeys: setting(
    "TRAWL_API_KEYS",
    teamKeys,
    [],
    "Teams and keys to create at startup if they do not exist: a comma-separated list of `team:key[:requestsPerMinute]`. " +
      "requestsPerMinute applies to each group of endpoints (50 times as many for status calls); 0 means no limit.",
  ),
  webhookSecret: optional(
    "WEBHOOK_SECRET",
    "Secret that signs webhooks: the HMAC-SHA256 of the body is sent in X-Webhook-Signature and X-Firecrawl-Signature. " +
      "Without it, webhooks are not signed.",
  ),
  auditDays: setting(
    "AUDIT_DAYS",
    wholeNumber(0, 36_500),
    365,
    "Days that rows of the audit log are kept. 0 keeps them for ever.",
  ),
  creditsPerMonth: setting(
    "CREDITS_PER_MONTH",
    wholeNumber(0, 1_000_000_000),
    0,
    "Credits that each team may use per calendar month (UTC). 0 means unlimited.",
  ),
  teamConcurrency: setting(
    "TEAM_CONCURRENCY",
    wholeNumber(1, 10_000),
    50,
    "Pages that one team may have in progress at the same time. Further pages wait.",
  ),
  rateLimitScrape: setting(
    "RATE_LIMIT_SCRAPE",
    perMinute,
    500,
    "Requests per team and minute to scrape, parse, map and search. 0 means no limit.",
  ),
  rateLimitJob: setting(
    "RATE_LIMIT_JOB",
    perMinute,
    100,
    "Requests per team and minute that start crawls, batches, extracts, agents and monitors. 0 means no limit.",
  ),
  rateLimitStatus: setting(
    "RATE_LIMIT_STATUS",
    perMinute,
    25_000,
    "Requests per team and minute for status, lists, cancellation and usage. 0 means no limit.",
  ),
  rateLimitBrowser: setting(
    "RATE_LIMIT_BROWSER",
    perMinute,
    100,
    "Requests per team and minute that create browser sessions. 0 means no limit.",
  ),
  rateLimitExecute: setting(
    "RATE_LIMIT_EXECUTE",
    perMinute,
    500,
    "Requests per team and minute that run code in browser sessions. 0 means no limit.",
  ),
};
