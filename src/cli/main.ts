// The commands of `trawl`. Each reads the same settings as the server and works on the same store.
import { parseArgs } from "node:util";
import { type App, openAccounts, type Role, start, version } from "../app.ts";
import { createLog, isoTime } from "../base/index.ts";
import { loadConfig } from "../config.ts";
import { createSession, deleteSession, listSessions } from "./browser-commands.ts";
import { numberOption, readInput, readInputFile, UsageError, warn, withParts } from "./command.ts";
import { printFindings } from "./doctor.ts";
import { extract } from "./extract-command.ts";
import { addToIndex, removeFromIndex, showIndex } from "./index-commands.ts";
import { followJob } from "./job-commands.ts";
import { oneLine, print, printable, printRows } from "./printing.ts";
import { report } from "./report.ts";
import { browserOptions, saveScreenshot } from "./scrape-options.ts";
import { letHeapGrow } from "./small-start.ts";

const help = `trawl ${version}: turn the web into data over one HTTP API

  trawl serve [--role api|worker]               run the server, or one half of it (needs DATABASE_URL)
  trawl scrape URL [--json] [--wait MS] [--screenshot FILE]
                                                print a page as markdown, or the whole answer as JSON; its picture to a file
  trawl map URL [--json] [--search WORDS] [--limit N] [--sitemap skip|include|only] [--no-subdomains]
                                                print the addresses of a site, or the whole answer as JSON
  trawl search WORDS [--limit N] [--json]       print what is found: title, address and passage, or the whole answer as JSON
  trawl crawl URL [-o FOLDER] [--json] [--limit N]
                                                read a whole site: one file a page, or all on standard output
  trawl batch FILE [-o FOLDER] [--json]         the same for the addresses in a file, one a line; - reads standard input
  trawl extract URL… [--schema FILE] [--prompt TEXT] [--json]
                                                print the data of pages as JSON, or the whole answer with sources and evidence
  trawl index stats [--team NAME] [--json]      what the own index of a team holds, by default of the team "default"
  trawl index add URL [--team NAME]             read a page, or the pages of a sitemap or feed, into it
  trawl index remove URL|HOST [--team NAME]     take a page out of it, or all pages of a host and its subdomains
  trawl browser create [--ttl SECONDS] [--profile NAME] [--team NAME] [--json]
                                                open a browser session in the running server; its addresses to drive and watch it
  trawl browser list [--team NAME] [--json]     list browser sessions
  trawl browser delete ID [--team NAME] [--json]
                                                end one: how long it lived and what it cost
  trawl doctor                                  check the store, the language model and the search services
  trawl keys create [--team NAME] [--name NAME] make an API key; it is shown once
  trawl keys list [--team NAME] [--json]        list keys, without their text
  trawl keys revoke ID|KEY|LAST-FOUR            a revoked key is refused at once
  trawl teams create NAME                       make a team
  trawl teams list [--json]                     list teams
  trawl help, trawl --version

Settings are environment variables: see docs/self-hosting.md.
`;

const optionTypes = {
  role: { type: "string" },
  team: { type: "string" },
  name: { type: "string" },
  json: { type: "boolean" },
  output: { type: "string", short: "o" },
  search: { type: "string" },
  schema: { type: "string" },
  prompt: { type: "string" },
  limit: { type: "string" },
  sitemap: { type: "string" },
  wait: { type: "string" },
  screenshot: { type: "string" },
  ttl: { type: "string" },
  profile: { type: "string" },
  "no-subdomains": { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

type Options = {
  [Name in keyof typeof optionTypes]?:
    | ((typeof optionTypes)[Name]["type"] extends "string" ? string : boolean)
    | undefined;
};
type Command = (words: string[], options: Options) => Promise<void>;

/** Each with the number of words and the options that it takes. */
const commands: Record<string, [Command, number, (keyof Options)[]]> = {
  serve: [serve, 0, ["role"]],
  scrape: [scrape, 1, ["json", "wait", "screenshot"]],
  map: [map, 1, ["json", "search", "limit", "sitemap", "no-subdomains"]],
  search: [search, Number.POSITIVE_INFINITY, ["limit", "json"]],
  crawl: [crawl, 1, ["output", "json", "limit"]],
  batch: [batch, 1, ["output", "json"]],
  extract: [extract, Number.POSITIVE_INFINITY, ["schema", "prompt", "json"]],
  "index stats": [indexStats, 0, ["team", "json"]],
  "index add": [indexAdd, 1, ["team"]],
  "index remove": [indexRemove, 1, ["team"]],
  "browser create": [createSession, 0, ["ttl", "profile", "team", "json"]],
  "browser list": [listSessions, 0, ["team", "json"]],
  "browser delete": [deleteSession, 1, ["team", "json"]],
  doctor: [doctor, 0, []],
  "keys create": [createKey, 0, ["team", "name"]],
  "keys list": [listKeys, 0, ["team", "json"]],
  "keys revoke": [revokeKey, 1, []],
  "teams create": [createTeam, 1, []],
  "teams list": [listTeams, 0, ["json"]],
};

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: optionTypes,
  });
  if (positionals[0] !== "serve") letHeapGrow();
  if (values.version) return print(version);
  if (values.help || positionals.length === 0 || positionals[0] === "help") return print(help.trimEnd());
  for (const length of [2, 1]) {
    const name = positionals.slice(0, length).join(" ");
    const [command, most, takes] = commands[name] ?? [];
    if (!command || most === undefined || positionals.length < length) continue;
    const words = positionals.slice(length);
    const extra = words.slice(most).join(" ");
    if (extra !== "") throw new UsageError(`Too many words: ${printable(extra)}. See trawl help.`);
    const stray = (Object.keys(values) as (keyof Options)[]).find((option) => !takes?.includes(option));
    if (stray !== undefined) throw new UsageError(`trawl ${name} takes no --${stray}. See trawl help.`);
    return command(words, values);
  }
  const [group = ""] = positionals;
  const members = Object.keys(commands).flatMap((name) =>
    name.startsWith(`${group} `) ? name.split(" ").slice(1) : [],
  );
  if (members.length > 0) throw new UsageError(`trawl ${group} takes one of ${members.join(", ")}. See trawl help.`);
  throw new UsageError(`Unknown command: ${printable(positionals.join(" "))}. See trawl help.`);
}

async function serve(_words: string[], options: Options): Promise<void> {
  const role = readRole(options);
  const config = loadConfig();
  if (role !== "both" && config.databaseUrl === null) {
    throw new UsageError("--role needs DATABASE_URL: the embedded database is for one server that does both.");
  }
  const log = createLog(config.logLevel);
  const app = await start(config, { log, role });
  letHeapGrow();
  stopOnSignals(app, log);
  if (role === "worker") print(`Trawl ${version} works on jobs. Its health: ${app.url}/health/readiness`);
  else print(welcome(app, config.auth));
}

function readRole({ role }: Options): Role {
  if (role === undefined) return "both";
  if (role !== "api" && role !== "worker") throw new UsageError("--role takes one of api, worker.");
  return role;
}

async function scrape([url]: string[], options: Options): Promise<void> {
  if (url === undefined) throw new UsageError("trawl scrape takes the address of a page.");
  const { json, screenshot: file } = options;
  const input = readInput<"scrape">("scrape", { url, ...browserOptions(options), origin: "cli" });
  await withParts(async ({ operations, browser }, caller) => {
    const answer = await operations.scrape(input, caller, AbortSignal.timeout(oneCallMs));
    if (file !== undefined) await saveScreenshot(answer.data, file, browser.readMedia);
    print(json ? JSON.stringify(answer, null, 2) : (answer.data.markdown ?? ""));
    warn({ warning: answer.data.metadata.error });
    warn(answer);
  });
}

async function map([url]: string[], options: Options): Promise<void> {
  if (url === undefined) throw new UsageError("trawl map takes the address of a site.");
  const { json, search, limit, sitemap } = options;
  const input = readInput<"map">("map", {
    url,
    ...(search === undefined ? {} : { search }),
    ...numberOption("limit", limit),
    ...(sitemap === undefined ? {} : { sitemap }),
    includeSubdomains: !options["no-subdomains"],
    origin: "cli",
  });
  await withParts(async ({ operations }, caller) => {
    // A map takes as long as its site has sitemaps.
    const answer = await operations.map(input, caller, new AbortController().signal);
    if (json) print(JSON.stringify(answer, null, 2));
    else if (answer.links.length > 0) print(answer.links.map((link) => link.url).join("\n"));
    warn(answer);
  });
}

async function search(words: string[], { json, limit }: Options): Promise<void> {
  if (words.length === 0) throw new UsageError("trawl search takes what to search for.");
  const query = words.join(" ");
  const input = readInput<"search">("search", {
    query,
    ...numberOption("limit", limit),
    origin: "cli",
  });
  await withParts(async ({ operations }, caller) => {
    const answer = await operations.search(input, caller, AbortSignal.timeout(oneCallMs));
    const found = (answer.data.web ?? []).map(({ title, url, description }) =>
      [title || url, url, description].map(oneLine).filter((line) => line !== ""),
    );
    if (json) print(JSON.stringify(answer, null, 2));
    else if (found.length > 0) print(found.map((lines) => lines.join("\n")).join("\n\n"));
    warn(answer);
  });
}

async function crawl([url]: string[], { json, limit, output }: Options): Promise<void> {
  if (url === undefined) throw new UsageError("trawl crawl takes the address of a site.");
  const input = readInput<"startCrawl">("startCrawl", {
    url,
    ...numberOption("limit", limit),
    origin: "cli",
  });
  await withParts(async (parts, caller) => {
    const started = await parts.operations.startCrawl(input, caller, AbortSignal.timeout(oneCallMs));
    warn(started);
    if (!("id" in started)) return;
    await followJob(parts, caller, started.id, { folder: output ?? null, json: json ?? false });
  });
}

async function batch([file]: string[], { json, output }: Options): Promise<void> {
  if (file === undefined) throw new UsageError("trawl batch takes a file with one address a line, or - to read them.");
  const text = await readInputFile(file);
  const urls = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const input = readInput<"startBatch">("startBatch", { urls, origin: "cli" });
  await withParts(async (parts, caller) => {
    const started = await parts.operations.startBatch(input, caller);
    for (const invalid of started.invalidURLs ?? []) warn({ warning: `Not an address: ${printable(invalid)}` });
    await followJob(parts, caller, started.id, { folder: output ?? null, json: json ?? false });
  });
}

async function doctor(): Promise<void> {
  const isWell = await printFindings(loadConfig(), print);
  if (!isWell) process.exitCode = 1;
}

/** Longer than any timeout of a request. */
const oneCallMs = 10 * 60_000;

function indexStats(_words: string[], { team, json }: Options): Promise<void> {
  return withParts((parts, caller) => showIndex(parts, caller, json), team);
}

async function indexAdd([url]: string[], { team }: Options): Promise<void> {
  if (url === undefined) throw new UsageError("trawl index add takes the address of a page or of a sitemap.");
  const [start = ""] = readInput<"startBatch">("startBatch", { urls: [url], origin: "cli" }).urls;
  const inputOf = (urls: string[]) =>
    readInput<"startBatch">("startBatch", { urls, formats: ["links"], ignoreInvalidURLs: true, origin: "cli" });
  await withParts((parts, caller) => addToIndex(parts, caller, start, inputOf), team);
}

async function indexRemove([page]: string[], { team }: Options): Promise<void> {
  if (page === undefined) throw new UsageError("trawl index remove takes the address of a page, or a host.");
  await withParts((parts, caller) => removeFromIndex(parts, caller, page), team);
}

/** The first signal lets running requests finish, the second one ends the process at once. */
function stopOnSignals(app: App, log: ReturnType<typeof createLog>): void {
  let isStopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal }, "stopping");
    await app.stop();
    log.info("stopped");
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      stop(signal).catch((error) => {
        log.fatal({ err: error }, "stopping failed");
        process.exit(1);
      });
    });
  }
}

function welcome({ url, firstKey }: App, auth: "keys" | "none"): string {
  const key = firstKey ?? "YOUR_API_KEY";
  const header = auth === "keys" ? ` -H "Authorization: Bearer ${key}"` : "";
  return [
    `Trawl ${version} is ready.`,
    `  API page   ${url}/docs`,
    ...(firstKey ? [`  API key    ${firstKey}   (shown this once: keep it)`] : []),
    ...(auth === "none" ? ["  Open mode  no key is needed by whoever reaches this address"] : []),
    `  Try it     curl ${url}/v2/scrape${header} -H "Content-Type: application/json" -d '{"url":"https://example.com"}'`,
  ].join("\n");
}

async function createKey(_words: string[], { team: teamName = "default", name = "CLI" }: Options): Promise<void> {
  checkName(teamName);
  checkName(name);
  await withAccounts(async (accounts) => {
    const team = await accounts.teams.findOrCreate(teamName);
    const { key, id } = await accounts.keys.create(team.id, name);
    print(`${key}\nKey ${id} "${name}" of team ${team.name}. This is the only time it is shown.`);
  });
}

async function listKeys(_words: string[], { team: teamName, json }: Options): Promise<void> {
  await withAccounts(async (accounts) => {
    const team = teamName === undefined ? null : await accounts.teams.find(teamName);
    if (teamName !== undefined && !team) throw new UsageError(`There is no team ${teamName}. See trawl teams list.`);
    const keys = (await accounts.keys.list(team?.id)).map((key) => ({
      id: key.id,
      team: key.teamName,
      name: key.name,
      lastFour: key.lastFour,
      created: isoTime(key.createdAt),
      lastUsed: key.lastUsedAt === null ? null : isoTime(key.lastUsedAt),
      revoked: key.revokedAt === null ? null : isoTime(key.revokedAt),
    }));
    printRows(keys, json);
  });
}

async function revokeKey([which]: string[]): Promise<void> {
  if (which === undefined)
    throw new UsageError("trawl keys revoke takes a key's id, its text or its last four characters.");
  await withAccounts(async (accounts) => {
    const key = await accounts.keys.revoke(which);
    if (!key) throw new UsageError("No single active key matches. See trawl keys list.");
    print(`Revoked key ${key.id} "${key.name}" (…${key.lastFour}) of team ${key.teamName}.`);
  });
}

async function createTeam([name]: string[]): Promise<void> {
  if (name === undefined) throw new UsageError("trawl teams create takes a name.");
  checkName(name);
  await withAccounts(async (accounts) => {
    const team = await accounts.teams.create(name);
    if (!team) throw new UsageError(`A team ${name} exists already.`);
    print(`Created team ${team.name} (${team.id}). Make a key for it: trawl keys create --team ${team.name}`);
  });
}

async function listTeams(_words: string[], { json }: Options): Promise<void> {
  await withAccounts(async (accounts) => {
    const teams = (await accounts.teams.list()).map((team) => ({
      id: team.id,
      name: team.name,
      requestsPerMinute: team.requestsPerMinute,
      created: isoTime(team.createdAt),
    }));
    printRows(teams, json);
  });
}

type OpenAccounts = Awaited<ReturnType<typeof openAccounts>>["accounts"];

async function withAccounts(work: (accounts: OpenAccounts) => Promise<void>): Promise<void> {
  const { store, accounts } = await openAccounts(loadConfig());
  try {
    await work(accounts);
  } finally {
    await store.close();
  }
}

/** Names are printed in tables and stand in settings as team:key, so nothing in them may break either. */
function checkName(name: string): void {
  if (/^[^\s:,\p{C}][^:,\p{C}]{0,63}$/u.test(name)) return;
  throw new UsageError("A name takes 1 to 64 characters, without colons, commas and control characters.");
}

/** Runs one command to its end. */
export function run(words: string[]): Promise<void> {
  // A reader that has seen enough (`| head`) is no failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
  return main(words).catch(report);
}
