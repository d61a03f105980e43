// A monitor in few words, as people and models write it, as the request that creates one.
import type { OperationBody } from "../contract/index.ts";

export interface MonitorWords {
  name?: string | undefined;
  /** Pages to watch, one by one. */
  urls?: readonly string[] | undefined;
  /** Start of a site to watch. */
  crawlUrl?: string | undefined;
  /** Searches to watch for new results. */
  queries?: readonly string[] | undefined;
  searchWindow?: string | undefined;
  maxResults?: number | undefined;
  includeDomains?: readonly string[] | undefined;
  excludeDomains?: readonly string[] | undefined;
  goal?: string | undefined;
  cron?: string | undefined;
  /** In words, such as "daily at 9am". */
  schedule?: string | undefined;
  timezone?: string | undefined;
  emails?: readonly string[] | undefined;
  includeDiffs?: boolean | undefined;
  webhookUrl?: string | undefined;
  webhookEvents?: readonly string[] | undefined;
  retentionDays?: number | undefined;
}

const usualSchedule = "every 30 minutes";

/** What cannot work is refused by the server, which says why. */
export function monitorRequest(words: MonitorWords): OperationBody<"createMonitor"> {
  const { urls = [], crawlUrl, queries = [], goal, emails = [], webhookUrl, retentionDays } = words;
  const { searchWindow, maxResults, includeDomains, excludeDomains } = words;
  const search = { type: "search", queries, searchWindow, maxResults, includeDomains, excludeDomains };
  const targets = [
    ...(urls.length > 0 ? [{ type: "scrape", urls }] : []),
    ...(crawlUrl === undefined ? [] : [{ type: "crawl", url: crawlUrl }]),
    ...(queries.length > 0 ? [search] : []),
  ];
  const email = { enabled: true, recipients: emails, includeDiffs: words.includeDiffs };
  const request = {
    name: words.name ?? `Monitor ${urls[0] ?? crawlUrl ?? queries[0] ?? ""}`.trim(),
    schedule: scheduleOf({
      ...words,
      schedule: words.schedule ?? (words.cron === undefined ? usualSchedule : undefined),
    }),
    targets,
    goal,
    notification: emails.length > 0 ? { email } : undefined,
    webhook: webhookUrl === undefined ? undefined : { url: webhookUrl, events: words.webhookEvents },
    retentionDays,
  };
  // What is undefined does not leave this process.
  return JSON.parse(JSON.stringify(request));
}

/** Undefined when none of its parts is given. */
export function scheduleOf({ cron, schedule: text, timezone }: Pick<MonitorWords, "cron" | "schedule" | "timezone">) {
  return cron === undefined && text === undefined && timezone === undefined ? undefined : { cron, text, timezone };
}
