// Follows a crawl or batch to its end: writes its pages as they come, says how far it is, and how it went.
import type { JobLook } from "../../client/index.ts";
import { tell } from "../terminal/printing.ts";
import { createProgress } from "../terminal/progress.ts";
import type { WorkPlace } from "./open-service.ts";
import type { PageOutput } from "./page-output.ts";

interface Followed {
  /** The job. */
  id: string;
  kind: "crawl" | "batch";
  /** The request, as a folder remembers it. */
  request: string;
  /** Documents that an earlier run has written. */
  written: number;
}

const maxErrorsShown = 20;
const errorsEveryMs = 3000;
/** Exit codes besides 0. */
const failed = 1;
const partly = 3;

/** Resolves when the job has ended and everything is written. Ctrl-C cancels the job; what is done stays. */
export async function followJob(service: WorkPlace, job: Followed, output: PageOutput | null): Promise<void> {
  const { client, signal, local } = service;
  const { id } = job;
  const progress = createProgress();
  const cancel = () => void client.cancelCrawl(id).catch(() => undefined);
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  await local?.parts.work.start();
  try {
    let { written } = job;
    let failures = 0;
    let askedAt = performance.now();
    let last: JobLook | undefined;
    await output?.folder?.noteJob({ id, request: job.request, written });
    // Without the signal: the documents that were read before an interrupt are still written.
    const looks = job.kind === "crawl" ? client.followCrawl : client.followBatchScrape;
    for await (const look of looks(id, { skip: written, intervalMs: 1000 })) {
      last = look;
      for (const document of look.data) {
        await output?.write(document);
        written += 1;
      }
      if (look.data.length > 0) await output?.folder?.noteJob({ id, request: job.request, written });
      if (progress.isDue() && performance.now() - askedAt > errorsEveryMs) {
        askedAt = performance.now();
        failures = (await client.crawlErrors(id)).errors.length;
      }
      progress.show({ status: look.status, total: look.total, written, failed: failures, ...hostOf(look) });
    }
    for (const url of last?.removed ?? []) await output?.folder?.remove(url);
    await output?.end();
    const { errors, robotsBlocked } = await client.crawlErrors(id);
    progress.end(errors.length, robotsBlocked.length);
    if (signal.aborted) tell(`Cancelled job ${id}. The ${written} pages read so far are kept.`);
    for (const { url, error } of errors.slice(0, maxErrorsShown)) tell(`${url}: ${error}`);
    if (last?.warning) tell(last.warning);
    if (last?.error) tell(last.error);
    await output?.folder?.noteJob(null);
    if (written === 0) process.exitCode = failed;
    else if (errors.length > 0 || last?.status === "failed") process.exitCode = partly;
  } finally {
    signal.removeEventListener("abort", cancel);
    await local?.parts.work.stop(0);
  }
}

function hostOf({ data }: JobLook): { host?: string } {
  const url = data.at(-1)?.metadata.sourceURL ?? "";
  return URL.canParse(url) ? { host: new URL(url).host } : {};
}
