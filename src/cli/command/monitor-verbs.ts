// The verbs of `trawl monitor`: rows of the table of verbs.
import { type Verb, verb } from "./verb.ts";

// Loaded when one of them is chosen, so that other verbs cost nothing.
const late = () => import("../verbs/monitors.ts");

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
  verb(
    "monitor create [file]",
    "watch pages, a site or searches on a schedule; FILE holds the whole request as JSON, - reads it",
    {
      examples: [
        'trawl monitor create --page https://example.com/pricing --schedule "daily at 9am"',
        "trawl monitor create monitor.json",
      ],
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
  ),
  verb("monitor list", "list monitors", {
    examples: ["trawl monitor list", "trawl monitor list --limit 5 --json"],
    flags: pageFlags,
    load: async () => (await late()).listMonitors,
  }),
  verb("monitor get [id]", "show a monitor", {
    examples: ["trawl monitor get ID", "trawl monitor get ID --json"],
    load: async () => (await late()).getMonitor,
  }),
  verb("monitor update [id] [file]", "change a monitor; FILE holds the fields to change as JSON, - reads them", {
    examples: ["trawl monitor update ID --schedule hourly", "trawl monitor update ID --state paused"],
    flags: [...whenFlags, ["--state <state>", "active or paused"]],
    load: async () => (await late()).updateMonitor,
  }),
  verb("monitor pause [id]", "pause a monitor", {
    examples: ["trawl monitor pause ID", "trawl monitor pause ID --json"],
    load: async () => (await late()).pauseMonitor,
  }),
  verb("monitor resume [id]", "resume a paused monitor", {
    examples: ["trawl monitor resume ID", "trawl monitor resume ID --json"],
    load: async () => (await late()).resumeMonitor,
  }),
  verb("monitor delete [id]", "delete a monitor and its checks", {
    examples: ["trawl monitor delete ID", "trawl monitor delete ID --json"],
    load: async () => (await late()).deleteMonitor,
  }),
  verb("monitor run [id]", "start a check now and print its id", {
    examples: ["trawl monitor run ID", "trawl monitor run ID --wait"],
    flags: [["--wait", "wait for its end, and show what it found"]],
    load: async () => (await late()).runMonitor,
  }),
  verb("monitor checks [id]", "list the checks of a monitor", {
    examples: ["trawl monitor checks ID", "trawl monitor checks ID --limit 5 --json"],
    flags: pageFlags,
    load: async () => (await late()).listChecks,
  }),
  verb("monitor check [id] [check]", "show what a check found, page by page", {
    examples: ["trawl monitor check ID CHECK", "trawl monitor check ID CHECK --page-status changed"],
    flags: [
      ["--limit <number>", "maximum number of pages"],
      ["--page-status <status>", "only pages that are same, new, changed, removed or error"],
    ],
    load: async () => (await late()).getCheck,
  }),
];
