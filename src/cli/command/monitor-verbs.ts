// The verbs of `trawl monitor`: rows of the table of verbs.
import type { Verb } from "./verb.ts";

// Loaded when one of them is chosen, so that other verbs cost nothing.
const late = () => import("../verbs/monitors.ts");

const sets = ["server", "team", "json"] as const;
const whenFlags = [
  ["--name <name>", "name of the monitor"],
  ["--cron <expression>", 'when, as five fields of cron: "0 9 * * *"'],
  ["--schedule <text>", 'when, in words: "every 30 minutes", "daily at 9am", "weekdays at 18:00"'],
  ["--timezone <name>", "IANA name of the time zone of the schedule"],
  ["--goal <text>", "which changes matter, in plain language"],
  ["--retention-days <number>", "days for which checks are kept"],
] as const;
const pageFlags = [
  ["--limit <number>", "maximum number of rows"],
  ["--offset <number>", "rows to skip"],
] as const;

export const monitorVerbs: readonly Verb[] = [
  {
    name: "monitor create",
    words: "[file]",
    summary: "watch pages, a site or searches on a schedule; FILE holds the whole request as JSON, - reads it",
    examples: [
      'trawl monitor create --page https://example.com/pricing --schedule "daily at 9am"',
      "trawl monitor create monitor.json",
    ],
    sets,
    flags: [
      ...whenFlags,
      ["--page <url>", "page to watch"],
      ["--scrape-urls <urls...>", "several pages to watch"],
      ["--crawl-url <url>", "site to watch"],
      ["--queries <texts...>", "searches to watch for new results (needs --goal)"],
      ["--search-window <span>", "how recent results must be: 5m, 15m, 1h, 6h, 24h, 7d"],
      ["--max-results <number>", "maximum number of results of all queries together"],
      ["--include-domains <names...>", "only results of these domains"],
      ["--exclude-domains <names...>", "no results of these domains"],
      ["--webhook-url <url>", "URL that receives events of pages and of the end of a check"],
      ["--webhook-events <names...>", "events to send to it"],
      ["--email <addresses...>", "addresses that get an email about changes"],
    ],
    load: async () => (await late()).createMonitor,
  },
  {
    name: "monitor list",
    summary: "list monitors",
    examples: ["trawl monitor list", "trawl monitor list --limit 5 --json"],
    sets,
    flags: pageFlags,
    load: async () => (await late()).listMonitors,
  },
  {
    name: "monitor get",
    words: "[id]",
    summary: "show a monitor",
    examples: ["trawl monitor get ID", "trawl monitor get ID --json"],
    sets,
    load: async () => (await late()).getMonitor,
  },
  {
    name: "monitor update",
    words: "[id] [file]",
    summary: "change a monitor; FILE holds the fields to change as JSON, - reads them",
    examples: ["trawl monitor update ID --schedule hourly", "trawl monitor update ID --state paused"],
    sets,
    flags: [...whenFlags, ["--state <state>", "active or paused"]],
    load: async () => (await late()).updateMonitor,
  },
  {
    name: "monitor pause",
    words: "[id]",
    summary: "pause a monitor",
    examples: ["trawl monitor pause ID", "trawl monitor pause ID --json"],
    sets,
    load: async () => (await late()).pauseMonitor,
  },
  {
    name: "monitor resume",
    words: "[id]",
    summary: "resume a paused monitor",
    examples: ["trawl monitor resume ID", "trawl monitor resume ID --json"],
    sets,
    load: async () => (await late()).resumeMonitor,
  },
  {
    name: "monitor delete",
    words: "[id]",
    summary: "delete a monitor and its checks",
    examples: ["trawl monitor delete ID", "trawl monitor delete ID --json"],
    sets,
    load: async () => (await late()).deleteMonitor,
  },
  {
    name: "monitor run",
    words: "[id]",
    summary: "start a check now and print its id",
    examples: ["trawl monitor run ID", "trawl monitor run ID --json"],
    sets,
    load: async () => (await late()).runMonitor,
  },
  {
    name: "monitor checks",
    words: "[id]",
    summary: "list the checks of a monitor",
    examples: ["trawl monitor checks ID", "trawl monitor checks ID --limit 5 --json"],
    sets,
    flags: pageFlags,
    load: async () => (await late()).listChecks,
  },
  {
    name: "monitor check",
    words: "[id] [check]",
    summary: "show what a check found, page by page",
    examples: ["trawl monitor check ID CHECK", "trawl monitor check ID CHECK --page-status changed"],
    sets,
    flags: [
      ["--limit <number>", "maximum number of pages"],
      ["--page-status <status>", "only pages that are same, new, changed, removed or error"],
    ],
    load: async () => (await late()).getCheck,
  },
];
