// llms.txt of v1: the pages of a site, mapped and then scraped as one job, as the two texts.
import { affordablePages, type Caller, cutWarning } from "../../accounts/index.ts";
import { bareUrl, isoTime, ServiceError } from "../../base/index.ts";
import { scrapeOptions as scrapeOptionsSchema } from "../../contract/index.ts";
import {
  type ActiveTask,
  failed,
  type KindOfWork,
  ownUrls,
  type PageEnding,
  type PageJobContext,
  pageTask,
  requireLiving,
  type SettingsOf,
  shownSettings,
} from "../../jobs/index.ts";
import { type PageRows, pagePrice } from "../../pages/index.ts";
import { requireAllowedUrl } from "../../reach/index.ts";
import { resultAgeMs } from "../../store/index.ts";
import type { LlmsPage } from "../../text/index.ts";
import { llmsLine } from "../../text/index.ts";
import { type OperationParts, type ServedOperations, warningOf } from "../parts/operation-parts.ts";
import { openDocumentJob } from "../parts/page-context.ts";
import { withCredentials } from "../parts/with-credentials.ts";

type LlmsContext = PageJobContext<"llmstxt">;

const deprecated = "POST /v1/llmstxt is deprecated. Use POST /v2/crawl, and its export in the format llmstxt.";
const replacement = "/v2/crawl";
/** Pages are found, not named. */
const foundDepth = 1;

export function createLlmsTextOperations(parts: OperationParts, { hostConcurrency }: { hostConcurrency: number }) {
  const { store, clock, credits, checkUrl } = parts;
  const { starter, documents, readLlmsPages } = parts.jobs;

  return {
    async startLlmsText({ url: asked, maxUrls, showFullText, cache }, caller) {
      const start = requireAllowedUrl(checkUrl, asked);
      const url = bareUrl(start);
      const read = scrapeOptionsSchema.parse({ formats: ["markdown"], ...(cache ? {} : { maxAge: 0 }) });
      const scrapeOptions = withCredentials(read, start);
      const price = pagePrice(scrapeOptions);
      await credits.require(caller.teamId, price);
      const pageLimit = await affordablePages(credits, caller.teamId, price, maxUrls);
      const warnings = pageLimit < maxUrls ? [cutWarning(pageLimit)] : [];
      const id = await starter.start<"llmstxt">(
        {
          settings: { kind: "llmstxt", url, showFullText, scrapeOptions, credentials: {}, baseUrl: caller.baseUrl },
          webhook: undefined,
          target: url,
          pageLimit,
          maxActive: hostConcurrency,
          delayMs: 0,
          tasks: [{ key: "site", url, depth: 0, kind: "pattern", step: null }],
          warning: warnings[0] ?? null,
          limits: { pagePrice: price },
        },
        caller,
      );
      return { success: true, id, warnings: [deprecated, ...warnings], replacement };
    },

    async readLlmsText({ id }, caller: Caller) {
      const found = await store.jobs.find(caller.teamId, id);
      const job = requireLiving(found?.kind === "llmstxt" ? found : null, clock.now(), "LLMSTXT_NOT_FOUND");
      const { url, showFullText } = shownSettings(job) as SettingsOf<"llmstxt">;
      const isDone = job.status === "completed" && job.completed > 0;
      const pages = isDone ? await readLlmsPages((await documents.open({ id }, caller)).documents) : [];
      const [first] = job.status === "scraping" || isDone ? [] : await store.jobResults.listErrors(id, 1);
      const error = job.error ?? first?.message ?? "No page of the site could be read.";
      const warnings = [deprecated, ...(job.warning === null ? [] : [job.warning])];
      return {
        success: true,
        status: job.status === "scraping" ? "processing" : isDone ? "completed" : "failed",
        data: textsOf(new URL(url).host, pages, showFullText),
        expiresAt: isoTime(job.expiresAt ?? job.createdAt + resultAgeMs),
        ...(job.status === "scraping" || isDone ? {} : { error }),
        warnings,
        replacement,
      };
    },
  } satisfies ServedOperations;
}

function textsOf(host: string, pages: readonly (LlmsPage & { markdown: string })[], isWhole: boolean) {
  const sorted = pages.toSorted((one, other) => (one.url < other.url ? -1 : 1));
  const lines = sorted.map(llmsLine);
  const parts = sorted.map(({ markdown }, place) => `<|page-${place + 1}|>\n${markdown.trim()}\n`);
  return {
    llmstxt: pages.length === 0 ? "" : `# ${host} llms.txt\n\n${lines.join("\n")}\n`,
    ...(isWhole && pages.length > 0 ? { llmsfulltxt: `# ${host} llms-full.txt\n\n${parts.join("\n")}` } : {}),
  };
}

export function createLlmsTextWork(parts: OperationParts): KindOfWork<"llmstxt", LlmsContext, PageRows> {
  const { model, findSiteUrls } = parts;
  const pages = parts.jobs.taskPages;

  /** Its pages, those that it would be asked first. */
  async function mapSite({ context, signal }: ActiveTask<LlmsContext, "pattern">): Promise<PageEnding> {
    const { job, settings } = context;
    const { location, headers } = settings.scrapeOptions;
    const wanted = { includeSubdomains: false, ignoreQueryParameters: true, ignoreCache: false, filterByPath: true };
    const found = { useIndex: true, sitemap: "include" as const, limit: mostListed(job.pageLimit) };
    const request = { teamId: job.teamId, url: settings.url, location, headers, includePaths: [], excludePaths: [] };
    try {
      const { links, startWarnings, warnings } = await findSiteUrls({ ...request, ...wanted, ...found }, signal);
      if (signal.aborted) return { kind: "released" };
      if (links.length === 0) return failed("NOT_FOUND", startWarnings[0] ?? "No page of the site was found.");
      const tasks = links.map(({ url }) => pageTask(url, foundDepth));
      return { kind: "nothing", found: tasks, refused: [], ...warningOf([...startWarnings, ...warnings]) };
    } catch (error) {
      if (signal.aborted) return { kind: "released" };
      if (!(error instanceof ServiceError)) throw error;
      return failed(error.code, error.message);
    }
  }

  async function readPage({ task, context, signal }: ActiveTask<LlmsContext, "page">): Promise<PageEnding> {
    const pausedUntil = pages.pausedUntil(task.url);
    if (pausedUntil > 0) return { kind: "released", notBefore: pausedUntil };
    const isOwn = await ownUrls(context.settings.url);
    const asked = { task, context, outlinks: false, sendsHeaders: isOwn(task.url), robots: "found" as const, signal };
    const page = await pages.read(asked);
    if (!page.ok) return page.ending;
    const { url = task.url } = page.reading.document.metadata;
    return pages.end(context, { page, endKey: pageTask(url, 0).key, findings: { found: [], refused: [] } });
  }

  return { open: (context) => openDocumentJob(context, model), tasks: { pattern: mapSite, page: readPage } };
}

/** More than are read, in place of those that robots.txt keeps away or that are the same page. */
function mostListed(pageLimit: number): number {
  return 2 * pageLimit + 10;
}
