// One page for one caller: obtain it, write it with its charge and its line in the activity list, answer. The answer is sent
// after everything it promises is in the store.
import type { Caller, Credits } from "../../accounts/index.ts";
import { bareUrl, type Clock, newId, ServiceError } from "../../base/index.ts";
import type { OperationInput, ScrapeTerms } from "../../contract/index.ts";
import {
  type BrowserCheck,
  type FindStoredPage,
  keepsNothing,
  type LanguageModel,
  type ObtainPage,
  pagePrice,
  planOutputs,
  type ReadStoredDocument,
  type Replays,
  type SavePages,
  type SchemaCheck,
  withMediaLinks,
} from "../../pages/index.ts";
import { type CallerProxyCheck, type CheckUrl, requireAllowedUrl } from "../../reach/index.ts";
import type { Store } from "../../store/index.ts";
import { createScrapeWriter, type ScrapeAnswer, scrapeAnswer, withinBudget } from "./scrape-rows.ts";

export interface ScrapeDeps {
  store: Store;
  clock: Clock;
  credits: Credits;
  schemas: SchemaCheck;
  /** Whether a URL may be asked for; it is checked again where it is dialled. */
  checkUrl: CheckUrl;
  requireBrowser: BrowserCheck;
  checkCallerProxy: CallerProxyCheck;
  obtainPage: ObtainPage;
  savePages: SavePages;
  findStoredPage: FindStoredPage;
  readStoredDocument: ReadStoredDocument;
  /** Null when none is configured. */
  model: LanguageModel | null;
  replays: Pick<Replays, "pack">;
}

export function createScrapeOperations(deps: ScrapeDeps) {
  const { clock } = deps;
  const write = createScrapeWriter(deps);

  return {
    async scrape(
      input: OperationInput<"scrape"> & ScrapeTerms,
      caller: Caller,
      signal: AbortSignal,
    ): Promise<ScrapeAnswer> {
      const { scrapeOptions: options, url, obeysRobots = false, note } = input;
      const plan = planOutputs(options, deps.model?.name);
      await deps.schemas.checkFormats(options);
      deps.requireBrowser(options);
      requireAllowedUrl(deps.checkUrl, url);
      deps.checkCallerProxy(options);
      const { teamId, keyId } = caller;
      await deps.credits.require(teamId, pagePrice(options));

      const startedAt = clock.now();
      const id = newId(startedAt);
      const replay = keepsNothing(options) ? undefined : deps.replays.pack(id, url, options);
      const payer = { teamId, keyId, jobId: id, endpoint: "scrape", chargeId: newId(startedAt) };
      const request = {
        id,
        payer,
        url,
        options,
        plan,
        robots: obeysRobots ? ("found" as const) : ("named" as const),
        replay,
      };
      const job = { id, startedAt, caller, target: bareUrl(url), options, note };
      input.onRecord?.(id);
      return scrapeAnswer(
        input,
        caller,
        await write(job, async () => withinBudget(await deps.obtainPage(request, signal), input)),
      );
    },

    async readScrape({ id }: OperationInput<"readScrape">, caller: Caller, signal: AbortSignal): Promise<ScrapeAnswer> {
      const { blobId = null, details = {} } = (await deps.findStoredPage(caller.teamId, id)) ?? {};
      if (details.failure) throw new ServiceError(details.failure.code, details.failure.message);
      const document = await deps.readStoredDocument({ teamId: caller.teamId, blobId, details }, signal);
      const data = withMediaLinks(document, caller.baseUrl);
      const { warning } = data;
      return { success: true, data, ...(warning ? { warning } : {}) };
    },

    /** Null for a scrape without one; no endpoint has it. */
    async readScrapeNote({ id }: OperationInput<"readScrape">, { teamId }: Caller): Promise<string | null> {
      return (await deps.findStoredPage(teamId, id))?.details.note ?? null;
    },
  };
}
