// Starting an agent.

import { affordablePages, type Caller, minimumCredits } from "../../accounts/index.ts";
import { bareUrl, refusedField, secondMs } from "../../base/index.ts";
import {
  type OperationInput,
  type OperationOutput,
  scrapeOptions as scrapeOptionsSchema,
} from "../../contract/index.ts";
import { type AgentSettings, type ExtractionSettings, type FirstTask, pageTask } from "../../jobs/index.ts";
import { pagePrice } from "../../pages/index.ts";
import { requireAllowedUrl } from "../../reach/index.ts";
import { noModel, type OperationParts } from "../parts/operation-parts.ts";
import { checkSchema } from "../parts/schema-check.ts";
import { wantedWords } from "../parts/wanted-words.ts";
import { agentSettings, createThreads } from "./agent-thread.ts";
import { stepAfter } from "./step-records.ts";

type AgentInput = OperationInput<"startAgent">;

export interface AgentOptions {
  /** Most pages and seconds of one run. */
  maxPages: number;
  maxSeconds: number;
}

/** Shares of the most pages. */
const efforts = { low: 0.2, medium: 0.5, high: 1 } as const;

export function createAgentStart(parts: OperationParts, { maxPages, maxSeconds }: AgentOptions) {
  const { clock, credits, extraction, checkUrl } = parts;
  const { starter } = parts.jobs;
  const threads = createThreads(parts);
  const isPlanned = parts.model !== null;

  async function startAgent(input: AgentInput, caller: Caller): Promise<OperationOutput<"startAgent">> {
    const { schema, prompt, webhook } = input;
    if (schema) await checkSchema(extraction, schema, ["schema"]);
    starter.checkWebhook(webhook);
    const urls = input.urls.map((url, place) => bareUrl(requireAllowedUrl(checkUrl, url, ["urls", place])));
    const [first] = urls;
    if (first === undefined && input.strictConstrainToURLs)
      throw refusedField(["urls"], "strictConstrainToURLs needs URLs");
    if (!isPlanned) refuseWithoutModel(input);
    const { threadId } = input;
    const last = threadId === undefined ? null : await threads.requireIdle(caller.teamId, threadId);
    await credits.require(caller.teamId, minimumCredits.agent);
    const scrapeOptions = scrapeOptionsSchema.parse({ formats: [] });
    const { limit, ...limits } = await limitOf(input, pagePrice(scrapeOptions), caller.teamId);
    const threadTurn = last ? (agentSettings(last).agent.threadTurn ?? 1) + 1 : 1;
    const agent = settingsOf(input, { ...limits, threadTurn });
    const starts = urls.length > 0 || last === null ? urls : await threads.addresses(last);
    const id = await starter.start<"agent">(
      {
        settings: {
          kind: "agent",
          url: first ?? "",
          extraction: extractionSettings(input, urls, limit, clock.now() + maxSeconds * secondMs),
          agent,
          scrapeOptions,
          credentials: {},
          baseUrl: caller.baseUrl,
        },
        webhook,
        target: prompt,
        // Pages that cannot be read take nothing from the limit, but must come to an end.
        pageLimit: 3 * limit + 1,
        // Each page chooses the next one.
        maxActive: 1,
        delayMs: 0,
        tasks: firstTasks(starts, limit),
        warning: null,
        threadId,
        join: async (statements) => {
          if (threadId !== undefined && last) await threads.claim(statements, threadId, last);
        },
      },
      caller,
    );
    return { success: true, id, threadId: threadId ?? id, threadTurn };
  }

  async function limitOf({ maxCredits, effort = "medium" }: AgentInput, price: number, teamId: string) {
    const most = Math.max(1, Math.ceil(maxPages * efforts[effort]));
    const paid = Math.floor(maxCredits / price);
    if (paid < 1) throw refusedField(["maxCredits"], `Takes at least ${price}, the price of one page`);
    const limit = await affordablePages(credits, teamId, price, Math.min(most, paid));
    const affordable = await affordablePages(credits, teamId, 1, maxCredits);
    const planning = isPlanned ? { planning: { maxSteps: most } } : {};
    return { limit, isLimitedByCredits: limit < most, maxCredits: affordable, ...planning };
  }

  /** Without a model the run begins with the caller's pages, or with a search. */
  function firstTasks(urls: readonly string[], limit: number): FirstTask<"agent">[] {
    if (isPlanned) return [firstStep];
    if (urls.length === 0) return [{ key: "search", url: "", depth: 0, kind: "search", step: null }];
    return [...new Set(urls)].slice(0, limit).map((url) => ({ ...pageTask(url, 0), url }));
  }

  return startAgent;
}

const firstStep = stepAfter(0);

function extractionSettings(
  { schema: sent, prompt, mode }: AgentInput,
  urls: string[],
  limit: number,
  deadline: number,
): ExtractionSettings {
  const schema = mode === "chat" ? null : (sent ?? null);
  return {
    schema,
    prompt,
    words: wantedWords(schema, prompt),
    urls,
    limit,
    share: limit,
    deadline,
    ignoreSitemap: false,
    includeSubdomains: true,
    allowExternalLinks: false,
    showSources: false,
    evidence: false,
    trace: true,
  };
}

/** Without a schema only a model can tell what the prompt asks for. */
function refuseWithoutModel({ schema, mode }: AgentInput): void {
  if (mode === "chat") throw noModel("The mode chat");
  if (!schema) throw noModel("A prompt without a schema", "Send a schema.");
}

type Limits = Pick<AgentSettings, "isLimitedByCredits" | "maxCredits" | "planning" | "threadTurn">;

function settingsOf(input: AgentInput, limits: Limits): AgentSettings {
  const { strictConstrainToURLs, mode, effort, origin, integration } = input;
  return { strictConstrainToURLs, mode, effort, origin, integration, ...limits };
}
