// How a command reports a failure, and its exit code: 2 for what the user can fix, 1 for the rest.
import { ServiceError } from "../base/index.ts";
import { ConfigError } from "../config.ts";
import { UsageError } from "./command.ts";

const clientErrors = new Set([400, 413]);

/** Failures that the user can fix are one line; others show a stack trace. */
export function report(error: Error & { code?: string }): void {
  const isUsage = error instanceof UsageError || error instanceof ConfigError || isBadInput(error);
  const isOutside = error instanceof ServiceError || error.code === "EADDRINUSE" || error.code === "EACCES";
  process.stderr.write(`trawl: ${isUsage || isOutside ? firstLine(error) : (error.stack ?? error)}\n`);
  process.exitCode = isUsage ? 2 : 1;
}

function isBadInput(error: Error & { code?: string }): boolean {
  if (error instanceof ServiceError) return clientErrors.has(error.status);
  return error.code?.startsWith("ERR_PARSE_ARGS") ?? false;
}

function firstLine(error: Error & { code?: string }): string {
  const [line = ""] = error.message.split("\n");
  if (error.code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
    return `Unknown option ${/'(.*?)'/.exec(line)?.[1] ?? ""}. See trawl help.`;
  }
  const [detail] = error instanceof ServiceError && Array.isArray(error.details) ? error.details : [];
  return detail?.message === undefined || line.includes(detail.message) ? line : `${line} ${detail.message}`;
}
