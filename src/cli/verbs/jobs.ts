// `trawl crawl` and `trawl batch`.
import type { OperationBody } from "../../contract/index.ts";
import { followJob } from "../service/follow-job.ts";
import type { Invocation, OwnFlags } from "../service/invocation.ts";
import { readInputFile, type WorkPlace, withService } from "../service/open-service.ts";
import { openPageOutput } from "../service/page-output.ts";
import { UsageError } from "../service/usage-error.ts";
import { formatField } from "../service/wanted-formats.ts";
import { print, printable, tell, toText, warn } from "../terminal/printing.ts";

export async function crawl({ words: [url], flags, request }: Invocation): Promise<void> {
  if (url === undefined) throw new UsageError("trawl crawl needs the URL of a site.");
  const scrapeOptions = { ...(request["scrapeOptions"] as object | undefined), ...(await formatField(flags)) };
  const body = {
    ...request,
    ...(flags.prompt === undefined ? {} : { prompt: flags.prompt }),
    ...(Object.keys(scrapeOptions).length > 0 ? { scrapeOptions } : {}),
    url,
    origin: "cli",
  } as OperationBody<"startCrawl">;
  await withService(flags, async (service) => {
    await runJob(service, flags, "crawl", body, async () => {
      const started = await service.client.startCrawl(body, service);
      warn(started);
      if ("id" in started) return started.id;
      print(toText("estimate" in started ? started.estimate : started, flags.pretty));
      return null;
    });
  });
}

export async function batch({ words, flags, request }: Invocation): Promise<void> {
  if (words.length === 0)
    throw new UsageError("trawl batch needs a file with one URL per line, URLs, or - for standard input.");
  const urls = words.every((word) => /^https?:\/\//i.test(word)) ? words : await readUrls(words);
  const body = { ...request, ...(await formatField(flags)), urls, origin: "cli" } as OperationBody<"startBatch">;
  await withService(flags, async (service) => {
    await runJob(service, flags, "batch", body, async () => {
      const started = await service.client.startBatchScrape(body, service);
      for (const invalid of started.invalidURLs ?? []) tell(`Invalid URL: ${printable(invalid)}`);
      return started.id;
    });
  });
}

async function readUrls(files: readonly string[]): Promise<string[]> {
  const texts = await Promise.all(files.map(readInputFile));
  return texts.flatMap((text) => text.split(/\r?\n/)).filter((line) => line.trim() !== "" && !line.startsWith("#"));
}

/** Goes on with the job that the folder has not finished, or starts one. */
async function runJob(
  service: WorkPlace,
  flags: OwnFlags,
  kind: "crawl" | "batch",
  body: object,
  start: () => Promise<string | null>,
): Promise<void> {
  if (flags.wait === false) return printId(service, await start());
  const output = await openPageOutput(flags);
  const request = JSON.stringify({ kind, ...body });
  const earlier = await output.folder?.unfinishedJob(request);
  const isLiving = earlier ? await isUnfinished(service, earlier.id, earlier.written) : false;
  if (earlier && isLiving) {
    tell(`Continuing job ${earlier.id}: ${earlier.written} pages are already in the folder.`);
    return followJob(service, { kind, request, id: earlier.id, written: earlier.written }, output);
  }
  const id = await start();
  if (id !== null) await followJob(service, { kind, request, id, written: 0 }, output);
}

/** Whether the job has more pages than were written: it runs, or ended after the last look. */
async function isUnfinished({ client }: WorkPlace, id: string, written: number): Promise<boolean> {
  const status = await client.crawlStatus(id, { skip: written, limit: 1 }).catch(() => null);
  return status !== null && (status.status === "scraping" || status.completed > written);
}

function printId({ local }: WorkPlace, id: string | null): void {
  if (id === null) return;
  print(id);
  if (local) tell("No server is running that could work on this job. Run trawl serve, or leave out --no-wait.");
}
