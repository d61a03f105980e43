// `trawl crawl` and `trawl batch`.
import { numberOption, oneCallMs, readInput, readInputFile, UsageError, warn, withParts } from "./command.ts";
import { followJob } from "./follow-job.ts";
import type { Options } from "./options.ts";
import { printable } from "./printing.ts";

export async function crawl([url]: string[], { json, limit, output }: Options): Promise<void> {
  if (url === undefined) throw new UsageError("trawl crawl needs the URL of a site.");
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

export async function batch([file]: string[], { json, output }: Options): Promise<void> {
  if (file === undefined)
    throw new UsageError("trawl batch needs a file with one URL per line, or - for standard input.");
  const text = await readInputFile(file);
  const urls = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const input = readInput<"startBatch">("startBatch", { urls, origin: "cli" });
  await withParts(async (parts, caller) => {
    const started = await parts.operations.startBatch(input, caller);
    for (const invalid of started.invalidURLs ?? []) warn({ warning: `Invalid URL: ${printable(invalid)}` });
    await followJob(parts, caller, started.id, { folder: output ?? null, json: json ?? false });
  });
}
