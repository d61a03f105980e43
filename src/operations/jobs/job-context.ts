// A job as the work on its pages needs it: read once, and again when its row says something new, because another process may
// have moved it.
import { ServiceError, sha256 } from "../../base/index.ts";
import type { CrawlScope } from "../../discovery/index.ts";
import type { Task } from "../../jobs/index.ts";
import type { LanguageModel } from "../../pages/index.ts";
import { type OutputPlan, planOutputs, readerInput } from "../../pages/index.ts";
import type { Job, Store } from "../../store/index.ts";
import type { CrawlSettings, JobSettings, SettingsPacker } from "./job-settings.ts";

export interface JobContext {
  job: Job;
  settings: JobSettings;
  plan: OutputPlan;
  /** Of a crawl; made when its first page needs it. */
  scope: Promise<CrawlScope> | null;
  /** Ids of the addresses that this process has listed as refused. */
  refusals: Set<string>;
}

const maxContexts = 1000;

export interface JobContextDeps {
  store: Store;
  packer: SettingsPacker;
  /** Null when none is configured. */
  model: LanguageModel | null;
}

export function createJobContexts({ store, packer, model }: JobContextDeps) {
  const contexts = new Map<string, JobContext>();

  /** Its start page has led the crawl elsewhere, or the page was appended later than the job was read. */
  function isStale({ job }: JobContext, { key, scopeUrl }: Task): boolean {
    return job.scopeUrl !== scopeUrl || (job.kind === "batch" && Number(key) >= job.known);
  }

  function unpack(job: Job): JobSettings {
    try {
      return packer.unpack(job);
    } catch (cause) {
      throw new ServiceError("JOB_UNREADABLE", undefined, { cause });
    }
  }

  return {
    async open(task: Task): Promise<JobContext> {
      const known = contexts.get(task.jobId);
      if (known && !isStale(known, task)) return known;
      const job = await store.jobs.read(task.jobId);
      if (!job) throw new ServiceError("JOB_NOT_FOUND");
      const settings = unpack(job);
      const context = { job, settings, plan: planOf(settings, model), scope: null, refusals: new Set<string>() };
      const oldest = contexts.size >= maxContexts ? contexts.keys().next().value : undefined;
      if (oldest !== undefined) contexts.delete(oldest);
      contexts.set(job.id, context);
      return context;
    },

    /** Its job is over: nothing of it stays in memory, secrets least of all. */
    forget(jobId: string): void {
      contexts.delete(jobId);
    },
  };
}

export function openScope(context: JobContext, crawl: CrawlSettings): Promise<CrawlScope> {
  context.scope ??= makeScope(context.job.scopeUrl, crawl);
  return context.scope;
}

export async function makeScope(scopeUrl: string, crawl: CrawlSettings): Promise<CrawlScope> {
  const { createCrawlScope } = await import("../../discovery/index.ts");
  return createCrawlScope(new URL(scopeUrl), crawl);
}

function planOf({ scrapeOptions, extraction }: JobSettings, model: LanguageModel | null): OutputPlan {
  const plan = planOutputs(scrapeOptions, model?.name);
  if (!extraction) return plan;
  // The model reads the text of all pages when these are there.
  const formats = { ...plan.formats, markdown: model !== null };
  return { ...plan, formats, reader: readerInput(extraction) };
}

/** Keys of addresses as they lie in the store: all of one length, however long the address is. */
export function shortKey(key: string): string {
  return sha256(key).slice(0, 32);
}
