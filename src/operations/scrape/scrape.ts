// One page for one caller: obtain it, write it with its charge and its line in the activity list, answer. The answer is sent
// after everything it promises is in the store.
import type { Caller } from "../../accounts/index.ts";
import { bareUrl, ServiceError } from "../../base/index.ts";
import { keepsNothing, type OperationInput, type OperationOutput, type ScrapeTerms } from "../../contract/index.ts";
import { type PageRequest, pagePrice, planOutputs, withMediaLinks } from "../../pages/index.ts";
import { requireAllowedUrl } from "../../reach/index.ts";
import { checkArchiveUse } from "../parts/archive-use.ts";
import { type OperationParts, warningOf } from "../parts/operation-parts.ts";
import { packReplay } from "../parts/replay.ts";
import { checkFormatSchemas } from "../parts/schema-check.ts";
import { findStoredPage } from "../parts/stored-page.ts";
import { createScrapeRunner, type ScrapeAnswer } from "./scrape-rows.ts";

export function createScrapeOperations(parts: OperationParts) {
  const { credits, extraction, model, checkUrl, requireBrowser, checkCallerProxy, checkFlow } = parts;
  const { obtainPage, archives, clock } = parts;
  const run = createScrapeRunner(parts);

  return {
    async scrape(
      input: OperationInput<"scrape"> & ScrapeTerms & Pick<PageRequest, "flowTerms">,
      caller: Caller,
      signal: AbortSignal,
    ): Promise<ScrapeAnswer> {
      const { scrapeOptions: options, url, obeysRobots = false, flowTerms } = input;
      const plan = planOutputs(options, model?.name);
      await checkFormatSchemas(extraction, options);
      requireBrowser(options);
      const { teamId } = caller;
      if (input.replay === undefined) {
        requireAllowedUrl(checkUrl, url);
        checkCallerProxy(options);
      }
      if (options.flow !== undefined) await checkFlow(teamId, options.flow);
      await checkArchiveUse(archives, input, teamId);
      await credits.require(teamId, pagePrice(options, undefined, input.replay !== undefined));
      return run(input, caller, bareUrl(url), async (id, payer) => {
        const archive = archives.open({ ...input, archiveId: id, teamId, options });
        if (archive?.kind === "capture") {
          await archives.begin(parts.store, { id, teamId, name: bareUrl(url), source: "scrape" });
        }
        const replay = keepsNothing(options) ? undefined : packReplay(parts.sealer, id, url, options);
        const robots = obeysRobots ? ("found" as const) : ("named" as const);
        const obtaining = obtainPage({ id, payer, url, options, plan, robots, replay, flowTerms, archive }, signal);
        if (archive?.kind !== "capture") return obtaining;
        return obtaining.finally(() => archives.end(id, clock.now()));
      });
    },

    async readScrape(
      { id }: OperationInput<"readScrape">,
      caller: Caller,
      signal: AbortSignal,
    ): Promise<OperationOutput<"readScrape">> {
      const { blobId = null, details = {} } = (await findStoredPage(parts, caller.teamId, id)) ?? {};
      if (details.failure) throw new ServiceError(details.failure.code, details.failure.message);
      if (details.jobId !== undefined) return { success: true, status: "scraping" };
      const document = await parts.readStoredDocument({ teamId: caller.teamId, blobId, details }, signal);
      const data = withMediaLinks(document, caller.baseUrl);
      return { success: true, data, ...warningOf([data.warning]) };
    },

    /** Null for a scrape without one; no endpoint has it. */
    async readScrapeNote({ id }: { id: string }, { teamId }: Caller): Promise<string | null> {
      return (await findStoredPage(parts, teamId, id))?.details.note ?? null;
    },
  };
}
