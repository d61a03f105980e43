// Accepting a job: everything about it is in the store before its id is answered.
import type { Caller } from "../../accounts/index.ts";
import { type Clock, newId, ServiceError } from "../../base/index.ts";
import type { ScrapeOptions, Webhook } from "../../contract/index.ts";
import { endpointOf, hasAnswer, type NewTask } from "../../jobs/index.ts";
import { type Judge, judgeOrThrow } from "../../pages/index.ts";
import type { JobKind, NewJobPage, Statements, Store } from "../../store/index.ts";
import type { JobSettings, SettingsPacker } from "./job-settings.ts";

export interface JobStartDeps {
  store: Store;
  clock: Clock;
  packer: SettingsPacker;
  judge: Judge;
  /** Null when nothing limits the memory of this server. */
  readMemory(): { usedBytes: number; limitBytes: number } | null;
  /** There is something to do. */
  wake(): void;
}

export interface JobRequest {
  kind: JobKind;
  settings: Omit<JobSettings, "events">;
  webhook: Webhook | undefined;
  /** In the activity list; '' where nothing may be kept. */
  target: string;
  pageLimit: number;
  maxActive: number;
  delayMs: number;
  pages: NamedPage[];
  warning: string | null;
}

/** A task that the job starts with. */
export type NamedPage = Omit<NewTask, "depth">;

/** Pages that a caller named, and the authorization that their addresses brought along, by their keys. */
export interface NamedPages {
  pages: NamedPage[];
  credentials: Record<string, string>;
}

export interface AppendRequest {
  /** Of the batch. */
  id: string;
  /** Told how many pages the batch has. */
  name(from: number): NamedPages;
  /** In the activity list. */
  target: string;
  /** As they were sent: the batch has its own, which hold for all its pages. */
  scrapeOptions: ScrapeOptions;
  webhook: Webhook | undefined;
}

/** SAFETY 5.6: pages of one team that wait. */
const queueLimit = 100_000;

/** SAFETY 5.4: of the memory limit; above it no job is taken. */
const fullMemory = 0.85;
const memoryRetrySeconds = 30;

export type JobStarter = ReturnType<typeof createJobStarter>;

export function createJobStarter({ store, clock, packer, judge, readMemory, wake }: JobStartDeps) {
  function requireMemory(): void {
    const memory = readMemory();
    if (memory && memory.usedBytes > memory.limitBytes * fullMemory) {
      throw new ServiceError("OVERLOADED", undefined, { retryAfterSeconds: memoryRetrySeconds });
    }
  }

  /** Throws when the team has sent a request of this kind with the caller's idempotency key before. */
  async function requireNewKey(
    statements: Statements,
    kind: JobKind,
    jobId: string,
    { teamId, idempotencyKey: key }: Caller,
    createdAt: number,
  ): Promise<void> {
    if (key === null) return;
    const endpoint = endpointOf(kind);
    const kept = await statements.jobs.keepIdempotencyKey({ teamId, endpoint, key, jobId, createdAt });
    if (!kept.isNew) throw new ServiceError("IDEMPOTENCY_KEY_USED", undefined, { details: { id: kept.jobId } });
  }

  async function requireRoom(statements: Statements, teamId: string, pages: number): Promise<void> {
    const { waiting } = await statements.jobs.countOfTeam(teamId);
    if (waiting + pages > queueLimit) {
      throw new ServiceError("QUEUE_FULL", `At most ${queueLimit} pages of a team wait; ${waiting} do now.`, {
        retryAfterSeconds: 60,
      });
    }
  }

  return {
    judgeWebhook(webhook: Webhook | undefined): void {
      if (webhook) judgeOrThrow(judge, webhook.url, ["webhook", "url"]);
    },

    async start(request: JobRequest, caller: Caller): Promise<string> {
      requireMemory();
      const now = clock.now();
      const id = newId(now);
      const { teamId, keyId, apiVersion } = caller;
      const { kind, pageLimit, maxActive, delayMs, target } = request;
      const endpoint = endpointOf(kind);
      const activityRowId = newId(now);
      const packed = packer.pack(request.settings, request.webhook);
      await store.transaction(async (statements) => {
        await requireNewKey(statements, kind, id, caller, now);
        await requireRoom(statements, teamId, request.pages.length);
        const job = { id, teamId, keyId, kind, apiVersion, createdAt: now, pageLimit, maxActive, delayMs };
        await statements.jobs.insert({ ...job, scopeUrl: request.settings.url, activityRowId, ...packed });
        await statements.jobPages.add(request.pages.map((page, place) => toPage(id, page, place, now)));
        const known = request.pages.filter(({ kind: task }) => task === "page").length;
        // The answer waits, too, though its page is only written when all others have ended.
        const waiting = request.pages.length + (hasAnswer(kind) ? 1 : 0);
        const set = request.warning === null ? {} : { set: { warning: request.warning } };
        await statements.jobs.change(id, { known, waiting, ...set });
        const about = { id, teamId, keyId, apiVersion, endpoint, target, createdAt: now };
        await statements.activity.insert([{ ...about, rowId: activityRowId, outcome: "running" }]);
        if (request.webhook?.events.includes("started")) {
          const event = { id: newId(now), teamId, jobId: id, type: `${endpoint}.started`, createdAt: now };
          await statements.webhooks.enqueue([{ ...event, result: null, pageError: null, error: null }]);
        }
      });
      wake();
      return id;
    },

    /** More pages for a batch that still runs; answers a warning when it reads them otherwise than was asked for. */
    async append(request: AppendRequest, caller: Caller): Promise<string | null> {
      requireMemory();
      const now = clock.now();
      const { id, scrapeOptions, webhook } = request;
      const { teamId, keyId, apiVersion } = caller;
      const isAsAsked = await store.transaction(async (statements) => {
        const job = await statements.jobs.lock(id);
        if (job?.teamId !== teamId || job.kind !== "batch" || job.status !== "scraping") {
          throw new ServiceError("JOB_NOT_FOUND");
        }
        await requireNewKey(statements, "batch", id, caller, now);
        const own = packer.unpack(job).scrapeOptions;
        if (scrapeOptions.zeroDataRetention && !own.zeroDataRetention) throw retained();
        const { pages, credentials } = request.name(job.known);
        const count = pages.length;
        await requireRoom(statements, teamId, count);
        await statements.jobPages.add(pages.map((page, index) => toPage(id, page, job.known + index, now)));
        const secrets = packer.addCredentials(job, credentials);
        await statements.jobs.change(id, { known: count, waiting: count, pageLimit: count, set: { secrets } });
        const target = own.zeroDataRetention ? "" : request.target;
        const about = { id, teamId, keyId, apiVersion, endpoint: endpointOf("batch"), target, createdAt: now };
        await statements.activity.insert([{ ...about, rowId: newId(now), outcome: "succeeded" }]);
        return webhook === undefined && JSON.stringify(own) === JSON.stringify(scrapeOptions);
      });
      wake();
      return isAsAsked ? null : ownOptionsHold;
    },
  };
}

const ownOptionsHold = "These pages are read, and told of, by the options with which the batch was started.";

function retained(): ServiceError {
  const message = "A batch that was started without zeroDataRetention takes no pages with it.";
  const issue = { code: "custom", path: ["zeroDataRetention"], message };
  return new ServiceError("BAD_REQUEST", message, { details: [issue] });
}

function toPage(jobId: string, { key, url, kind: task, step }: NamedPage, place: number, now: number): NewJobPage {
  return { jobId, key, place, id: newId(now), url, depth: 0, kind: task, step, state: "waiting" };
}
