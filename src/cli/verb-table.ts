// The verbs of `trawl`, one row each: its words, what it does, two examples, its flags, and where its work is. Nothing is
// loaded here: help shows the table, and the chosen verb loads the rest.
import type { Run } from "./service/invocation.ts";

export interface Verb {
  /** One or two words: `scrape`, `keys create`. */
  name: string;
  /** What stands after the name, as the parser writes it. */
  words?: string;
  summary: string;
  examples: readonly [string, string];
  /** The operation whose fields are flags. */
  operation?: string;
  /** Fields of it that have no flag: the words give them. */
  left?: readonly string[];
  /** Sets of flags, by name; those of the server are everywhere but in verbs that work on this machine alone. */
  sets: readonly FlagSet[];
  /** Flags of its own: how they are written, and what they do. */
  flags?: readonly (readonly [string, string])[];
  load(): Promise<Run>;
}

export type FlagSet = "server" | "team" | "json" | "output" | "formats" | "pages" | "wait";

/** Flags that several verbs have. A name that begins with `?` is understood, but not shown. */
export const flagSets: Record<FlagSet, readonly (readonly [string, string])[]> = {
  server: [
    ["--api-url <url>", "server to send the request to, instead of working in this process (TRAWL_API_URL)"],
    ["-k, --api-key <key>", "API key for that server (TRAWL_API_KEY)"],
  ],
  team: [["--team <name>", "team of the local store to work for; default: default"]],
  json: [
    ["--json", "print the full response as JSON"],
    ["--pretty", "indent JSON, also where no terminal reads it"],
  ],
  output: [["-o, --output <file>", "write to a file instead of standard output; FOLDER/ writes Markdown files"]],
  formats: [
    ["-f, --format <names...>", "formats to return: markdown, html, links, json, screenshot … (several: -f a,b)"],
    ["--schema <file>", "JSON Schema of the data to return: a file, or the JSON itself"],
    ["--prompt <text>", "what to find or do, in plain language"],
  ],
  pages: [
    ["--jsonl", "one JSON object a line for each page"],
    ["--csv", "one row for each page"],
    ["--zip", "one ZIP file of Markdown files (with -o FILE.zip)"],
    ["--llms-txt", "llms.txt and llms-full.txt of the site (with -o FOLDER)"],
  ],
  wait: [
    ["--wait", "wait for the end, which is what happens anyway"],
    ["--no-wait", "print the id of the job and leave it to the server"],
    ["?--progress", "show progress, which is what happens anyway"],
  ],
};

/** Where the work of verbs is: loaded when one is chosen, so that the others cost nothing. */
const late = {
  accounts: () => import("./verbs/accounts.ts"),
  browser: () => import("./verbs/browser.ts"),
  completion: () => import("./verbs/completion.ts"),
  doctor: () => import("./verbs/doctor.ts"),
  extract: () => import("./verbs/extract.ts"),
  // The rest, for the same reason.
  indexVerbs: () => import("./verbs/index-verbs.ts"),
  jobs: () => import("./verbs/jobs.ts"),
  mcp: () => import("./verbs/mcp.ts"),
  pages: () => import("./verbs/pages.ts"),
  parse: () => import("./verbs/parse.ts"),
  serve: () => import("./verbs/serve.ts"),
  team: () => import("./verbs/team.ts"),
  why: () => import("./verbs/why.ts"),
};

const request = ["server", "team", "json", "output"] as const;

export const verbs: readonly Verb[] = [
  {
    name: "scrape",
    words: "[url]",
    summary: "print a page as markdown, or in other formats",
    examples: ["trawl scrape https://example.com", "trawl scrape https://example.com -f markdown,links -o page.json"],
    operation: "scrape",
    left: ["url", "alexandria"],
    sets: [...request, "formats"],
    flags: [
      ["--screenshot <file>", "also save a screenshot of the whole page"],
      ["?--wait <ms>", "older name of --wait-for"],
    ],
    load: async () => (await late.pages()).scrape,
  },
  {
    name: "batch",
    words: "[files-or-urls...]",
    summary: "scrape the URLs in a file, one per line; - reads standard input",
    examples: ["trawl batch urls.txt -o pages/", "trawl batch https://a.example https://b.example --jsonl"],
    operation: "startBatch",
    left: ["urls"],
    sets: [...request, "formats", "pages", "wait"],
    load: async () => (await late.jobs()).batch,
  },
  {
    name: "crawl",
    words: "[url]",
    summary: "scrape a whole site: one file per page, or everything to standard output",
    examples: [
      "trawl crawl https://example.com --limit 50 -o pages/",
      "trawl crawl https://example.com --llms-txt -o .",
    ],
    operation: "startCrawl",
    left: ["url"],
    sets: [...request, "formats", "pages", "wait"],
    flags: [["--max-depth <number>", "same as --max-discovery-depth"]],
    load: async () => (await late.jobs()).crawl,
  },
  {
    name: "map",
    words: "[url]",
    summary: "print the URLs of a site",
    examples: ["trawl map https://example.com", "trawl map https://example.com --search pricing --limit 10"],
    operation: "map",
    left: ["url"],
    sets: request,
    flags: [["--no-subdomains", "same as --no-include-subdomains"]],
    load: async () => (await late.pages()).map,
  },
  {
    name: "search",
    words: "[words...]",
    summary: "search the web: title, URL and passage of each result",
    examples: ["trawl search open data portal", 'trawl search "site:example.com pricing" --limit 5 -f markdown'],
    operation: "search",
    left: ["query"],
    sets: [...request, "formats"],
    load: async () => (await late.pages()).search,
  },
  {
    name: "extract",
    words: "[urls...]",
    summary: "print the data of pages as JSON, with --json also its sources and evidence",
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
  },
  {
    name: "agent",
    words: "[prompt...]",
    summary: "gather data by following links, and print it as JSON",
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
  },
  {
    name: "why",
    words: "[url]",
    summary: "show how a page is reached: each rung of the ladder, and what came back",
    examples: ["trawl why https://example.com", "trawl why https://example.com --json"],
    sets: ["server", "team", "json"],
    load: async () => (await late.why()).why,
  },
  {
    name: "parse",
    words: "[files...]",
    summary: "print files as markdown, or write one file for each",
    examples: ["trawl parse report.pdf", "trawl parse *.docx -o texts"],
    operation: "parse",
    left: ["file", "uploadRef", "actions", "location", "waitFor", "mobile"],
    sets: [...request, "formats"],
    load: async () => (await late.parse()).parse,
  },
  {
    name: "browser create",
    summary: "start a browser session in the running server and print its URLs",
    examples: ["trawl browser create", "trawl browser create --ttl 900 --profile shop"],
    operation: "createSession",
    sets: ["server", "team", "json"],
    load: async () => (await late.browser()).createSession,
  },
  {
    name: "browser execute",
    words: "[id] [code...]",
    summary: "run a program in a browser session",
    examples: [
      "trawl browser execute ID \"await page.goto('https://example.com'); return page.title()\"",
      'trawl browser execute ID --language bash "agent-browser snapshot"',
    ],
    operation: "executeInSession",
    left: ["sessionId", "code"],
    sets: ["server", "team", "json"],
    load: async () => (await late.browser()).executeInSession,
  },
  {
    name: "browser list",
    summary: "list browser sessions",
    examples: ["trawl browser list", "trawl browser list --status active --json"],
    operation: "listSessions",
    sets: ["server", "team", "json"],
    load: async () => (await late.browser()).listSessions,
  },
  {
    name: "browser delete",
    words: "[id]",
    summary: "end a browser session and print its duration and cost",
    examples: ["trawl browser delete ID", "trawl browser delete ID --json"],
    sets: ["server", "team", "json"],
    load: async () => (await late.browser()).deleteSession,
  },
  {
    name: "activity",
    summary: "list the requests of the last 24 hours",
    examples: ["trawl activity", "trawl activity --endpoint crawl --limit 5 --json"],
    operation: "listActivity",
    sets: ["server", "team", "json"],
    load: async () => (await late.team()).activity,
  },
  {
    name: "usage",
    summary: "show credits, and the pages in work",
    examples: ["trawl usage", "trawl usage --json"],
    sets: ["server", "team", "json"],
    load: async () => (await late.team()).usage,
  },
  {
    name: "status",
    words: "[id]",
    summary: "show how far a job is",
    examples: ["trawl status ID", "trawl status ID --json"],
    sets: ["server", "team", "json"],
    load: async () => (await late.team()).status,
  },
  {
    name: "cancel",
    words: "[id]",
    summary: "cancel a job; what it has read stays readable",
    examples: ["trawl cancel ID", "trawl cancel ID --json"],
    sets: ["server", "team", "json"],
    load: async () => (await late.team()).cancel,
  },
  {
    name: "index stats",
    summary: "show the size of a team's local index",
    examples: ["trawl index stats", "trawl index stats --team acme --json"],
    sets: ["server", "team", "json"],
    load: async () => (await late.indexVerbs()).indexStats,
  },
  {
    name: "index add",
    words: "[place]",
    summary: "add a page, what a sitemap or feed lists, a whole site (--follow), or the files of a folder",
    examples: ["trawl index add https://example.com/sitemap.xml", "trawl index add ./notes"],
    sets: ["server", "team"],
    flags: [
      ["--follow", "add the whole site"],
      ["--limit <number>", "most pages of a site"],
    ],
    load: async () => (await late.indexVerbs()).indexAdd,
  },
  {
    name: "index remove",
    words: "[place]",
    summary: "remove a page, all pages of a host and its subdomains, or the files of a folder",
    examples: ["trawl index remove example.com", "trawl index remove ./notes"],
    sets: ["server", "team"],
    load: async () => (await late.indexVerbs()).indexRemove,
  },
  {
    name: "keys create",
    summary: "create an API key; it is shown once",
    examples: ["trawl keys create", "trawl keys create --team research --name laptop"],
    sets: ["team"],
    flags: [["--name <name>", "name of the key; default: CLI"]],
    load: async () => (await late.accounts()).createKey,
  },
  {
    name: "keys list",
    summary: "list API keys, without their secrets",
    examples: ["trawl keys list", "trawl keys list --team research --json"],
    sets: ["team", "json"],
    load: async () => (await late.accounts()).listKeys,
  },
  {
    name: "keys revoke",
    words: "[which]",
    summary: "revoke an API key, named by its id, itself or its last four characters",
    examples: ["trawl keys revoke 1f0a", "trawl keys revoke 0190d2a4-5f0e-7c11-9a55-0d6f5f0a1b01"],
    sets: [],
    load: async () => (await late.accounts()).revokeKey,
  },
  {
    name: "teams create",
    words: "[name]",
    summary: "create a team",
    examples: ["trawl teams create research", "trawl teams create acme"],
    sets: [],
    load: async () => (await late.accounts()).createTeam,
  },
  {
    name: "teams list",
    summary: "list teams",
    examples: ["trawl teams list", "trawl teams list --json"],
    sets: ["json"],
    load: async () => (await late.accounts()).listTeams,
  },
  {
    name: "serve",
    summary: "run the server",
    examples: ["trawl serve", "trawl serve --role worker"],
    sets: [],
    flags: [["--role <role>", "only its api or worker part (needs DATABASE_URL)"]],
    load: async () => (await late.serve()).serve,
  },
  {
    name: "mcp",
    summary: "serve the MCP tools over standard input and output",
    examples: ["trawl mcp", "trawl mcp --api-url http://127.0.0.1:3002 --api-key KEY"],
    sets: ["server", "team"],
    load: async () => (await late.mcp()).mcp,
  },
  {
    name: "doctor",
    summary: "check everything that this server depends on, and how to mend it",
    examples: ["trawl doctor", "trawl doctor --json"],
    sets: ["json"],
    load: async () => (await late.doctor()).doctor,
  },
  {
    name: "completion",
    words: "[shell]",
    summary: "print the completion script of bash, zsh or fish",
    examples: ['eval "$(trawl completion bash)"', "trawl completion fish > ~/.config/fish/completions/trawl.fish"],
    sets: [],
    load: async () => (await late.completion()).completion,
  },
];
