// What the pages and the end of a job mean outside of it: webhook events and its line in the activity list, written in the
// transaction that settles the pages.
import { type Clock, newId } from "../base/index.ts";
import type { Settlement } from "../jobs/index.ts";
import type { Job, NewWebhookEvent, Statements } from "../store/index.ts";
import { shownSettings } from "./job-settings.ts";
import { type PageRows, writePages } from "./page-record.ts";

const prefixes = { crawl: "crawl", batch: "batch_scrape" } as const;

export interface JobSaverDeps {
  clock: Clock;
  /** Told of a job that is over. */
  forget(jobId: string): void;
}

export function createJobSaver({ clock, forget }: JobSaverDeps) {
  return async (statements: Statements, settlements: readonly Settlement<PageRows>[]): Promise<void> => {
    await writePages(
      statements,
      settlements.flatMap(({ rows }) => rows),
    );
    await statements.webhooks.enqueue(settlements.flatMap((settlement) => eventsOf(settlement, clock.now())));
    for (const { job, hasEnded } of settlements) {
      if (!hasEnded) continue;
      const { teamId, createdAt, activityRowId: rowId } = job;
      await statements.activity.setOutcome(
        { teamId, createdAt, rowId },
        job.status === "failed" ? "failed" : "succeeded",
      );
      forget(job.id);
    }
  };
}

function eventsOf({ job, pages, hasEnded }: Settlement<PageRows>, now: number): NewWebhookEvent[] {
  if (job.webhook === null) return [];
  const { events } = shownSettings(job);
  const found: NewWebhookEvent[] = [];
  if (events.includes("page")) {
    for (const { task, result } of pages) {
      const isRead = "seq" in result;
      found.push({
        ...makeEvent(job, "page", now),
        result: isRead ? { seq: result.seq } : null,
        pageError: isRead ? null : { url: task.url, ...result },
      });
    }
  }
  if (hasEnded && events.includes(job.status)) found.push({ ...makeEvent(job, job.status, now), error: job.error });
  return found;
}

function makeEvent({ id: jobId, teamId, kind }: Job, name: string, createdAt: number): NewWebhookEvent {
  const type = `${prefixes[kind]}.${name}`;
  return { id: newId(createdAt), teamId, jobId, type, createdAt, result: null, pageError: null, error: null };
}
