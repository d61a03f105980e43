// The verbs of `trawl`, one row each. The chosen verb loads its code, so help loads nothing.
import { monitorVerbs } from "./monitor-verbs.ts";
import { type FlagSet, type Verb, verb } from "./verb.ts";

/** Flags that several verbs have. A name that begins with `?` is understood, but not shown. */
export const flagSets: Record<FlagSet, readonly (readonly [string, string])[]> = {
  server: [
    ["--api-url <url>", "server to send the request to; without it, this process does the work (TRAWL_API_URL)"],
    ["-k, --api-key <key>", "API key for that server (TRAWL_API_KEY)"],
  ],
  team: [["--team <name>", "team of the local store to work for; default: default"]],
  json: [
    ["--json", "print the full response as JSON"],
    ["--pretty", "indent JSON even when the output is not a terminal"],
  ],
  output: [["-o, --output <file>", "write to a file instead of standard output; FOLDER/ writes Markdown files"]],
  formats: [
    ["-f, --format <names...>", "formats to return: markdown, html, links, json, screenshot … (several: -f a,b)"],
    ["--schema <file>", "JSON Schema of the data to return: a file, or the JSON itself"],
    ["--prompt <text>", "what to find or do, in plain language"],
  ],
  pages: [
    ["--jsonl", "one JSON object per page and line"],
    ["--csv", "one row for each page"],
    ["--zip", "one ZIP file of Markdown files (with -o FILE.zip)"],
    ["--llms-txt", "llms.txt and llms-full.txt of the site (with -o FOLDER)"],
  ],
  wait: [
    ["--wait", "wait for the end (the default)"],
    ["--no-wait", "print the job id and let the server do the work"],
    ["?--progress", "show progress (the default)"],
  ],
};

/** The code of verbs, loaded when one is chosen, so that the others cost nothing. */
const late = {
  accounts: () => import("../verbs/accounts.ts"),
  browser: () => import("../verbs/browser.ts"),
  completion: () => import("../verbs/completion.ts"),
  doctor: () => import("../verbs/doctor.ts"),
  explain: () => import("../verbs/explain.ts"),
  extract: () => import("../verbs/extract.ts"),
  indexVerbs: () => import("../verbs/index-verbs.ts"),
  jobs: () => import("../verbs/jobs.ts"),
  mcp: () => import("../verbs/mcp.ts"),
  pages: () => import("../verbs/pages.ts"),
  parse: () => import("../verbs/parse.ts"),
  serve: () => import("../verbs/serve.ts"),
  store: () => import("../verbs/store.ts"),
  team: () => import("../verbs/team.ts"),
  secrets: () => import("../verbs/team-secrets.ts"),
  why: () => import("../verbs/why.ts"),
};

const backupFlags = [
  ["--schedule <when>", "go on until stopped: cron, or words such as daily at 3am (UTC)"],
  ["--keep <number>", "with --schedule: backups to keep; older ones are deleted (BACKUP_KEEP)"],
] as const;
const restoreFlags = [["--check", "restore nothing: look for damage and count the rows"]] as const;

const request = ["server", "team", "json", "output"] as const;

export const verbs: readonly Verb[] = [
  verb("scrape [url]", "print a page as markdown, or in other formats", {
    examples: ["trawl scrape https://example.com", "trawl scrape https://example.com -f markdown,links -o page.json"],
    operation: "scrape",
    left: ["url", "alexandria"],
    sets: [...request, "formats"],
    flags: [
      ["--screenshot <file>", "also save a screenshot of the whole page"],
      ["?--wait <ms>", "older name of --wait-for"],
    ],
    load: async () => (await late.pages()).scrape,
  }),
  verb("batch [files-or-urls...]", "scrape the URLs in a file, one per line; - reads standard input", {
    examples: ["trawl batch urls.txt -o pages/", "trawl batch https://a.example https://b.example --jsonl"],
    operation: "startBatch",
    left: ["urls"],
    sets: [...request, "formats", "pages", "wait"],
    load: async () => (await late.jobs()).batch,
  }),
  verb("crawl [url]", "scrape a whole site: one file per page, or everything to standard output", {
    examples: [
      "trawl crawl https://example.com --limit 50 -o pages/",
      "trawl crawl https://example.com --llms-txt -o .",
    ],
    operation: "startCrawl",
    left: ["url"],
    sets: [...request, "formats", "pages", "wait"],
    first: [
      ..."limit include-paths exclude-paths max-depth crawl-entire-domain allow-subdomains".split(" "),
      ..."output format no-wait dry-run".split(" "),
    ],
    flags: [["--max-depth <number>", "same as --max-discovery-depth"]],
    load: async () => (await late.jobs()).crawl,
  }),
  verb("map [url]", "print the URLs of a site", {
    examples: ["trawl map https://example.com", "trawl map https://example.com --search pricing --limit 10"],
    operation: "map",
    left: ["url"],
    sets: request,
    flags: [["--no-subdomains", "same as --no-include-subdomains"]],
    load: async () => (await late.pages()).map,
  }),
  verb("search [words...]", "search the web: title, URL and passage of each result", {
    examples: ["trawl search open data portal", 'trawl search "site:example.com pricing" --limit 5 -f markdown'],
    operation: "search",
    left: ["query"],
    sets: [...request, "formats"],
    load: async () => (await late.pages()).search,
  }),
  verb("extract [urls...]", "print data from pages as JSON; --json adds sources and evidence", {
    examples: [
      "trawl extract https://example.com/lamp --schema product.json",
      'trawl extract "https://example.com/*" --prompt "names and prices"',
    ],
    operation: "startExtract",
    left: ["urls"],
    sets: [...request, "wait"],
    flags: [
      ["--schema <file>", "JSON Schema of the data: a file, or the JSON itself"],
      ["--prompt <text>", "what to extract, in plain language"],
    ],
    load: async () => (await late.extract()).extract,
  }),
  verb("agent [prompt...]", "gather data by following links, and print it as JSON", {
    examples: [
      'trawl agent "the three newest posts" --urls https://example.com/blog',
      'trawl agent "opening hours" --urls https://example.com --schema hours.json --wait',
    ],
    operation: "startAgent",
    sets: [...request, "wait"],
    flags: [
      ["--schema <file>", "JSON Schema of the data: a file, or the JSON itself"],
      ["--prompt <text>", "what to find, instead of words"],
    ],
    load: async () => (await late.extract()).agent,
  }),
  verb("why [url]", "show how a page is fetched: each attempt, and what came back", {
    examples: ["trawl why https://example.com", "trawl why https://example.com --json"],
    load: async () => (await late.why()).why,
  }),
  verb("parse [files...]", "print files as markdown, or write one file for each", {
    examples: ["trawl parse report.pdf", "trawl parse *.docx -o texts"],
    operation: "parse",
    left: ["file", "uploadRef", "actions", "location", "waitFor", "mobile"],
    sets: [...request, "formats"],
    load: async () => (await late.parse()).parse,
  }),
  verb("browser create", "start a browser session in the running server and print its URLs", {
    examples: ["trawl browser create", "trawl browser create --ttl 900 --profile shop"],
    operation: "createSession",
    load: async () => (await late.browser()).createSession,
  }),
  verb("browser execute [id] [code...]", "run a program in a browser session", {
    examples: [
      "trawl browser execute ID \"await page.goto('https://example.com'); return page.title()\"",
      'trawl browser execute ID --language bash "agent-browser snapshot"',
    ],
    operation: "executeInSession",
    left: ["sessionId", "code"],
    load: async () => (await late.browser()).executeInSession,
  }),
  verb("browser list", "list browser sessions", {
    examples: ["trawl browser list", "trawl browser list --status active --json"],
    operation: "listSessions",
    load: async () => (await late.browser()).listSessions,
  }),
  verb("browser delete [id]", "end a browser session and print its duration and cost", {
    examples: ["trawl browser delete ID", "trawl browser delete ID --json"],
    load: async () => (await late.browser()).deleteSession,
  }),
  ...monitorVerbs,
  verb("activity", "list the requests of the last 24 hours", {
    examples: ["trawl activity", "trawl activity --endpoint crawl --limit 5 --json"],
    operation: "listActivity",
    load: async () => (await late.team()).activity,
  }),
  verb("credit-usage", "show the credits left and the pages in progress", {
    alias: "usage",
    examples: ["trawl credit-usage", "trawl credit-usage --json"],
    load: async () => (await late.team()).usage,
  }),
  verb("status [id]", "show the progress of a job", {
    examples: ["trawl status ID", "trawl status ID --json"],
    load: async () => (await late.team()).status,
  }),
  verb("cancel [id]", "cancel a job; pages that it has read stay available", {
    examples: ["trawl cancel ID", "trawl cancel ID --json"],
    load: async () => (await late.team()).cancel,
  }),
  verb("secret set [name]", "store a secret for flows to type; its value is read from standard input", {
    examples: [
      "trawl secret set shop-password --host shop.example < password.txt",
      "trawl secret set shop-code --host shop.example --totp < key.txt",
    ],
    flags: [
      ["--host <hosts...>", "where it may be typed: host names with their subdomains, or host:port"],
      ["--totp", "the value is the key of one-time codes, in base32 or as an otpauth:// URI"],
    ],
    load: async () => (await late.secrets()).setSecret,
  }),
  verb("secret list", "list secrets, without their values", {
    examples: ["trawl secret list", "trawl secret list --json"],
    load: async () => (await late.secrets()).listSecrets,
  }),
  verb("secret delete [name]", "delete a secret", {
    examples: ["trawl secret delete shop-password", "trawl secret delete shop-password --json"],
    load: async () => (await late.secrets()).deleteSecret,
  }),
  verb("index stats", "show the size of a team's local index", {
    examples: ["trawl index stats", "trawl index stats --team acme --json"],
    load: async () => (await late.indexVerbs()).indexStats,
  }),
  verb(
    "index add [place]",
    "add a page, what a sitemap or feed lists, a whole site (--follow), or the files of a folder",
    {
      examples: ["trawl index add https://example.com/sitemap.xml", "trawl index add ./notes"],
      sets: ["server", "team"],
      flags: [
        ["--follow", "add the whole site"],
        ["--limit <number>", "maximum number of pages"],
      ],
      load: async () => (await late.indexVerbs()).indexAdd,
    },
  ),
  verb("index remove [place]", "remove a page, all pages of a host and its subdomains, or the files of a folder", {
    examples: ["trawl index remove example.com", "trawl index remove ./notes"],
    sets: ["server", "team"],
    load: async () => (await late.indexVerbs()).indexRemove,
  }),
  verb("keys create", "create an API key; it is shown once", {
    examples: ["trawl keys create", "trawl keys create --name reader --endpoints scrape,map --expires 30d"],
    sets: ["team"],
    flags: [
      ["--name <name>", "name of the key; default: CLI"],
      ["--endpoints <list>", "only these groups of endpoints, such as scrape,map"],
      ["--formats <list>", "only these formats"],
      ["--expires <when>", "when it ends: 30d, 12h or a date"],
      ["--ips <list>", "only from these IP addresses and ranges"],
      ["--credits <number>", "credits that it may use in a month"],
    ],
    load: async () => (await late.accounts()).createKey,
  }),
  verb("keys list", "list API keys, without their secrets", {
    examples: ["trawl keys list", "trawl keys list --team research --json"],
    sets: ["team", "json"],
    load: async () => (await late.accounts()).listKeys,
  }),
  verb("keys revoke [which]", "revoke an API key, given its id, the key, or its last four characters", {
    examples: ["trawl keys revoke 1f0a", "trawl keys revoke 0190d2a4-5f0e-7c11-9a55-0d6f5f0a1b01"],
    sets: [],
    load: async () => (await late.accounts()).revokeKey,
  }),
  verb("dashboard-link", "print a link that signs in to the dashboard once, within 15 minutes", {
    examples: ["trawl dashboard-link", "trawl dashboard-link --team research"],
    sets: ["team"],
    load: async () => (await late.accounts()).createDashboardLink,
  }),
  verb("teams create [name]", "create a team", {
    examples: ["trawl teams create research", "trawl teams create acme"],
    sets: [],
    load: async () => (await late.accounts()).createTeam,
  }),
  verb("teams list", "list teams", {
    examples: ["trawl teams list", "trawl teams list --json"],
    sets: ["json"],
    load: async () => (await late.accounts()).listTeams,
  }),
  verb("store copy", "copy everything to another database and verify it; servers then refuse the old one", {
    examples: [
      "trawl store copy --to postgres://trawl:password@db.internal/trawl",
      "trawl store copy --to sqlite:./data",
    ],
    sets: ["json"],
    flags: [["--to <place>", "postgres://… or sqlite:FOLDER, empty or from an interrupted copy"]],
    load: async () => (await late.store()).storeCopy,
  }),
  verb("store reopen", "let servers use a store again after store copy", {
    examples: ["trawl store reopen", "DATA_DIR=./old trawl store reopen"],
    sets: [],
    load: async () => (await late.store()).storeReopen,
  }),
  verb("backup [place]", "save the embedded database and its secret in a folder or bucket, while the server runs", {
    examples: [
      "trawl backup backups/monday",
      'trawl backup s3://my-backups/trawl --schedule "every 6 hours" --keep 28',
    ],
    sets: [],
    flags: backupFlags,
    load: async () => (await late.store()).storeBackup,
  }),
  verb("restore [backup]", "restore a backup into an empty DATA_DIR, or only check it", {
    examples: ["trawl restore --check backups/monday", "DATA_DIR=./restored trawl restore backups/monday"],
    sets: ["json"],
    flags: restoreFlags,
    load: async () => (await late.store()).storeRestore,
  }),
  verb("store backup [place]", "the same as trawl backup", {
    examples: ["trawl store backup backups/monday", "DATA_DIR=/var/lib/trawl trawl store backup /mnt/backup"],
    sets: [],
    flags: backupFlags,
    load: async () => (await late.store()).storeBackup,
  }),
  verb("store restore [backup]", "the same as trawl restore", {
    examples: ["trawl store restore backups/monday", "DATA_DIR=./restored trawl store restore backups/monday"],
    sets: ["json"],
    flags: restoreFlags,
    load: async () => (await late.store()).storeRestore,
  }),
  verb("store check", "look for damage, unreachable rows and expired leases", {
    examples: ["trawl store check", "trawl store check --remove-strays"],
    sets: ["json"],
    flags: [["--remove-strays", "delete blobs that no row of the database refers to"]],
    load: async () => (await late.store()).storeCheck,
  }),
  verb("serve", "run the server", {
    examples: ["trawl serve", "trawl serve --role worker"],
    sets: [],
    flags: [["--role <role>", "all (default), or only its api, worker or browser part (needs DATABASE_URL)"]],
    load: async () => (await late.serve()).serve,
  }),
  verb("mcp", "serve the MCP tools over standard input and output", {
    examples: ["trawl mcp --tools research", "trawl mcp --api-url http://127.0.0.1:3002 --api-key KEY"],
    sets: ["server", "team"],
    flags: [["--tools <list>", "tools and presets (minimal, research, site …); -name takes one away (MCP_TOOLS)"]],
    load: async () => (await late.mcp()).mcp,
  }),
  verb("doctor", "check everything that this server depends on, and say how to fix it", {
    examples: ["trawl doctor", "trawl doctor --json"],
    sets: ["json"],
    load: async () => (await late.doctor()).doctor,
  }),
  verb("explain [code]", "say what an error code means, its usual causes, what to do and what it costs", {
    examples: ["trawl explain SCRAPE_TIMEOUT", "trawl explain"],
    sets: ["json"],
    load: async () => (await late.explain()).explain,
  }),
  verb("completion [shell]", "print the completion script of bash, zsh or fish", {
    examples: ['eval "$(trawl completion bash)"', "trawl completion fish > ~/.config/fish/completions/trawl.fish"],
    sets: [],
    load: async () => (await late.completion()).completion,
  }),
];
