// What the commands have in common: their input, the parts that do the work, and what they print.
import { readFile } from "node:fs/promises";
import { text as readText } from "node:stream/consumers";
import { type Caller, defaultTeamName, keylessName } from "../accounts/index.ts";
import { openParts, type Parts } from "../app.ts";
import { createLog } from "../base/index.ts";
import { loadConfig } from "../config.ts";
import { type Endpoint, endpoints, type OperationInput, type OperationName, readRequest } from "../contract/index.ts";

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

export async function withParts(work: (parts: Parts, caller: Caller) => Promise<void>): Promise<void> {
  const parts = await openParts(loadConfig(), { log: createLog("silent") });
  try {
    await work(parts, await localCaller(parts));
  } finally {
    await parts.close();
  }
}

export function warn({ warning }: { warning?: string | null | undefined }): void {
  if (warning) process.stderr.write(`trawl: ${warning}\n`);
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

/** Commands work for the default team, without a key. */
async function localCaller({ accounts }: Parts): Promise<Caller> {
  const team = await accounts.teams.findOrCreate(defaultTeamName);
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

/** Text from outside, safe for a terminal. */
export function printable(text: string): string {
  return text.replace(/\p{C}/gu, "?").slice(0, 80);
}

/** The same for text that is shown whole. */
export function oneLine(text: string): string {
  return text.replace(/\p{C}/gu, " ").trim();
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
