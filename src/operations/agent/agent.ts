// Agents as jobs: started, read, listed, cancelled. Without a model one goes from the given pages, or from what a search finds,
// along the links that fit best until every field of the schema has a value; with one the model plans it step by step.
import { affordablePages, type Caller, type Credits, minimumCredits } from "../../accounts/index.ts";
import { bareUrl, type Clock, dayMs, isoTime, ServiceError, secondMs } from "../../base/index.ts";
import {
  type OperationInput,
  type OperationOutput,
  scrapeOptions as scrapeOptionsSchema,
} from "../../contract/index.ts";
import type { SchemaCheck } from "../../pages/index.ts";
import { type Judge, judgeOrThrow, pagePrice } from "../../pages/index.ts";
import type { Job, Store } from "../../store/index.ts";
import { pageKey } from "../extract/extract-pages.ts";
import { searchKey } from "../extract/extract-work.ts";
import type { AnswerRecord, ExtractionRecord, ExtractionRecords } from "../extract/extraction-records.ts";
import { wantedWords } from "../extract/wanted-words.ts";
import { cancelRunning, requireLiving } from "../jobs/job-end.ts";
import { agentEndEvent } from "../jobs/job-events.ts";
import { type AgentSettings, shownSettings } from "../jobs/job-settings.ts";
import type { JobStarter } from "../jobs/job-start.ts";
import { traceEvents } from "./agent-trace.ts";
import { progressOf, stepKey } from "./progress.ts";

type AgentInput = OperationInput<"startAgent">;
type AgentList = OperationOutput<"listAgents">;

export interface AgentDeps {
  store: Store;
  clock: Clock;
  credits: Credits;
  starter: JobStarter;
  schemas: SchemaCheck;
  records: ExtractionRecords;
  judge: Judge;
  /** Most pages and seconds of one run. */
  maxPages: number;
  maxSeconds: number;
  /** Whether a language model is configured. */
  isPlanned: boolean;
  /** Gives up the pages of a job that are in work here. */
  cancelWork(jobId: string): void;
}

const listed = 20;
const hintLength = 100;
/** Shares of the most pages. */
const efforts = { low: 0.2, medium: 0.5, high: 1 } as const;

export function createAgentOperations(deps: AgentDeps) {
  const { store, clock, credits, starter, schemas, records } = deps;

  async function startAgent(input: AgentInput, caller: Caller): Promise<OperationOutput<"startAgent">> {
    const { schema, prompt, webhook } = input;
    if (schema) await schemas.check(schema, ["schema"]);
    starter.judgeWebhook(webhook);
    const urls = input.urls.map((url, place) => bareUrl(judgeOrThrow(deps.judge, url, ["urls", place])));
    const [first] = urls;
    if (first === undefined && input.strictConstrainToURLs)
      throw badField("urls", "strictConstrainToURLs needs addresses");
    if (deps.isPlanned) refuseConversations(input);
    else refuseWithoutModel(input);
    await credits.require(caller.teamId, minimumCredits.agent);
    const scrapeOptions = scrapeOptionsSchema.parse({ formats: [] });
    const { limit, ...limits } = await limitOf(input, pagePrice(scrapeOptions), caller.teamId);
    const pages = [...new Set(urls)]
      .slice(0, limit)
      .map((url) => ({ key: pageKey(url), url, kind: "page" as const, step: null }));
    const search = { key: searchKey, url: "", kind: "search", step: null } as const;
    const plan = { key: stepKey(1), url: "", kind: "step", step: 1 } as const;
    const id = await starter.start(
      {
        kind: "agent",
        settings: {
          url: first ?? "",
          crawl: null,
          extraction: {
            schema: schema ?? null,
            prompt,
            words: wantedWords(schema ?? null, prompt),
            urls,
            limit,
            share: limit,
            deadline: clock.now() + deps.maxSeconds * secondMs,
            ignoreSitemap: false,
            includeSubdomains: true,
            allowExternalLinks: false,
            showSources: false,
            evidence: false,
            trace: true,
            agent: agentSettings(input, limits),
          },
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
        pages: deps.isPlanned ? [plan] : first === undefined ? [search] : pages,
        warning: null,
      },
      caller,
    );
    return { success: true, id, threadId: id, threadTurn: 1 };
  }

  async function limitOf({ maxCredits, effort = "medium" }: AgentInput, price: number, teamId: string) {
    const most = Math.max(1, Math.ceil(deps.maxPages * efforts[effort]));
    const paid = Math.floor(maxCredits / price);
    if (paid < 1) throw badField("maxCredits", `Takes at least ${price}, the price of one page`);
    const limit = await affordablePages(credits, teamId, price, Math.min(most, paid));
    const affordable = await affordablePages(credits, teamId, 1, maxCredits);
    const planning = deps.isPlanned ? { planning: { maxSteps: most, maxCredits: affordable } } : {};
    return { limit, isLimitedByCredits: limit < most, ...planning };
  }

  async function find(id: string, teamId: string): Promise<Job> {
    return requireAgent(await store.jobs.find(teamId, id), clock.now());
  }

  const answerOf = async (job: Job): Promise<AnswerRecord | null> =>
    job.status === "completed" ? records.readAnswer(job) : null;

  async function cancelAgent({ id }: { id: string }, { teamId }: Caller): Promise<OperationOutput<"cancelAgent">> {
    const now = clock.now();
    await store.transaction(async (statements) => {
      const found = await statements.jobs.lock(id);
      const job = requireAgent(found?.teamId === teamId ? found : null, now);
      if (job.status !== "scraping") throw new ServiceError("JOB_ALREADY_ENDED", "Agent job has already ended");
      await cancelRunning(statements, job, now);
      await statements.webhooks.enqueue(agentEndEvent(job, "cancelled", "The job was cancelled.", now));
    });
    deps.cancelWork(id);
    return { success: true };
  }

  async function listAgents({ before }: OperationInput<"listAgents">, { teamId, baseUrl }: Caller): Promise<AgentList> {
    const now = clock.now();
    const found = await store.jobs.listNewest({ teamId, kind: "agent", before: before ?? now + 1, limit: listed + 1 });
    const jobs = found.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
    const page = jobs.slice(0, listed);
    const last = page.at(-1);
    return {
      success: true,
      agents: page.map(listedAgent),
      ...(jobs.length > listed && last ? { next: `${baseUrl}/v2/agent?before=${last.createdAt}` } : {}),
    };
  }

  return {
    startAgent,
    cancelAgent,
    listAgents,

    async readAgent({ id }: OperationInput<"readAgent">, { teamId }: Caller): Promise<OperationOutput<"readAgent">> {
      const job = await find(id, teamId);
      const { agent } = shownSettings(job).extraction ?? {};
      const record = await answerOf(job);
      return {
        success: true,
        status: statusOf(job),
        ...(record ? { data: record.data } : {}),
        ...(job.error === null ? {} : { error: job.error }),
        ...(agent ? { model: agent.model } : {}),
        ...(agent?.effort === undefined ? {} : { effort: agent.effort }),
        expiresAt: isoTime(job.expiresAt ?? job.createdAt + dayMs),
        creditsUsed: job.credits,
        ...(record?.tokens === undefined ? {} : { tokensUsed: record.tokens }),
        threadId: job.id,
        threadTurn: 1,
        mode: "extract",
        message: messageOf(job, record),
        ...(record?.stopReason === undefined ? {} : { partial: true, stopReason: record.stopReason }),
      };
    },

    async readAgentTrace(
      { id }: OperationInput<"readAgentTrace">,
      { teamId }: Caller,
    ): Promise<OperationOutput<"readAgentTrace">> {
      const job = await find(id, teamId);
      const errors = await store.jobResults.listErrors(job.id, deps.maxPages * 10);
      const done = await records.readAll(job);
      const events = traceEvents(job, done, errors);
      const used = { creditsUsed: job.credits, tokensUsed: tokensOf(done) };
      return { success: true, id, events, ...used, activeBrowserSessions: [] };
    },

    /** A run is a conversation of its own: there is nobody to talk to without a model. */
    async readAgentThread(
      { threadId, includeData }: OperationInput<"readAgentThread">,
      { teamId }: Caller,
    ): Promise<OperationOutput<"readAgentThread">> {
      const job = await find(threadId, teamId);
      const record = await answerOf(job);
      const ended = { completed: "succeeded", failed: "failed", cancelled: "cancelled" } as const;
      const isCut = record?.stopReason === "credit_limit_reached";
      return {
        success: true,
        thread: {
          id: job.id,
          createdAt: isoTime(job.createdAt),
          updatedAt: isoTime(job.finishedAt ?? job.createdAt),
          status: job.status === "scraping" ? "running" : "idle",
          runs: [
            {
              id: job.id,
              turn: 1,
              mode: "extract",
              prompt: shownSettings(job).extraction?.prompt ?? "",
              status: job.status === "scraping" ? "processing" : isCut ? "credit_limit_reached" : ended[job.status],
              createdAt: isoTime(job.createdAt),
              finishedAt: job.finishedAt === null ? null : isoTime(job.finishedAt),
              creditsUsed: job.credits,
              message: messageOf(job, record),
              ...(includeData && record ? { data: record.data } : {}),
            },
          ],
        },
      };
    },
  };
}

/** D20: without a schema nobody but a model could say what the prompt asks for. */
function refuseWithoutModel({ schema, mode, threadId }: AgentInput): void {
  const why = "and none is configured (MODEL_NAME)";
  if (!schema) {
    throw new ServiceError(
      "MODEL_NOT_CONFIGURED",
      `A prompt without a schema needs a language model, ${why}: send a schema.`,
    );
  }
  if (mode === "chat") throw new ServiceError("MODEL_NOT_CONFIGURED", `The mode chat needs a language model, ${why}.`);
  if (threadId !== undefined) {
    throw new ServiceError("MODEL_NOT_CONFIGURED", `To continue a conversation needs a language model, ${why}.`);
  }
}

/** A run is a conversation of its own. */
function refuseConversations({ mode, threadId }: AgentInput): void {
  const option = threadId !== undefined ? "threadId" : mode === "chat" ? "the mode chat" : null;
  if (option === null) return;
  throw new ServiceError(
    "NOT_IMPLEMENTED",
    `Conversations with an agent are not available: start one without ${option}.`,
  );
}

function badField(field: string, message: string): ServiceError {
  return new ServiceError("BAD_REQUEST", undefined, { details: [{ code: "custom", path: [field], message }] });
}

type Limits = Pick<AgentSettings, "isLimitedByCredits" | "planning">;

function agentSettings(input: AgentInput, limits: Limits): AgentSettings {
  const { strictConstrainToURLs, model, effort, origin, integration } = input;
  return { strictConstrainToURLs, model, effort, origin, integration, ...limits };
}

/** The answer's are those of the whole run. */
function tokensOf(done: readonly ExtractionRecord[]): number {
  const answer = done.find((record) => record.kind === "answer");
  return answer?.tokens ?? progressOf(done).tokens;
}

function requireAgent(job: Job | null, now: number): Job {
  return requireLiving(job?.kind === "agent" ? job : null, now, "AGENT_NOT_FOUND");
}

function statusOf({ status }: Job) {
  return status === "scraping" ? "processing" : status;
}

function messageOf(job: Job, record: AnswerRecord | null): string | null {
  return [job.warning, record?.warning].filter(Boolean).join(" ") || null;
}

function listedAgent(job: Job): AgentList["agents"][number] {
  const { extraction } = shownSettings(job);
  const { prompt, schema, urls = [], agent } = extraction ?? {};
  return {
    id: job.id,
    createdAt: isoTime(job.createdAt),
    targetHint: (prompt ?? "").slice(0, hintLength),
    ...(agent ? { origin: agent.origin, integration: agent.integration } : {}),
    status: statusOf(job),
    settings: { hidden: false, starred: false },
    options: {
      ...(urls.length > 0 ? { urls } : {}),
      ...(prompt ? { prompt } : {}),
      ...(schema ? { schema } : {}),
      ...(agent ? { model: agent.model } : {}),
      ...(agent?.effort === undefined ? {} : { effort: agent.effort }),
    },
  };
}
