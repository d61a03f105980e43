// What a worker does with a page of a job. A batch is a crawl whose pages are all named, so they lead nowhere.
import { ServiceError } from "../../base/index.ts";
import type { Report, Task } from "../../jobs/index.ts";
import type { BrowserCheck, Judge, LanguageModel, RobotsGates, SiteReader } from "../../pages/index.ts";
import type { Store } from "../../store/index.ts";
import { createAgentWork } from "../agent/agent-work.ts";
import { createPlannedAnswer } from "../agent/planned-answer.ts";
import { createPlannedWork } from "../agent/planned-work.ts";
import { createExtractWork, type ExtractWorkDeps } from "../extract/extract-work.ts";
import { createCrawlWork } from "./crawl-work.ts";
import { createJobContexts, type JobContext } from "./job-context.ts";
import { createJobReader, type JobReaderDeps, type PageEnding } from "./job-reading.ts";
import type { SettingsPacker } from "./job-settings.ts";

export interface JobWorkDeps
  extends JobReaderDeps,
    Pick<
      ExtractWorkDeps,
      "records" | "extraction" | "model" | "credits" | "findSiteUrls" | "findResults" | "openResultTexts"
    > {
  store: Store;
  packer: SettingsPacker;
  sites: SiteReader;
  robots: RobotsGates;
  judge: Judge;
  requireBrowser: BrowserCheck;
  /** Null when none is configured. */
  model: LanguageModel | null;
}

export function createJobWork(deps: JobWorkDeps) {
  const { clock, sites } = deps;
  const contexts = createJobContexts(deps);
  const reader = createJobReader(deps);
  const performCrawled = createCrawlWork({ clock, sites, robots: deps.robots, reader });
  const extract = createExtractWork({ ...deps, reader });
  const performAgent = createAgentWork({ store: deps.store, work: extract });
  const answer = createPlannedAnswer({ ...deps, pages: extract.pages });
  const performPlanned = createPlannedWork({ ...deps, work: extract, answer });

  async function performNamed(task: Task, context: JobContext, signal: AbortSignal): Promise<PageEnding> {
    const pausedUntil = reader.pausedUntil(task.url);
    if (pausedUntil > 0) return { kind: "released", notBefore: pausedUntil };
    const page = await reader.read(task, context, { outlinks: false, sendsHeaders: true, robots: "named" }, signal);
    return page.ok ? reader.document(context, page, task.key, { found: [], refused: [] }) : page.ending;
  }

  return {
    async perform(task: Task, signal: AbortSignal, report: Report): Promise<PageEnding> {
      const context = await contexts.open(task).catch(asFatal);
      if ("kind" in context) return context;
      const { crawl, extraction: wanted } = context.settings;
      if (wanted) {
        const step = { task, context, wanted, signal };
        if (wanted.agent?.planning) return deps.model ? performPlanned(step, deps.model) : noModel;
        return wanted.agent ? performAgent(step) : extract.perform(step);
      }
      return crawl === null
        ? performNamed(task, context, signal)
        : performCrawled(task, context, crawl, signal, report);
    },
    forget: contexts.forget,
  };
}

/** It was there when the job was accepted. */
const noModel: PageEnding = {
  kind: "fatal",
  code: "MODEL_NOT_CONFIGURED",
  message: "This job needs a language model, and none is configured on this server any more (MODEL_NAME).",
};

/** A job whose settings cannot be opened will never be worked on. */
function asFatal(error: unknown): PageEnding & { kind: "fatal" } {
  if (!(error instanceof ServiceError) || error.code !== "JOB_UNREADABLE") throw error;
  return { kind: "fatal", code: error.code, message: error.message };
}
