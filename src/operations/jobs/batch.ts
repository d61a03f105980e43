// Reading a list of pages as one job: a crawl whose frontier is fixed.
import type { Caller, Credits } from "../../accounts/index.ts";
import { bareUrl, basicAuthorization } from "../../base/index.ts";
import type { OperationInput, OperationOutput } from "../../contract/index.ts";
import type { Judge, LanguageModel, SchemaCheck } from "../../pages/index.ts";
import {
  type BrowserCheck,
  noneValid,
  pagePrice,
  planOutputs,
  refusalOf,
  savesProfile,
  sortOut,
} from "../../pages/index.ts";
import type { JobStarter, NamedPages } from "./job-start.ts";

export interface BatchDeps {
  credits: Credits;
  starter: JobStarter;
  schemas: SchemaCheck;
  judge: Judge;
  requireBrowser: BrowserCheck;
  /** Null when none is configured. */
  model: LanguageModel | null;
  /** Pages of a team at the same time. */
  teamConcurrency: number;
}

export function createBatchOperations(deps: BatchDeps) {
  const { credits, starter, judge, teamConcurrency } = deps;
  return {
    async startBatch(input: OperationInput<"startBatch">, caller: Caller): Promise<OperationOutput<"startBatch">> {
      const { scrapeOptions, webhook, appendToId, ignoreInvalidURLs } = input;
      const plan = planOutputs(scrapeOptions, deps.model?.name);
      await deps.schemas.checkFormats(scrapeOptions);
      deps.requireBrowser(scrapeOptions);
      starter.judgeWebhook(webhook);
      const { urls, invalid } = sortOut(input.urls, judge);
      if (invalid.length > 0 && !ignoreInvalidURLs) throw refusalOf(input.urls, invalid[0], judge);
      const [first] = urls;
      if (first === undefined) throw noneValid(input.urls, judge);
      await credits.require(caller.teamId, urls.length * pagePrice(scrapeOptions));

      const target = scrapeOptions.zeroDataRetention ? "" : bareUrl(first);
      const { pages, credentials } = namePages(urls, 0);
      const most = Math.min(input.maxConcurrency ?? teamConcurrency, teamConcurrency);
      const maxActive = savesProfile(scrapeOptions) ? 1 : most;
      const appended =
        appendToId === undefined
          ? null
          : await starter.append(
              { id: appendToId, name: (from) => namePages(urls, from), target, scrapeOptions, webhook },
              caller,
            );
      const warnings = appended === null ? plan.warnings : [...plan.warnings, appended];
      const id =
        appendToId ??
        (await starter.start(
          {
            kind: "batch",
            settings: { url: bareUrl(first), crawl: null, scrapeOptions, credentials, baseUrl: caller.baseUrl },
            webhook,
            target,
            pageLimit: pages.length,
            maxActive,
            delayMs: 0,
            pages,
            warning: null,
          },
          caller,
        ));
      return {
        success: true,
        id,
        url: `${caller.baseUrl}/v2/batch/scrape/${id}`,
        ...(ignoreInvalidURLs ? { invalidURLs: invalid } : {}),
        ...(warnings.length > 0 ? { warning: warnings.join(" ") } : {}),
      };
    },
  };
}

/** Pages are known by their place in the list: the same address twice is read twice. */
function namePages(urls: readonly string[], from: number): NamedPages {
  const credentials: Record<string, string> = {};
  const pages = urls.map((text, index) => {
    const url = new URL(text);
    const key = String(from + index);
    const authorization = basicAuthorization(url);
    if (authorization !== null) credentials[key] = authorization;
    return { key, url: bareUrl(url), kind: "page" as const, step: null };
  });
  return { pages, credentials };
}
