// Deep research of v1: a run of the agent that answers a question in words, shown as its clients know it.
import { affordablePages, type Caller, cutWarning, minimumCredits } from "../../accounts/index.ts";
import { isoTime, secondMs } from "../../base/index.ts";
import {
  type OperationInput,
  type OperationOutput,
  scrapeOptions as scrapeOptionsSchema,
} from "../../contract/index.ts";
import { type ExtractionRecord, requireLiving, type SettingsOf, shownSettings } from "../../jobs/index.ts";
import { pagePrice } from "../../pages/index.ts";
import { type Job, type JobError, resultAgeMs } from "../../store/index.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";
import { wantedWords } from "../parts/wanted-words.ts";
import { progressOf } from "./agent-progress.ts";
import type { ResearchData } from "./research-answer.ts";
import type { AgentOptions } from "./start-agent.ts";
import { stepAfter } from "./step-records.ts";

type Shown = OperationOutput<"readDeepResearch">;
type Activity = Shown["activities"][number];

/** A round is a search, and the reading of what it found. */
const stepsOfRound = 2;
/** What all searches and pages of a run may cost. */
const mostCredits = 2500;
const mostErrors = 100;
const deprecated = "POST /v1/deep-research is deprecated. Use POST /v2/agent.";
const replacement = "/v2/agent";

export function createResearchOperations(parts: OperationParts, options: AgentOptions) {
  const { store, clock, credits, model } = parts;
  const { starter, records } = parts.jobs;

  async function limitsOf({ maxUrls, maxDepth }: OperationInput<"startDeepResearch">, price: number, teamId: string) {
    const asked = Math.min(maxUrls, options.maxPages);
    const limit = await affordablePages(credits, teamId, price, asked);
    const maxCredits = await affordablePages(credits, teamId, 1, mostCredits);
    const planning = model ? { planning: { maxSteps: maxDepth * stepsOfRound } } : {};
    const warnings = [
      ...(asked < maxUrls ? [`At most ${asked} pages are read (AGENT_MAX_PAGES).`] : []),
      ...(limit < asked ? [cutWarning(limit)] : []),
    ];
    return { limit, agent: { isLimitedByCredits: limit < asked, maxCredits, ...planning }, warnings };
  }

  return {
    async startDeepResearch(input, caller) {
      const { query, maxDepth, timeLimit, analysisPrompt, systemPrompt, jsonOptions, origin, integration } = input;
      const { teamId, baseUrl } = caller;
      await credits.require(teamId, minimumCredits.agent);
      const scrapeOptions = scrapeOptionsSchema.parse({ formats: [] });
      const { limit, agent, warnings } = await limitsOf(input, pagePrice(scrapeOptions), teamId);
      const seconds = Math.min(timeLimit, options.maxSeconds);
      if (seconds < timeLimit) warnings.push(`The time limit is ${seconds} seconds (AGENT_MAX_SECONDS).`);
      const json = jsonOptions ? { schema: jsonOptions.schema ?? null, prompt: jsonOptions.prompt } : null;
      const id = await starter.start<"research">(
        {
          settings: {
            kind: "research",
            url: "",
            extraction: {
              ...{
                schema: null,
                prompt: query,
                systemPrompt: systemPrompt ?? "",
                words: wantedWords(null, query),
                urls: [],
              },
              ...{ limit, share: limit, deadline: clock.now() + seconds * secondMs, keepsText: true },
              ...{ ignoreSitemap: false, includeSubdomains: true, allowExternalLinks: false },
              ...{ showSources: false, evidence: false, trace: true },
            },
            agent: { strictConstrainToURLs: false, effort: undefined, origin, integration, ...agent },
            research: { maxDepth, analysisPrompt, json },
            scrapeOptions,
            credentials: {},
            baseUrl,
          },
          webhook: undefined,
          target: query,
          // As of any agent: pages that cannot be read must come to an end, and each page chooses the next one.
          pageLimit: 3 * limit + 1,
          maxActive: 1,
          delayMs: 0,
          tasks: [model ? stepAfter(0) : { key: "search", url: "", depth: 0, kind: "search", step: null }],
          warning: warnings.join(" ") || null,
        },
        caller,
      );
      return { success: true, id, warnings: [deprecated, ...warnings], replacement };
    },

    async readDeepResearch({ id }, { teamId }: Caller) {
      const found = await store.jobs.find(teamId, id);
      const job = requireLiving(found?.kind === "research" ? found : null, clock.now(), "RESEARCH_NOT_FOUND");
      const done = await records.readAll(job);
      const errors = await store.jobResults.listErrors(job.id, mostErrors);
      return shownResearch(job, done, errors);
    },
  } satisfies ServedOperations;
}

function shownResearch(job: Job, done: readonly ExtractionRecord[], errors: readonly JobError[]): Shown {
  const { research } = shownSettings(job) as SettingsOf<"research">;
  const record = done.find((each) => each.kind === "answer");
  const { answer = null, sources: quoted = [], json } = (record?.data ?? {}) as Partial<ResearchData>;
  const { pages, steps } = progressOf(done);
  const quotes = new Map(quoted.map(({ url, quote }) => [url, quote]));
  const read = pages.filter(({ finding }) => finding !== null);
  const sources = read.map(({ url, title = "" }) => ({ url, title, description: quotes.get(url) ?? "" }));
  const activities = activitiesOf(done, errors);
  const rounds = Math.ceil(steps.length / stepsOfRound) || Math.min(1, done.length);
  const warnings = [deprecated, job.warning, record?.warning].filter((each) => typeof each === "string");
  return {
    success: true,
    status: job.status === "scraping" ? "processing" : job.status === "completed" ? "completed" : "failed",
    data: { finalAnalysis: answer ?? "", sources, activities, ...(json === undefined ? {} : { json }) },
    currentDepth: Math.min(rounds, research.maxDepth),
    maxDepth: research.maxDepth,
    totalUrls: sources.length,
    sources,
    activities,
    summaries: [],
    expiresAt: isoTime(job.expiresAt ?? job.createdAt + resultAgeMs),
    ...(job.error === null ? {} : { error: job.error }),
    warnings: [...new Set(warnings)],
    replacement,
  };
}

/** What was done, in its order. */
function activitiesOf(done: readonly ExtractionRecord[], errors: readonly JobError[]): Activity[] {
  let depth = 1;
  const made = done.map((record) => {
    if (record.kind === "step") depth = Math.ceil(record.number / stepsOfRound);
    return { at: record.at, depth, status: "complete", ...describe(record) };
  });
  const failures = errors.map(({ at, url, message }) => {
    const failed = { type: "extract", status: "error", message: url === "" ? message : `${url}: ${message}` } as const;
    return { at, depth, ...failed };
  });
  return [...made, ...failures]
    .sort((one, other) => one.at - other.at)
    .map(({ at, ...activity }) => ({ ...activity, timestamp: isoTime(at) }));
}

function describe(record: ExtractionRecord): Pick<Activity, "type" | "message"> {
  switch (record.kind) {
    case "page":
      return { type: "extract", message: `Read ${record.url}` };
    case "step":
      return { type: "thought", message: record.reason };
    case "answer":
      return { type: "synthesis", message: `Wrote the answer from ${record.pages} pages` };
    case "action":
      if (record.tool === "extract") return { type: "analyze", message: "Filled the fields from the pages" };
      return { type: "search", message: `Found ${record.links.length} URLs: ${Object.values(record.input).join(" ")}` };
    default:
      return { type: "search", message: record.warning ?? "Searched the web" };
  }
}
