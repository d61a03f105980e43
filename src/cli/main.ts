// The commands of `trawl`. Each reads the same settings as the server and works on the same database.
import { parseArgs } from "node:util";
import { version } from "../app.ts";
import { createKey, createTeam, listKeys, listTeams, revokeKey } from "./account-commands.ts";
import { createSession, deleteSession, listSessions } from "./browser-commands.ts";
import { UsageError } from "./command.ts";
import { doctor } from "./doctor.ts";
import { extract } from "./extract-command.ts";
import { help } from "./help.ts";
import { indexAdd, indexRemove, indexStats } from "./index-commands.ts";
import { batch, crawl } from "./job-commands.ts";
import { type Options, optionTypes } from "./options.ts";
import { map, scrape, search } from "./page-commands.ts";
import { parse } from "./parse-command.ts";
import { print, printable } from "./printing.ts";
import { report } from "./report.ts";
import { serve } from "./serve-command.ts";
import { letHeapGrow } from "./small-start.ts";
import { why } from "./why-command.ts";

type Command = (words: string[], options: Options) => Promise<void>;

/** Each with the maximum number of words and the options that it accepts. */
const commands: Record<string, [Command, number, (keyof Options)[]]> = {
  serve: [serve, 0, ["role"]],
  scrape: [scrape, 1, ["json", "wait", "screenshot"]],
  why: [why, 1, ["json"]],
  parse: [parse, Number.POSITIVE_INFINITY, ["output", "json"]],
  map: [map, 1, ["json", "search", "limit", "sitemap", "no-subdomains"]],
  search: [search, Number.POSITIVE_INFINITY, ["limit", "json"]],
  crawl: [crawl, 1, ["output", "json", "limit"]],
  batch: [batch, 1, ["output", "json"]],
  extract: [extract, Number.POSITIVE_INFINITY, ["schema", "prompt", "json"]],
  "index stats": [indexStats, 0, ["team", "json"]],
  "index add": [indexAdd, 1, ["team", "follow", "limit"]],
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
  if (values.help || positionals.length === 0 || positionals[0] === "help") return print(help(version));
  for (const length of [2, 1]) {
    const name = positionals.slice(0, length).join(" ");
    const [command, most, takes] = commands[name] ?? [];
    if (!command || most === undefined || positionals.length < length) continue;
    const words = positionals.slice(length);
    const extra = words.slice(most).join(" ");
    if (extra !== "") throw new UsageError(`Unexpected arguments: ${printable(extra)}. See trawl help.`);
    const stray = (Object.keys(values) as (keyof Options)[]).find((option) => !takes?.includes(option));
    if (stray !== undefined) throw new UsageError(`trawl ${name} does not accept --${stray}. See trawl help.`);
    return command(words, values);
  }
  const [group = ""] = positionals;
  const members = Object.keys(commands).flatMap((name) =>
    name.startsWith(`${group} `) ? name.split(" ").slice(1) : [],
  );
  if (members.length > 0) throw new UsageError(`trawl ${group} needs one of ${members.join(", ")}. See trawl help.`);
  throw new UsageError(`Unknown command: ${printable(positionals.join(" "))}. See trawl help.`);
}

/** Runs one command to its end. */
export function run(words: string[]): Promise<void> {
  // A reader that closes early (`| head`) is not a failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
  return main(words).catch(report);
}
