// How a command reports a failure, and its exit code: 2 for what the user can fix, 1 for the rest.
import { UsageError } from "../service/usage-error.ts";
import { oneLine } from "../terminal/printing.ts";

/** What requests fail with, from here or from a server. */
interface Failure extends Error {
  status?: number;
  code?: string;
  details?: unknown;
}

const clientErrors = new Set([400, 413, 415, 422]);
const outside = new Set(["EADDRINUSE", "EACCES"]);

/** Failures that the user can fix are one line; others show a stack trace. */
export function report(error: Failure): void {
  const isUsage =
    error instanceof UsageError || error.constructor.name === "ConfigError" || clientErrors.has(error.status ?? 0);
  const isKnown = isUsage || error.status !== undefined || outside.has(error.code ?? "");
  process.stderr.write(`trawl: ${isKnown ? oneLine(firstLine(error)) : (error.stack ?? error)}\n`);
  process.exitCode = isUsage ? 2 : 1;
}

function firstLine({ message, code, details }: Failure): string {
  const [line = ""] = message.split("\n");
  const [detail] = Array.isArray(details) ? (details as { path?: unknown[]; message?: string }[]) : [];
  if (detail?.message === undefined || line.includes(detail.message)) return line;
  // The general message of a bad request says less than the field.
  if (code !== "BAD_REQUEST" || !/^(?:Bad Request|Invalid request body)/i.test(line))
    return `${line} ${detail.message}`;
  return [detail.path?.join(".") ?? "", detail.message].filter(Boolean).join(": ");
}
