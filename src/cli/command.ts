// What the commands share: their input, and the parts that do the work.
import { readFile } from "node:fs/promises";
import { text as readText } from "node:stream/consumers";
import { type Caller, defaultTeamName, keylessName } from "../accounts/index.ts";
import { openParts, type Parts } from "../app.ts";
import { createLog } from "../base/index.ts";
import { loadConfig } from "../config.ts";
import { type Endpoint, endpoints, type OperationInput, type OperationName, readRequest } from "../contract/index.ts";
import { printable } from "./printing.ts";

/** A mistake that the user can fix: printed as one line, without a stack trace. */
export class UsageError extends Error {}

/** `-` is standard input. */
export async function readInputFile(file: string): Promise<string> {
  try {
    return file === "-" ? await readText(process.stdin) : await readFile(file, "utf8");
  } catch {
    throw new UsageError(`Cannot read the file ${printable(file)}.`);
  }
}

/** Longer than any timeout of a request. */
export const oneCallMs = 10 * 60_000;

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

/** The field of the input that an option sets, named like the option unless given; nothing without the option. */
export function numberOption(option: string, text: string | undefined, field = option): Record<string, number> {
  if (text === undefined) return {};
  if (!/^-?\d{1,15}$/.test(text)) throw new UsageError(`--${option} must be a whole number.`);
  return { [field]: Number(text) };
}

/** Validates a command's input like the endpoint of the same operation. */
export function readInput<Name extends OperationName>(operation: Name, body: object): OperationInput<Name> {
  const row = (endpoints as readonly Endpoint[]).find((each) => each.operation === operation && each.body);
  const reading = row && readRequest(row, { body });
  if (reading?.ok) return reading.input as OperationInput<Name>;
  const [issue] = reading?.issues ?? [];
  if (!issue) throw new UsageError(`There is no operation ${operation}.`);
  throw new UsageError([issue.path.join("."), issue.message].filter(Boolean).join(": "));
}

/** Commands run for the default team unless another is given, without a key. */
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
