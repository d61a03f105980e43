// `trawl extract`: starts a job, works on it in this process, and follows it to its end.
import { setTimeout } from "node:timers/promises";
import type { Caller } from "../accounts/index.ts";
import type { Parts } from "../app.ts";
import { ServiceError } from "../base/index.ts";
import type { OperationInput, OperationOutput } from "../contract/index.ts";
import { readInput, readInputFile, UsageError, warn, withParts } from "./command.ts";
import { print, printable } from "./printing.ts";

const lookMs = 50;

export interface ExtractOptions {
  /** File of the JSON Schema. */
  schema?: string | undefined;
  prompt?: string | undefined;
  /** Print the full response, not only the data. */
  json?: boolean | undefined;
}

export async function extract(urls: string[], { schema, prompt, json }: ExtractOptions): Promise<void> {
  if (urls.length === 0) throw new UsageError("trawl extract needs the URLs of pages.");
  const input = readInput<"startExtract">("startExtract", {
    urls,
    ...(schema === undefined ? {} : { schema: await readSchema(schema) }),
    ...(prompt === undefined ? {} : { prompt }),
    showSources: true,
    evidence: true,
    origin: "cli",
  });
  await withParts(async (parts, caller) => {
    const { invalid, answer } = await runExtract(parts, caller, input);
    for (const text of invalid) warn({ warning: `Invalid URL: ${printable(text)}` });
    warn(answer);
    if (answer.status === "failed") throw new ServiceError("INTERNAL_ERROR", answer.error);
    print(JSON.stringify(json ? answer : answer.data, null, 2));
  });
}

async function readSchema(file: string): Promise<unknown> {
  const text = await readInputFile(file);
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`The file ${printable(file)} is not valid JSON.`);
  }
}

async function runExtract({ operations, jobs }: Parts, caller: Caller, input: OperationInput<"startExtract">) {
  const { id, invalidURLs } = await operations.startExtract(input, caller);
  await jobs.start();
  try {
    for (;;) {
      const answer: OperationOutput<"readExtract"> = await operations.readExtract({ id }, caller);
      if (answer.status !== "processing") return { invalid: invalidURLs ?? [], answer };
      await setTimeout(lookMs);
    }
  } finally {
    await jobs.stop(0);
  }
}
