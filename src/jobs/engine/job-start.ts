// Accepting a job: everything about it is in the store before its id is answered.
import { activityRow, type Caller } from "../../accounts/index.ts";
import { activeTraceparent, type Clock, hourMs, newId, ServiceError, secondMs } from "../../base/index.ts";
import type { ScrapeOptions, Webhook } from "../../contract/index.ts";
import { type CheckUrl, requireAllowedUrl } from "../../reach/index.ts";
import { type JobKind, resultAgeMs, type Statements, type Store } from "../../store/index.ts";
import { newRow } from "./found-tasks.ts";
import { newEvent } from "./job-events.ts";
import { endpointOf, hasAnswer, isListed } from "./job-kinds.ts";
import type { JobSignals } from "./job-signals.ts";
import type { ReadMemory } from "./memory-pressure.ts";
import type { NewSettings, SettingsPacker } from "./settings-packer.ts";
import type { FirstTask, NamedTasks } from "./task.ts";

export interface JobStartDeps {
  store: Store;
  clock: Clock;
  packer: SettingsPacker;
  /** Whether a URL may be asked for. */
  checkUrl: CheckUrl;
  /** Null when nothing limits the memory of this server. */
  readMemory: ReadMemory;
  signals: Pick<JobSignals, "publishWork">;
  /** How long a caller may have results kept. */
  maxRetentionHours: number;
}

/** How far a job may go, and how long its results are kept; what is not given has no limit. */
export interface JobLimits {
  /** The least that a page costs. */
  pagePrice: number;
  maxCredits?: number | undefined;
  maxSeconds?: number | undefined;
  maxBytes?: number | undefined;
  retentionHours?: number | undefined;
}

export interface JobRequest<Kind extends JobKind> {
  settings: NewSettings<Kind> & { kind: Kind };
  webhook: Webhook | undefined;
  /** In the activity list; '' where nothing may be kept. */
  target: string;
  /** The activity list has another request for it. */
  isUnlisted?: boolean;
  pageLimit: number;
  maxActive: number;
  delayMs: number;
  tasks: FirstTask<Kind>[];
  warning: string | null;
  /** Of a job whose pages are paid one by one. */
  limits?: JobLimits;
  /** Of an agent that goes on with a thread. */
  threadId?: string | undefined;
  /** Writes in the same transaction what belongs to the job elsewhere; what it throws refuses the job. */
  join?(statements: Statements, id: string, now: number): Promise<void>;
}

export interface AppendRequest<Kind extends JobKind> {
  kind: Kind;
  id: string;
  /** Told how many pages the job has. */
  name(from: number): NamedTasks<Kind>;
  /** In the activity list. */
  target: string;
  /** As they were sent: the job has its own, which hold for all its pages. */
  scrapeOptions: ScrapeOptions;
  webhook: Webhook | undefined;
}

/** Tasks of one team that wait. */
const queueLimit = 100_000;
/** Of the memory limit; above it no job is accepted. */
const fullMemory = 0.85;
const memoryRetrySeconds = 30;
const queueRetrySeconds = 60;

export function createJobStarter(deps: JobStartDeps) {
  const { store, clock, packer, checkUrl, readMemory, signals } = deps;

  function requireMemory(): void {
    const memory = readMemory();
    if (memory && memory.usedBytes > memory.limitBytes * fullMemory) {
      throw new ServiceError("OVERLOADED", undefined, { retryAfterSeconds: memoryRetrySeconds });
    }
  }

  async function start<Kind extends JobKind>(request: JobRequest<Kind>, caller: Caller): Promise<string> {
    requireMemory();
    const now = clock.now();
    const id = newId(now);
    const { teamId, keyId, apiVersion, externalRequestId } = caller;
    const { settings, pageLimit, maxActive, delayMs, target, tasks } = request;
    const { kind, url: scopeUrl } = settings;
    const activityRowId = newId(now);
    const packed = packer.pack({ ...settings, traceparent: activeTraceparent() }, request.webhook, externalRequestId);
    await store.transaction(async (statements) => {
      await requireNewKey(statements, kind, id, caller, now);
      await requireRoom(statements, teamId, tasks.length);
      await request.join?.(statements, id, now);
      const { threadId = null } = request;
      const job = { id, teamId, keyId, kind, apiVersion, createdAt: now, pageLimit, maxActive, delayMs, threadId };
      const limits = limitsOf(request.limits, now);
      await statements.jobs.insert({ ...job, scopeUrl, activityRowId, ...packed, ...limits });
      await statements.jobPages.add(tasks.map((task, place) => newRow(id, task, place, now)));
      const known = tasks.filter((task) => task.kind === "page").length;
      // The answer waits too, although its task is only written when all others have ended.
      const waiting = tasks.length + (hasAnswer(kind) ? 1 : 0);
      const set = request.warning === null ? {} : { set: { warning: request.warning } };
      await statements.jobs.change(id, { known, waiting, ...set });
      const note = { id, endpoint: endpointOf(kind), target, createdAt: now, rowId: activityRowId };
      if (isListed(kind) && request.isUnlisted !== true)
        await statements.activity.insert([activityRow(caller, note, null)]);
      if (request.webhook?.events.includes("started"))
        await statements.webhooks.enqueue([newEvent({ id, teamId, kind }, "started", now)]);
    });
    signals.publishWork();
    return id;
  }

  /** More pages for a job that still runs. Answers whether it reads them as was asked for. */
  async function append<Kind extends JobKind>(request: AppendRequest<Kind>, caller: Caller): Promise<boolean> {
    requireMemory();
    const now = clock.now();
    const { kind, id, scrapeOptions, webhook } = request;
    const { teamId } = caller;
    const isAsAsked = await store.transaction(async (statements) => {
      const job = await statements.jobs.lock(id);
      if (job?.teamId !== teamId || job.kind !== kind || job.status !== "scraping") {
        throw new ServiceError("JOB_NOT_FOUND");
      }
      await requireNewKey(statements, kind, id, caller, now);
      const own = packer.unpack(job).scrapeOptions;
      if (scrapeOptions.zeroDataRetention && !own.zeroDataRetention) throw retained();
      const { tasks, credentials } = request.name(job.known);
      const count = tasks.length;
      await requireRoom(statements, teamId, count);
      await statements.jobPages.add(tasks.map((task, index) => newRow(id, task, job.known + index, now)));
      const secrets = packer.addCredentials(job, credentials);
      await statements.jobs.change(id, { known: count, waiting: count, pageLimit: count, set: { secrets } });
      const target = own.zeroDataRetention ? "" : request.target;
      const note = { id, endpoint: endpointOf(kind), target, createdAt: now };
      await statements.activity.insert([activityRow(caller, note, { credits: 0, endedAt: now })]);
      return webhook === undefined && JSON.stringify(own) === JSON.stringify(scrapeOptions);
    });
    signals.publishWork();
    return isAsAsked;
  }

  return {
    start,
    append,
    /** Throws for results that would be kept longer than the operator allows. */
    checkRetention(hours: number | undefined): void {
      if (hours !== undefined && hours > deps.maxRetentionHours) throw keptTooLong(deps.maxRetentionHours);
    },

    checkWebhook(webhook: Webhook | undefined): void {
      if (webhook) requireAllowedUrl(checkUrl, webhook.url, ["webhook", "url"]);
    },
  };
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

async function requireRoom(statements: Statements, teamId: string, tasks: number): Promise<void> {
  const { waiting } = await statements.jobs.countOfTeam(teamId);
  if (waiting + tasks <= queueLimit) return;
  const message = `A team can have at most ${queueLimit} pages waiting; ${waiting} are waiting now.`;
  throw new ServiceError("QUEUE_FULL", message, { retryAfterSeconds: queueRetrySeconds });
}

function limitsOf({ pagePrice, ...limits }: JobLimits = { pagePrice: 1 }, now: number) {
  const { maxCredits = null, maxBytes = null, maxSeconds, retentionHours } = limits;
  const stopAt = maxSeconds === undefined ? null : now + maxSeconds * secondMs;
  const retentionMs = retentionHours === undefined ? resultAgeMs : retentionHours * hourMs;
  return { pagePrice, maxCredits, maxBytes, stopAt, retentionMs };
}

function keptTooLong(most: number): ServiceError {
  const message = `Must be at most ${most}, the limit of this server (MAX_RETENTION_HOURS)`;
  const issue = { code: "too_big", path: ["retentionHours"], message };
  return new ServiceError("BAD_REQUEST", `retentionHours: ${message}.`, { details: [issue] });
}

function retained(): ServiceError {
  const message = "Pages with zeroDataRetention cannot be added to a job that was started without it.";
  const issue = { code: "custom", path: ["zeroDataRetention"], message };
  return new ServiceError("BAD_REQUEST", message, { details: [issue] });
}
