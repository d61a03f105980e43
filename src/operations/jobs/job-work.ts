// What a worker does with a page of a job. A batch is a crawl whose pages are all named, so they lead nowhere.
import { ServiceError } from "../../base/index.ts";
import { acceptLanguage } from "../../engines/index.ts";
import type { Report, Task } from "../../jobs/index.ts";
import type { BrowserCheck, Judge, LanguageModel, SiteReader } from "../../pages/index.ts";
import { createRedirectRule } from "../../pages/index.ts";
import type { Store } from "../../store/index.ts";
import { createAgentWork } from "../agent/agent-work.ts";
import { createPlannedAnswer } from "../agent/planned-answer.ts";
import { createPlannedWork } from "../agent/planned-work.ts";
import { createExtractWork, type ExtractWorkDeps } from "../extract/extract-work.ts";
import { createCrawlWork } from "./crawl-work.ts";
import { createJobContexts, type JobContext } from "./job-context.ts";
import { createJobReader, type JobReaderDeps, type PageEnding } from "./job-reading.ts";
import type { SettingsPacker } from "./job-settings.ts";
import { endOfRedirect, robotsRefusal } from "./robots-refusal.ts";

export interface JobWorkDeps
  extends JobReaderDeps,
    Pick<ExtractWorkDeps, "records" | "extraction" | "model" | "credits" | "discover" | "sources"> {
  store: Store;
  packer: SettingsPacker;
  sites: SiteReader;
  /** Whether pages that a caller named must be allowed by robots.txt, too. */
  obeysRobotsAlways: boolean;
  judge: Judge;
  requireBrowser: BrowserCheck;
  /** Null when none is configured. */
  model: LanguageModel | null;
}

export function createJobWork(deps: JobWorkDeps) {
  const { clock, sites } = deps;
  const contexts = createJobContexts(deps);
  const reader = createJobReader(deps);
  const performCrawled = createCrawlWork({ clock, sites, reader });
  const extract = createExtractWork({ ...deps, reader });
  const performAgent = createAgentWork({ store: deps.store, work: extract });
  const answer = createPlannedAnswer({ ...deps, pages: extract.pages });
  const performPlanned = createPlannedWork({ ...deps, work: extract, answer });

  async function performNamed(task: Task, context: JobContext, signal: AbortSignal): Promise<PageEnding> {
    const pausedUntil = reader.pausedUntil(task.url);
    if (pausedUntil > 0) return { kind: "released", notBefore: pausedUntil };
    const { teamId } = context.job;
    const { location, lockdown } = context.settings.scrapeOptions;
    const options = { outlinks: false, sendsHeaders: true };
    const request = { teamId, signal, language: acceptLanguage(location), own: null };
    const refusalOf = async (url: string) => robotsRefusal(await sites.readRobots(new URL(url), request), url);
    const redirects = deps.obeysRobotsAlways && !lockdown ? createRedirectRule(refusalOf) : null;
    const refusal = redirects && (await refusalOf(task.url));
    if (refusal) return refusal;
    const follows = redirects ? { mayFollow: redirects.mayFollow } : {};
    const reading = await reader.read(task, context, { ...options, ...follows }, signal);
    if ("kind" in reading) return endOfRedirect(reading, redirects);
    return reader.document(task, context, reading, task.key, { found: [], refused: [] });
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
