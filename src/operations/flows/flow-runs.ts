// Runs of a flow: a scrape whose page its steps lead to, with what each step did.
import type { Caller } from "../../accounts/index.ts";
import { ServiceError } from "../../base/index.ts";
import type { OperationInput, OperationOutput, ScrapeTerms } from "../../contract/index.ts";
import type { FlowReport } from "../../engines/index.ts";
import type { FlowTerms } from "../../pages/index.ts";
import { type OperationParts, warningOf } from "../parts/operation-parts.ts";

export type ScrapePage = (
  input: OperationInput<"scrape"> & ScrapeTerms & { flowTerms?: FlowTerms | undefined },
  caller: Caller,
  signal: AbortSignal,
) => Promise<OperationOutput<"scrape">>;

type Ended = FlowReport & { version: number; usedModel: boolean };

export function createFlowRunner({ store, clock, checkFlow }: OperationParts, scrape: ScrapePage) {
  return async (
    {
      id: flowId,
      parameters,
      url,
      version,
      heal,
      stepTimeout,
      scrapeOptions,
      origin,
      integration,
    }: OperationInput<"runFlow">,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<OperationOutput<"runFlow">> => {
    const { teamId } = caller;
    const flow = { id: flowId, parameters, mode: "on" as const, ...(version === undefined ? {} : { version }) };
    const checked = await checkFlow(teamId, flow);
    const startedAt = clock.now();
    let runId: string | null = null;
    let ended: Ended | null = null;
    const terms = {
      ...{ heals: heal, stepMs: stepTimeout },
      onEnd: (report: Ended) => {
        ended = report;
      },
    };

    const note = async (status: "completed" | "failed", error: unknown) => {
      const { code, message } = error instanceof ServiceError ? error : { code: null, message: null };
      const { healed = [] } = (ended as Ended | null) ?? {};
      const run = {
        ...{ id: runId ?? "", flowId, teamId, version: checked.version, status, startedAt },
        ...{ durationMs: clock.now() - startedAt, healed: healed.length, error: message, errorCode: code },
      };
      if (runId !== null)
        await store.transaction(async ({ flows }) => {
          await flows.addRun(run);
          await flows.change(teamId, flowId, { lastRunAt: startedAt, lastRunStatus: status });
        });
      return run;
    };

    const asked = {
      ...{ url: url ?? checked.url, scrapeOptions: { ...scrapeOptions, flow }, origin, integration, flowTerms: terms },
      listing: { endpoint: "flow" as const, target: checked.name },
      onRecord: (id: string) => {
        runId = id;
      },
    };
    const answer = await scrape(asked, caller, signal).catch(async (error: unknown) => {
      await note("failed", error);
      throw error;
    });
    const { id, durationMs } = await note("completed", null);
    const { steps = [], healed = [] } = (ended as Ended | null) ?? {};
    const { data, warning } = answer;
    const { creditsUsed = 0 } = data.metadata as { creditsUsed?: number };
    return {
      ...{ success: true, id, flowId, version: checked.version, status: "completed", durationMs, creditsUsed },
      ...{ steps: steps.map((step) => ({ ...step })), healed },
      data: { ...data, metadata: { ...data.metadata, engine: "flow" } },
      ...warningOf([warning]),
    };
  };
}
