// A crawl: a whole site that is read as one job.

import { affordablePages, cutWarning } from "../../accounts/index.ts";
import { bareUrl, isoTime, refusedField, withoutFragment } from "../../base/index.ts";
import {
  type CrawlTerms,
  namedParsers,
  type OperationInput,
  type OperationOutput,
  type PromptOptions,
  type ScrapeOptions,
} from "../../contract/index.ts";
import { type CrawlSettings, jobProgressOf, pageTask, shortKey, shownSettings, steeringOf } from "../../jobs/index.ts";
import { pagePrice, planOutputs } from "../../pages/index.ts";
import { loadDiscovery, requireAllowedUrl, savesProfile } from "../../reach/index.ts";
import type { Job } from "../../store/index.ts";
import { checkArchiveUse, exportWith, joinArchive } from "../parts/archive-use.ts";
import { type OperationParts, type ServedOperations, warningOf } from "../parts/operation-parts.ts";
import { pageOfJobs } from "../parts/page-of-jobs.ts";
import { checkFormatSchemas } from "../parts/schema-check.ts";
import { withCredentials } from "../parts/with-credentials.ts";
import { createCrawlPrompt } from "./crawl-prompt.ts";
import { estimateCrawl } from "./estimate.ts";
import { isTextFormat, textFormats } from "./stop-on-content.ts";

type CrawlInput = OperationInput<"startCrawl"> & CrawlTerms;

export interface CrawlOptions {
  teamConcurrency: number;
  /** Requests to one host at the same time. */
  hostConcurrency: number;
  /** Whether callers may ask not to obey robots.txt. */
  mayIgnoreRobots: boolean;
}

/** They need operator permission. */
const robotsOptions = ["ignoreRobotsTxt", "robotsUserAgent"] as const;

export function createCrawlOperations(parts: OperationParts, options: CrawlOptions) {
  const { store, credits, extraction, model, checkUrl, requireBrowser, archives } = parts;
  const { starter, documents, pauser, exportJob } = parts.jobs;
  const prompts = createCrawlPrompt(model);

  return {
    readCrawl: documents.read,
    cancelCrawl: documents.cancel,
    listCrawlErrors: documents.listErrors,
    watchCrawl: documents.watch,
    pauseCrawl: ({ id }, caller) => pauser.pause("crawl", id, caller),
    exportCrawl: (input, caller) => exportWith(archives, exportJob, "crawl", input, caller),
    resumeCrawl: ({ id }, caller) => pauser.resume("crawl", id, caller),

    async listCrawls(input, { teamId }) {
      const { page, cursor, hasMore } = await pageOfJobs(parts, "crawl", input, teamId);
      return { success: true, crawls: page.map(listedCrawl), cursor, has_more: hasMore };
    },

    async listActiveCrawls(_input, { teamId }) {
      const running = await store.jobs.listOfTeam(teamId, "crawl");
      return { success: true, crawls: running.map((job) => shownCrawl(job)) };
    },

    async previewCrawl(input, caller, signal) {
      prompts.require();
      const url = bareUrl(requireAllowedUrl(checkUrl, input.url));
      const { options, warnings } = await prompts.read({ ...input, url }, caller, signal);
      return { success: true, data: { url, ...options }, ...warningOf(warnings) };
    },

    async startCrawl(asked: CrawlInput, caller, signal) {
      if (asked.prompt !== undefined) prompts.require();
      const plan = planOutputs(asked.scrapeOptions, model?.name, ["scrapeOptions"]);
      await checkFormatSchemas(extraction, asked.scrapeOptions, ["scrapeOptions"]);
      requireBrowser(asked.scrapeOptions);
      const isReplay = asked.replay !== undefined;
      const start = isReplay ? new URL(asked.url) : requireAllowedUrl(checkUrl, asked.url);
      await checkArchiveUse(archives, asked, caller.teamId);
      starter.checkWebhook(asked.webhook);
      starter.checkRetention(asked.retentionHours);
      checkStopWords(asked);
      const price = pagePrice(asked.scrapeOptions, undefined, isReplay);
      await credits.require(caller.teamId, price);
      // Asked when nothing else can refuse the request: the answer costs tokens.
      const { prompt } = asked;
      const prompted =
        prompt === undefined ? null : await prompts.read({ ...asked, url: bareUrl(start), prompt }, caller, signal);
      const input = prompted ? withPrompted(asked, prompted.options) : asked;
      const { createCrawlScope } = await loadDiscovery();
      const scope = await createCrawlScope(start, input);
      const pageLimit = await affordablePages(credits, caller.teamId, price, input.limit);
      const warnings = [
        ...(prompted?.warnings ?? []),
        ...(pageLimit < input.limit ? [cutWarning(pageLimit)] : []),
        ...(options.mayIgnoreRobots ? [] : robotsOptions.filter((name) => input[name]).map(hasNoEffect)),
      ];
      const bare = withoutFragment(bareUrl(start));
      const scrapeOptions = withCredentials(input.scrapeOptions, start);
      const atOnce = maxActive(input, options);
      const crawl = crawlSettings(input, options.mayIgnoreRobots);
      if (input.dryRun) {
        const { teamId } = caller;
        const asked = {
          input: { ...input, ...crawl, scrapeOptions },
          start: bare,
          scope,
          teamId,
          pageLimit,
          price,
          signal,
        };
        const { estimate, warnings: more } = await estimateCrawl(parts, { ...asked, maxActive: atOnce });
        return { success: true, estimate, ...warningOf([...warnings, ...more]) };
      }
      const id = await starter.start<"crawl">(
        {
          settings: {
            kind: "crawl",
            url: bare,
            crawl,
            scrapeOptions,
            credentials: {},
            baseUrl: caller.baseUrl,
            sourceId: input.sourceId,
            archive: input.archive,
            replay: input.replay,
          },
          ...joinArchive(archives, input, { teamId: caller.teamId, url: bare, source: "crawl" }),
          webhook: input.webhook,
          target: input.zeroDataRetention ? "" : bare,
          pageLimit,
          maxActive: atOnce,
          delayMs: isReplay ? 0 : Math.round((input.delay ?? 0) * 1000),
          tasks: [{ ...pageTask(bare, 0), key: shortKey(scope.keyOf(bare)) }],
          warning: warningOf(warnings).warning ?? null,
          limits: { ...input, pagePrice: price },
        },
        caller,
      );
      return {
        success: true,
        id,
        url: `${caller.baseUrl}/v2/crawl/${id}`,
        ...(prompted ? { promptGeneratedOptions: prompted.options, finalCrawlerOptions: { ...crawl } } : {}),
        ...warningOf([...plan.warnings, ...warnings]),
      };
    },
  } satisfies ServedOperations;
}

function shownCrawl(job: Job): OperationOutput<"listActiveCrawls">["crawls"][number] {
  const settings = shownSettings(job);
  const crawl = settings.kind === "crawl" ? settings.crawl : {};
  const options = { ...crawl, scrapeOptions: shownScrapeOptions(settings.scrapeOptions) };
  return { id: job.id, teamId: job.teamId, url: settings.url, created_at: isoTime(job.createdAt), options };
}

function listedCrawl(job: Job): OperationOutput<"listCrawls">["crawls"][number] {
  return {
    ...shownCrawl(job),
    ...jobProgressOf(job),
    ...(job.finishedAt === null ? {} : { completedAt: isoTime(job.finishedAt) }),
    ...(job.expiresAt === null ? {} : { expiresAt: isoTime(job.expiresAt) }),
    ...steeringOf(job),
  };
}

/** A format or parser without options as its string. */
function shownScrapeOptions({ formats, parsers, location, ...options }: ScrapeOptions) {
  const isPlain = ({ type: _, ...own }: { type: string }) =>
    Object.values(own).every((value) => !value || value === "auto");
  const shown = <Item extends { type: string }>(item: Item) => (isPlain(item) ? item.type : item);
  const { country, languages } = location;
  const named = namedParsers({ parsers });
  return { ...options, formats: formats.map(shown), parsers: named.map(shown), location: { country, languages } };
}

/** What the caller sent wins over what was made of the prompt. */
function withPrompted(input: CrawlInput, options: PromptOptions): CrawlInput {
  const free = Object.entries(options).filter(([name]) => !input.given.includes(name));
  return { ...input, ...Object.fromEntries(free) };
}

function hasNoEffect(option: string): string {
  return `${option} has no effect: it needs operator permission (RESPECT_ROBOTS).`;
}

/** They are looked for in what the pages' documents hold. */
function checkStopWords({ stopOnContent, scrapeOptions }: CrawlInput): void {
  if (stopOnContent === undefined || scrapeOptions.formats.some(({ type }) => isTextFormat(type))) return;
  throw refusedField(["stopOnContent"], `Needs a format with the text of pages: ${textFormats.join(", ")}`);
}

/**
 * More than its host serves in parallel would only wait; a few do, so that pages begin and end in larger groups, and more where most
 * of them have not changed and are over at once. With a delay or a profile, pages are read one after the other.
 */
function maxActive(input: CrawlInput, { teamConcurrency, hostConcurrency }: CrawlOptions): number {
  if (input.delay !== undefined || savesProfile(input.scrapeOptions)) return 1;
  const hasManyHosts = input.allowSubdomains || input.allowExternalLinks;
  return Math.min(
    input.maxConcurrency ?? teamConcurrency,
    teamConcurrency,
    hasManyHosts ? Infinity : hostConcurrency * (input.changedSince === undefined ? 2 : 4),
  );
}

function crawlSettings(input: CrawlInput, mayIgnoreRobots: boolean): CrawlSettings {
  const { url, prompt, given, webhook, scrapeOptions, origin, integration, zeroDataRetention, sourceId, ...settings } =
    input;
  return mayIgnoreRobots ? settings : { ...settings, ignoreRobotsTxt: false, robotsUserAgent: undefined };
}
