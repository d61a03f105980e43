// The webhook events of a job, made in the transaction that settles its tasks.
import { newId } from "../../base/index.ts";
import type { Job, NewWebhookEvent } from "../../store/index.ts";
import { endpointOf, isFreeWhenFailed } from "./job-kinds.ts";
import { shownSettings } from "./job-settings.ts";
import type { Settlement } from "./settle-job.ts";

/** The place of no result: such an event is about the job itself. */
export const jobItself = -1;

/** `error`: why the job ended without what it was started for. */
export function eventsOf(settlement: Settlement<unknown>, error: string | null, now: number): NewWebhookEvent[] {
  const { job, hasEnded } = settlement;
  if (job.webhook === null) return [];
  const { events } = shownSettings(job);
  return [
    ...(events.includes("page") ? pageEvents(settlement, now) : []),
    ...(events.includes("action") ? actionEvents(settlement, now) : []),
    ...(hasEnded ? endEvents(settlement, events, error, now) : []),
  ];
}

function pageEvents({ job, tasks }: Settlement<unknown>, now: number): NewWebhookEvent[] {
  return tasks.map(({ task, result }) => ({
    ...newEvent(job, "page", now),
    result: "seq" in result ? { seq: result.seq } : null,
    pageError: "seq" in result ? null : { url: task.url, ...result },
  }));
}

/** Of what an agent did: a page that it read, or what a model asked for. */
function actionEvents({ job, tasks }: Settlement<unknown>, now: number): NewWebhookEvent[] {
  return tasks.flatMap(({ task, result }) => {
    const isAction = task.kind === "page" || task.kind === "action";
    return isAction && "seq" in result ? [{ ...newEvent(job, "action", now), result }] : [];
  });
}

function endEvents(
  settlement: Settlement<unknown>,
  events: readonly string[],
  error: string | null,
  now: number,
): NewWebhookEvent[] {
  const { job } = settlement;
  if (error !== null && isFreeWhenFailed(job.kind)) return costEvent(job, "failed", error, now);
  const end = error === null ? "completed" : "failed";
  if (!events.includes(end)) return [];
  const answer = answerOf(settlement);
  const result = answer !== null && "seq" in answer ? { seq: answer.seq } : null;
  return [{ ...newEvent(job, end, now), result, error }];
}

/** A job that ends without an answer tells what it cost. */
export function costEvent(job: Job, name: "failed" | "cancelled", error: string, now: number): NewWebhookEvent[] {
  if (job.webhook === null || !shownSettings(job).events.includes(name)) return [];
  return [{ ...newEvent(job, name, now), result: { seq: jobItself }, error }];
}

/** The result of the task that makes the job's answer. */
export function answerOf({ tasks }: Pick<Settlement<unknown>, "tasks">) {
  return tasks.find(({ task }) => task.kind === "answer")?.result ?? null;
}

export function newEvent(
  { id: jobId, teamId, kind }: Pick<Job, "id" | "teamId" | "kind">,
  name: string,
  createdAt: number,
): NewWebhookEvent {
  const type = `${endpointOf(kind)}.${name}`;
  return { id: newId(createdAt), teamId, jobId, type, createdAt, result: null, pageError: null, error: null };
}
