// What the commands have in common: their input, and the parts that do the work.
import { readFile } from "node:fs/promises";
import { text as readText } from "node:stream/consumers";
import { type Caller, defaultTeamName, keylessName } from "../accounts/index.ts";
import { openParts, type Parts } from "../app.ts";
import { createLog } from "../base/index.ts";
import { loadConfig } from "../config.ts";
import { type Endpoint, endpoints, type OperationInput, type OperationName, readRequest } from "../contract/index.ts";
import { printable } from "./printing.ts";

/** Something the user can mend: printed as one line, without a stack. */
export class UsageError extends Error {}

/** `-` is standard input. */
export async function readInputFile(file: string): Promise<string> {
  try {
    return file === "-" ? await readText(process.stdin) : await readFile(file, "utf8");
  } catch {
    throw new UsageError(`The file ${printable(file)} cannot be read.`);
  }
}

export async function withParts(
  work: (parts: Parts, caller: Caller) => Promise<void>,
  teamName: string = defaultTeamName,
): Promise<void> {
  const parts = await openParts(loadConfig(), { log: createLog("silent") });
  try {
    await work(parts, await localCaller(parts, teamName));
  } finally {
    await parts.close();
  }
}

export function warn({ warning }: { warning?: string | null | undefined }): void {
  if (warning) process.stderr.write(`trawl: ${warning}\n`);
}

/** A number that an option gives to a field of the input, under the option's name unless given; nothing without it. */
export function numberOption(option: string, text: string | undefined, field = option): Record<string, number> {
  if (text === undefined) return {};
  if (!/^-?\d{1,15}$/.test(text)) throw new UsageError(`--${option} takes a whole number.`);
  return { [field]: Number(text) };
}

/** Reads a command's input as the endpoint of the same operation would. */
export function readInput<Name extends OperationName>(operation: Name, body: object): OperationInput<Name> {
  const row = (endpoints as readonly Endpoint[]).find((each) => each.operation === operation && each.body);
  const reading = row && readRequest(row, { body });
  if (reading?.ok) return reading.input as OperationInput<Name>;
  const [issue] = reading?.issues ?? [];
  if (!issue) throw new UsageError(`There is no operation ${operation}.`);
  throw new UsageError([issue.path.join("."), issue.message].filter(Boolean).join(": "));
}

/** Commands work for the default team unless they name another, without a key. */
async function localCaller({ accounts }: Parts, name: string): Promise<Caller> {
  const team = name === defaultTeamName ? await accounts.teams.findOrCreate(name) : await accounts.teams.find(name);
  if (!team) throw new UsageError(`There is no team ${printable(name)}. See trawl teams list.`);
  const { id: teamId, name: teamName } = team;
  return {
    teamId,
    teamName,
    keyId: null,
    keyName: keylessName,
    requestsPerMinute: null,
    apiVersion: "v2",
    baseUrl: "",
    idempotencyKey: null,
  };
}
