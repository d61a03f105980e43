// An extract: structured data of pages, as a job. Its pages are those of a batch, patterns and a web search add more, and when
// all are read one answer is made of them.

import { affordablePages, cutWarning, minimumCredits, tokensPerCredit } from "../../accounts/index.ts";
import { bareUrl, basicAuthorization, isoTime, refusedField } from "../../base/index.ts";
import type { OperationInput, ScrapeOptions } from "../../contract/index.ts";
import {
  type AnswerRecord,
  type ExtractionSettings,
  type FirstTask,
  type JobSettings,
  type NamedTasks,
  originKey,
  pageTask,
  requireLiving,
  shownSettings,
  urlKey,
} from "../../jobs/index.ts";
import { ignoredOptions, pagePrice, planOutputs } from "../../pages/index.ts";
import { loadDiscovery } from "../../reach/index.ts";
import { type Job, resultAgeMs } from "../../store/index.ts";
import { acceptUrls } from "../parts/accept-urls.ts";
import { anyUrl, checkArchiveUse } from "../parts/archive-use.ts";
import { type OperationParts, type ServedOperations, warningOf } from "../parts/operation-parts.ts";
import { checkSchema } from "../parts/schema-check.ts";
import { wantedWords } from "../parts/wanted-words.ts";

type ExtractInput = OperationInput<"startExtract">;

export interface ExtractOptions {
  teamConcurrency: number;
  /** Most URLs of one request, and most pages of one job. */
  maxUrls: number;
  maxPages: number;
}

export function createExtractOperations(parts: OperationParts, options: ExtractOptions) {
  const { store, clock, credits, extraction, model, checkUrl, requireBrowser, archives } = parts;
  const { starter, records } = parts.jobs;

  async function limitOf(input: ExtractInput, scrapeOptions: ScrapeOptions, teamId: string, plain: number) {
    const wanted = Math.min(input.limit ?? options.maxPages, options.maxPages);
    const limit = await affordablePages(credits, teamId, pagePrice(scrapeOptions), wanted);
    const hasNoWish = input.prompt === undefined && input.schema === undefined;
    const warnings = [
      ...(limit < wanted ? [cutWarning(limit)] : []),
      ...(plain > limit ? [`Only the first ${limit} of ${plain} pages will be read.`] : []),
      ...(hasNoWish ? [withoutWish] : []),
      ...(input.systemPrompt !== undefined && !model ? [withoutModel] : []),
      ...ignoredOptions(input),
    ];
    return { limit, warnings };
  }

  async function find(id: string, teamId: string): Promise<Job> {
    const job = await store.jobs.find(teamId, id);
    const isOurs = job?.kind === "extract" || job?.kind === "agent";
    return requireLiving(isOurs ? job : null, clock.now(), "EXTRACT_NOT_FOUND");
  }

  return {
    async startExtract(input, caller) {
      const { ignoreInvalidURLs, webhook } = input;
      if (input.urls.length > options.maxUrls) {
        throw refusedField(["urls"], `Takes at most ${options.maxUrls} URLs`, "too_big");
      }
      // Only data is answered, whatever outputs are named.
      const scrapeOptions = { ...input.scrapeOptions, formats: [] };
      const plan = planOutputs(scrapeOptions, model?.name, ["scrapeOptions"]);
      requireBrowser(scrapeOptions);
      if (input.schema) await checkSchema(extraction, input.schema, ["schema"]);
      starter.checkWebhook(webhook);
      const { urls, first, invalid } = acceptUrls(input, input.replay ? anyUrl : checkUrl);
      await checkArchiveUse(archives, input, caller.teamId);
      await credits.require(caller.teamId, minimumCredits.extract);
      const named = await nameTasks(urls, input.enableWebSearch);
      const { limit, warnings } = await limitOf(input, scrapeOptions, caller.teamId, named.plain);
      const target = scrapeOptions.zeroDataRetention ? "" : bareUrl(first);
      const id = await starter.start<"extract">(
        {
          settings: {
            kind: "extract",
            url: bareUrl(first),
            extraction: settingsOf(input, urls, limit, named, clock.now()),
            scrapeOptions,
            credentials: named.credentials,
            baseUrl: caller.baseUrl,
            replay: input.replay,
          },
          webhook,
          target,
          // The pages themselves are counted where they are found; the answer needs room beyond them.
          pageLimit: limit + 1,
          maxActive: options.teamConcurrency,
          delayMs: 0,
          tasks: named.tasks.slice(0, limit + named.searches),
          warning: warningOf(warnings).warning ?? null,
        },
        caller,
      );
      return {
        success: true,
        id,
        ...(ignoreInvalidURLs ? { invalidURLs: invalid } : {}),
        ...warningOf([...plan.warnings, ...warnings]),
      };
    },

    /** Also of an agent: the specification reads both here. */
    async readExtract({ id }, { teamId }) {
      const job = await find(id, teamId);
      const record = job.status === "completed" ? await records.readAnswer(job) : null;
      const settings = shownSettings(job);
      const isPlanned = settings.kind === "agent" && settings.agent.planning !== undefined;
      return {
        success: job.status !== "failed",
        status: job.status === "scraping" ? "processing" : job.status,
        data: record ? record.data : [],
        ...(job.error === null ? {} : { error: job.error }),
        expiresAt: isoTime(job.expiresAt ?? job.createdAt + resultAgeMs),
        ...shownParts(record, settings),
        // Without a language model, tokens are another unit of credits.
        tokensUsed: record?.tokens ?? (isPlanned ? 0 : job.credits * tokensPerCredit),
        creditsUsed: job.credits,
        ...warningOf([job.warning, record?.warning]),
      };
    },
  } satisfies ServedOperations;
}

const withoutWish =
  "Without prompt and schema, all structured data of the pages is returned. Send a schema for a precise answer.";
const withoutModel = "systemPrompt has no effect: no language model is configured.";

/** An agent shows its sources, evidence and steps elsewhere. */
function shownParts(record: AnswerRecord | null, settings: JobSettings) {
  if (!record || settings.kind !== "extract") return {};
  const { showSources, evidence, trace } = settings.extraction;
  return {
    ...(showSources ? { sources: record.sources } : {}),
    ...(evidence ? { evidence: record.evidence } : {}),
    ...(trace ? { trace: record.steps } : {}),
  };
}

interface Named extends NamedTasks<"extract"> {
  /** URLs of single pages. */
  plain: number;
  /** Patterns, and the web search. */
  searches: number;
}

/** Each URL once. */
async function nameTasks(urls: readonly string[], enableWebSearch: boolean): Promise<Named> {
  const { readGlob } = await loadDiscovery();
  const plain = new Map<string, FirstTask<"extract">>();
  const searches = new Map<string, FirstTask<"extract">>();
  const credentials: Record<string, string> = {};
  if (enableWebSearch) {
    searches.set("search", { key: "search", url: bareUrl(urls[0] ?? ""), depth: 0, kind: "search", step: null });
  }
  for (const text of urls) {
    const isPattern = readGlob(text) !== null;
    const key = isPattern ? `pattern ${urlKey(text)}` : urlKey(text);
    const url = bareUrl(text);
    if (isPattern) searches.set(key, { key, url, depth: 0, kind: "pattern", step: null });
    else plain.set(key, { ...pageTask(text, 0), url });
    const authorization = basicAuthorization(new URL(text));
    if (authorization === null) continue;
    credentials[key] = authorization;
    if (isPattern) credentials[originKey(text)] = authorization;
  }
  // Searches take no room from pages, and begin at once.
  const tasks = [...searches.values(), ...plain.values()];
  return { tasks, credentials, plain: plain.size, searches: searches.size };
}

function settingsOf(
  input: ExtractInput,
  urls: readonly string[],
  limit: number,
  { plain, searches }: Named,
  now: number,
): ExtractionSettings {
  const { schema = null, prompt = null, systemPrompt, timeout } = input;
  const { ignoreSitemap, includeSubdomains, allowExternalLinks, showSources, evidence, trace } = input;
  const finders = searches + (allowExternalLinks ? plain : 0);
  return {
    schema,
    prompt,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    words: wantedWords(schema, prompt),
    urls: urls.map((url) => bareUrl(url)),
    limit,
    share: finders === 0 ? 0 : Math.floor(Math.max(0, limit - plain) / finders),
    deadline: timeout === undefined ? null : now + timeout,
    ignoreSitemap,
    includeSubdomains,
    allowExternalLinks,
    showSources,
    evidence,
    trace,
  };
}
