// Accepting a job: everything about it is in the store before its id is answered.
import type { Caller } from "../accounts/index.ts";
import { type Clock, newId, ServiceError } from "../base/index.ts";
import type { Webhook } from "../contract/index.ts";
import type { JobKind, NewJobPage, Statements, Store } from "../store/index.ts";
import type { JobSettings, SettingsPacker } from "./job-settings.ts";
import { type Judge, judgeOrThrow } from "./judge.ts";

export interface JobStartDeps {
  store: Store;
  clock: Clock;
  packer: SettingsPacker;
  judge: Judge;
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
  pages: { key: string; url: string }[];
}

/** SAFETY 5.6: pages of one team that wait. */
const queueLimit = 100_000;

const endpoints = { crawl: "crawl", batch: "batch_scrape" } as const;

export type JobStarter = ReturnType<typeof createJobStarter>;

export function createJobStarter({ store, clock, packer, judge, wake }: JobStartDeps) {
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
      const now = clock.now();
      const id = newId(now);
      const { teamId, keyId, apiVersion, idempotencyKey } = caller;
      const { kind, pageLimit, maxActive, delayMs, target } = request;
      const endpoint = endpoints[kind];
      const activityRowId = newId(now);
      const packed = packer.pack(request.settings, request.webhook);
      await store.transaction(async (statements) => {
        if (idempotencyKey !== null) {
          const key = { teamId, endpoint, key: idempotencyKey, jobId: id, createdAt: now };
          const kept = await statements.jobs.keepIdempotencyKey(key);
          if (!kept.isNew) {
            throw new ServiceError("IDEMPOTENCY_KEY_USED", undefined, { details: { id: kept.jobId } });
          }
        }
        await requireRoom(statements, teamId, request.pages.length);
        const job = { id, teamId, keyId, kind, apiVersion, createdAt: now, pageLimit, maxActive, delayMs };
        await statements.jobs.insert({ ...job, scopeUrl: request.settings.url, activityRowId, ...packed });
        await statements.jobPages.add(request.pages.map((page, place) => toPage(id, page, place, now)));
        await statements.jobs.change(id, { known: request.pages.length, waiting: request.pages.length });
        await statements.activity.insert([
          {
            rowId: activityRowId,
            id,
            teamId,
            keyId,
            apiVersion,
            endpoint,
            target,
            outcome: "running",
            createdAt: now,
          },
        ]);
        if (request.webhook?.events.includes("started")) {
          const event = { id: newId(now), teamId, jobId: id, type: `${endpoint}.started`, createdAt: now };
          await statements.webhooks.enqueue([{ ...event, result: null, pageError: null, error: null }]);
        }
      });
      wake();
      return id;
    },

    /** More pages for a batch that still runs. */
    async append(id: string, pages: { key: string; url: string }[], { teamId }: Caller): Promise<void> {
      const now = clock.now();
      await store.transaction(async (statements) => {
        const job = await statements.jobs.lock(id);
        if (job?.teamId !== teamId || job.kind !== "batch" || job.status !== "scraping") {
          throw new ServiceError("JOB_NOT_FOUND");
        }
        await requireRoom(statements, teamId, pages.length);
        const rows = pages.map((page, index) =>
          toPage(id, { ...page, key: String(job.known + index) }, job.known + index, now),
        );
        await statements.jobPages.add(rows);
        const count = pages.length;
        await statements.jobs.change(id, { known: count, waiting: count, pageLimit: count });
      });
      wake();
    },
  };
}

function toPage(jobId: string, { key, url }: { key: string; url: string }, place: number, now: number): NewJobPage {
  return { jobId, key, place, id: newId(now), url, depth: 0, kind: "page", state: "waiting" };
}
