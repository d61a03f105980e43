// `trawl`: finds the verb, has its flags read, and runs it.
import { readFileSync } from "node:fs";
import { letHeapGrow } from "../service/small-start.ts";
import { UsageError } from "../service/usage-error.ts";
import { print } from "../terminal/printing.ts";
import { groupHelp, hasMembers, help } from "./help.ts";
import { readInvocation, unknownVerb } from "./parser.ts";
import { report } from "./report.ts";
import type { Verb } from "./verb.ts";
import { verbs } from "./verb-table.ts";

const ownVersion: string = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")).version;

/** Flags with a value that may precede the verb. */
const before = new Set(["--api-url", "--api-key", "-k", "--team"]);

async function main(args: string[]): Promise<void> {
  const places = wordPlaces(args);
  const [first, second] = places.map((place) => args[place] ?? "");
  if (first !== "serve") letHeapGrow();
  if (first === undefined) {
    const [stray] = args.filter((arg) => !helpFlags.has(arg));
    if (args.some((arg) => versionFlags.has(arg))) return print(ownVersion);
    if (stray !== undefined) throw new UsageError(`Unknown option ${stray}. See trawl help.`);
    return print(help(ownVersion));
  }
  if (first === "help") return showHelp(args.slice(1));
  const verb = findVerb(first, second);
  if (verb) return runVerb(verb, withoutWords(args, places.slice(0, verb.name.split(" ").length)));
  // A URL alone is scraped.
  const scrape = verbs.find(({ name }) => name === "scrape");
  if (scrape && isUrl(first)) return runVerb(scrape, args);
  if (args.some((arg) => helpFlags.has(arg)) && hasMembers(first)) return print(groupHelp(first));
  const members = verbs.flatMap(({ name }) => (name.startsWith(`${first} `) ? name.split(" ").slice(1) : []));
  if (members.length > 0) throw new UsageError(`trawl ${first} needs one of ${members.join(", ")}. See trawl help.`);
  throw unknownVerb(first);
}

const helpFlags = new Set(["-h", "--help"]);
const versionFlags = new Set(["-v", "-V", "--version"]);

/** The places of the first two words that are neither flags nor their values. */
function wordPlaces(args: readonly string[]): number[] {
  const places: number[] = [];
  for (let place = 0; place < args.length && places.length < 2; place += 1) {
    const arg = args[place] ?? "";
    if (before.has(arg)) place += 1;
    else if (!arg.startsWith("-")) places.push(place);
    else if (places.length > 0) break;
  }
  return places;
}

function withoutWords(args: readonly string[], places: readonly number[]): string[] {
  return args.filter((_, place) => !places.includes(place));
}

function findVerb(first: string, second = ""): Verb | undefined {
  return (
    verbs.find(({ name }) => name === `${first} ${second}`) ??
    verbs.find(({ name, alias }) => name === first || alias === first)
  );
}

function isUrl(word: string): boolean {
  return /^https?:\/\//i.test(word) || /^[\w-]+(?:\.[\w-]+)+(?::\d+)?(?:[/?#]|$)/.test(word);
}

async function showHelp([first = "", second]: string[]): Promise<void> {
  const verb = findVerb(first, second);
  if (verb) await readInvocation(verb, ["--help"], ownVersion);
  else print(hasMembers(first) ? groupHelp(first) : help(ownVersion));
}

async function runVerb(verb: Verb, args: readonly string[]): Promise<void> {
  const invocation = await readInvocation(verb, args, ownVersion);
  if (!invocation) return;
  const work = await verb.load();
  await work(invocation);
}

/** Runs one command to its end. */
export function run(words: string[]): Promise<void> {
  // A reader that closes early (`| head`) is not a failure. A server goes on without one.
  const isServer = words.includes("serve");
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      if (!isServer && stream === process.stdout) process.exit(0);
    });
  return main(words).catch(report);
}
