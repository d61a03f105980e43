// Keys, credits and rate limits of teams.
import { oneOf, setting, teamKeys, text, wholeNumber } from "../base/index.ts";

const perMinute = wholeNumber(0, 10_000_000);

export const accountSettings = {
  auth: setting(
    "TRAWL_AUTH",
    oneOf(["keys", "none"]),
    "keys",
    "`keys`: every request needs an API key. `none`: open mode for a single machine; requests from web pages of other origins are refused.",
  ),
  apiKeys: setting(
    "TRAWL_API_KEYS",
    teamKeys,
    [],
    "Teams and keys to create at startup if they do not exist, as a comma-separated list of `team:key[:requestsPerMinute]`. " +
      "requestsPerMinute applies to each group of endpoints (status calls get 50 times as many); 0 means no limit.",
    "none",
  ),
  webhookSecret: setting(
    "WEBHOOK_SECRET",
    text,
    null,
    "Secret for signing webhooks: HMAC-SHA256 of the body in X-Webhook-Signature and X-Firecrawl-Signature. " +
      "Webhooks are not signed without it.",
  ),
  creditsPerMonth: setting(
    "CREDITS_PER_MONTH",
    wholeNumber(0, 1_000_000_000),
    0,
    "Credits that a team may use per calendar month (UTC). 0 means unlimited.",
  ),
  teamConcurrency: setting(
    "TEAM_CONCURRENCY",
    wholeNumber(1, 10_000),
    50,
    "Pages that a team may have in progress at the same time.",
  ),
  rateLimitScrape: setting(
    "RATE_LIMIT_SCRAPE",
    perMinute,
    500,
    "Requests per team and minute for scrape, parse, map and search. 0 means no limit.",
  ),
  rateLimitJob: setting(
    "RATE_LIMIT_JOB",
    perMinute,
    100,
    "Requests per team and minute for starting crawls, batches, extracts, agents and monitors. 0 means no limit.",
  ),
  rateLimitStatus: setting(
    "RATE_LIMIT_STATUS",
    perMinute,
    25_000,
    "Requests per team and minute for status, list, cancel and usage calls. 0 means no limit.",
  ),
  rateLimitBrowser: setting(
    "RATE_LIMIT_BROWSER",
    perMinute,
    100,
    "Requests per team and minute for creating browser sessions. 0 means no limit.",
  ),
  rateLimitExecute: setting(
    "RATE_LIMIT_EXECUTE",
    perMinute,
    500,
    "Requests per team and minute for running code in browser sessions. 0 means no limit.",
  ),
};
