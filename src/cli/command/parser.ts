// One parser for all verbs: the command of a verb with its flags, and what the user wrote, read by it.
import { Command, CommanderError, Option } from "commander";
import type { Flag } from "../service/flags.ts";
import type { Invocation, OwnFlags, ShownVerb } from "../service/invocation.ts";
import { didYouMean, nearestNames } from "../service/nearest-names.ts";
import { UsageError } from "../service/usage-error.ts";
import { printable } from "../terminal/printing.ts";
import type { FlagSet, Verb } from "./verb.ts";
import { flagSets, verbs } from "./verb-table.ts";

/** The flags that a verb's operation gives it. */
async function operationFlags({ operation, left }: Verb): Promise<Flag[]> {
  if (operation === undefined) return [];
  // Loaded with the first verb that has an operation: help of the whole command does not need the contract.
  const { flagsOf } = await import("../service/flags.ts");
  return flagsOf(operation, left);
}

function ownFlags({ sets, flags = [] }: Verb): (readonly [string, string])[] {
  return [...flags, ...sets.flatMap((set) => flagSets[set])];
}

/** Names of all flags of a verb, as `--name`. */
async function flagNames(verb: Verb): Promise<string[]> {
  const own = ownFlags(verb)
    .filter(([written]) => !written.startsWith("?"))
    .map(([written]) => /--[\w-]+/.exec(written)?.[0] ?? "");
  const derived = (await operationFlags(verb)).flatMap(({ name, kind }) =>
    kind === "boolean" ? [`--${name}`, `--no-${name}`] : [`--${name}`],
  );
  return [...new Set([...own, ...derived, "--help"])].sort();
}

function describeVerbs(): Promise<ShownVerb[]> {
  return Promise.all(
    verbs.map(async (verb) => ({ name: verb.name, summary: verb.summary, flags: await flagNames(verb) })),
  );
}

const valueNames: Record<Flag["kind"], string> = {
  boolean: "",
  integer: " <number>",
  number: " <number>",
  text: " <text>",
  list: " <items...>",
  json: " <json...>",
};

/** Own flags that say where the work is done and how its result is written. */
const outputSets: readonly FlagSet[] = ["server", "team", "json", "output", "pages", "wait"];

function groupOf({ sets }: Verb, written: string): string {
  const isOutput = outputSets.some((set) => sets.includes(set) && flagSets[set].some(([flag]) => flag === written));
  return isOutput ? "Output and server:" : "Request:";
}

/** `showsAll`: the flags beside those that people need first, too. */
async function commandOf(verb: Verb, showsAll: boolean): Promise<{ command: Command; flags: Flag[] }> {
  const { first } = verb;
  const isRest = ({ long = "" }: Option) => !showsAll && first !== undefined && !first.includes(String(long).slice(2));
  const command = new Command(`trawl ${verb.name}`)
    .description(sentence(verb.summary))
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .helpOption("-h, --help", "show this help")
    .addHelpText("after", `\nExamples:\n${verb.examples.map((line) => `  $ ${line}`).join("\n")}`);
  if (verb.words !== undefined) command.arguments(verb.words);
  const taken = new Set<string>();
  for (const [written, description] of ownFlags(verb)) {
    const option = new Option(written.replace(/^\?/, ""), description).hideHelp(written.startsWith("?"));
    if (option.variadic) option.variadic = false;
    if (written.includes("...>")) option.argParser((text: string, earlier: string[] = []) => [...earlier, text]);
    if (isRest(option)) option.hideHelp();
    if (showsAll) option.helpGroup(groupOf(verb, written));
    command.addOption(option);
    taken.add(option.long ?? "");
  }
  const flags = (await operationFlags(verb)).filter(({ name }) => !taken.has(`--${name}`));
  for (const { name, kind, description, path } of flags) {
    const group = showsAll && path[0] === "scrapeOptions" ? "Each page:" : "Request:";
    const option = new Option(`--${name}${valueNames[kind].replace("...", "")}`, description).helpGroup(group);
    if (isRest(option)) option.hideHelp();
    // A flag that is given twice is a list of two.
    if (kind === "list" || kind === "json")
      option.argParser((text: string, earlier: string[] = []) => [...earlier, text]);
    command.addOption(option);
    if (kind === "boolean") command.addOption(new Option(`--no-${name}`, `not: ${description}`).hideHelp());
  }
  if (first) command.option("--help-all", "show all flags");
  return { command, flags };
}

/** Reads what follows a verb's name; throws a usage error in one line. Null: help was asked for and printed. */
export async function readInvocation(verb: Verb, args: readonly string[], version: string): Promise<Invocation | null> {
  const showsAll = args.includes("--help-all");
  const { command, flags } = await commandOf(verb, showsAll);
  let help = "";
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
    writeErr: () => undefined,
  });
  try {
    command.parse(showsAll ? ["--help"] : [...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code !== "commander.helpDisplayed") throw await usageErrorOf(error, verb);
    process.stdout.write(help);
    return null;
  }
  const values = command.opts<OwnFlags & { maxDepth?: string }>();
  // Loaded before, with the flags.
  const { requestFrom, flagNumber } = await import("../service/flags.ts");
  const request = await requestFrom(flags, values as Record<string, unknown>);
  if (values.maxDepth !== undefined) request["maxDiscoveryDepth"] = flagNumber("max-depth", values.maxDepth);
  return { words: command.args, flags: values, request, version, describeVerbs };
}

/** The parser's complaint, in our words. */
async function usageErrorOf({ code, message }: CommanderError, verb: Verb): Promise<UsageError> {
  const [first = "", suggestion] = message.replace(/^error: /, "").split("\n");
  const name = printable(/'(-[^ ',]*|.*?)[ ',]/.exec(first)?.[1] ?? "");
  const near = /Did you mean .*\?/.exec(suggestion ?? "")?.[0];
  if (code === "commander.unknownOption") {
    const others = await Promise.all(verbs.filter((each) => each !== verb).map(flagNames));
    if (others.some((names) => names.includes(name)))
      return new UsageError(`trawl ${verb.name} does not accept ${name}. See trawl help.`);
    return new UsageError(`Unknown option ${name}.${near ? ` ${near}` : ""} See trawl help.`);
  }
  if (code === "commander.excessArguments") return new UsageError("Unexpected arguments. See trawl help.");
  if (code === "commander.optionMissingArgument") {
    const flag = /--[\w-]+/.exec(first)?.[0] ?? name;
    return new UsageError(`${flag} needs a value. See trawl ${verb.name} --help.`);
  }
  return new UsageError(`${sentence(first)} See trawl help.`);
}

/** What is wrong with a first word that is no verb, with the nearest verb. */
export function unknownVerb(word: string): UsageError {
  const names = new Set(verbs.map(({ name }) => name.split(" ")[0] ?? ""));
  const near = didYouMean(nearestNames(word, [...names, "help"]));
  return new UsageError(`Unknown command: ${printable(word)}.${near} See trawl help.`);
}

function sentence(text: string): string {
  const full = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!]$/.test(full) ? full : `${full}.`;
}
