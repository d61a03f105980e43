// Hands each task to the performer of its kind for its kind of job. Features register that; nothing here knows them.
import { ServiceError, type StartTrace } from "../../base/index.ts";
import type { Job, JobKind, Store, TaskKind } from "../../store/index.ts";
import type { TasksOfKinds } from "./job-kinds.ts";
import type { JobSettings, SettingsOf } from "./job-settings.ts";
import type { SettingsPacker } from "./settings-packer.ts";
import type { Ending, PerformTask, Report, Task, TaskOf } from "./task.ts";

/** A job as the work on its tasks needs it. */
export interface ContextOf<Settings extends JobSettings> {
  job: Job;
  settings: Settings;
}

export type JobContext<Kind extends JobKind> = ContextOf<SettingsOf<Kind>>;

/** A task that is performed, with everything that this needs. */
export interface ActiveTask<Context, Kind extends TaskKind> {
  task: TaskOf<Kind>;
  context: Context;
  signal: AbortSignal;
  report: Report;
}

/** What a feature registers for its kind of job: one performer for each task that the kind is made of. */
export interface KindOfWork<Kind extends JobKind, Context extends JobContext<Kind>, Rows> {
  /** Made once, and again when the job's row has changed. */
  open(context: JobContext<Kind>): Context;
  /** Whether the job's row was read too early for this task; false unless given. */
  isStale?(context: Context, task: Task): boolean;
  tasks: { [Each in TasksOfKinds[Kind]]: (work: ActiveTask<Context, Each>) => Promise<Ending<Rows>> };
}

// biome-ignore lint/suspicious/noExplicitAny: each kind has its own context, which only its own performers see.
export type KindsOfWork<Rows> = { [Kind in JobKind]: KindOfWork<Kind, any, Rows> };

/** The same for a kind that is only known when a task comes. */
interface AnyKindOfWork<Rows> {
  open(context: AnyContext): AnyContext;
  isStale?(context: AnyContext, task: Task): boolean;
  tasks: Partial<Record<TaskKind, (work: ActiveTask<AnyContext, TaskKind>) => Promise<Ending<Rows>>>>;
}

type AnyContext = JobContext<JobKind>;

export interface TaskPerformerDeps<Rows> {
  store: Pick<Store, "jobs">;
  packer: SettingsPacker;
  kinds: KindsOfWork<Rows>;
  /** Null when tracing is off. */
  startTrace: StartTrace | null;
}

const maxContexts = 1000;

export function createTaskPerformer<Rows>({ store, packer, kinds, startTrace }: TaskPerformerDeps<Rows>) {
  const contexts = new Map<string, AnyContext>();
  const kindOf = ({ kind }: Job) => kinds[kind] as unknown as AnyKindOfWork<Rows>;

  async function open(task: Task): Promise<AnyContext> {
    const known = contexts.get(task.jobId);
    if (known && !isStale(known, task)) return known;
    const job = await store.jobs.read(task.jobId);
    if (!job) throw new ServiceError("JOB_NOT_FOUND");
    const context = kindOf(job).open({ job, settings: unpack(job) });
    const oldest = contexts.size >= maxContexts ? contexts.keys().next().value : undefined;
    if (oldest !== undefined) contexts.delete(oldest);
    contexts.set(job.id, context);
    return context;
  }

  /** The start page has moved the job's scope, or the kind knows better. */
  function isStale(context: AnyContext, task: Task): boolean {
    return context.job.scopeUrl !== task.scopeUrl || (kindOf(context.job).isStale?.(context, task) ?? false);
  }

  function unpack(job: Job) {
    try {
      return packer.unpack(job);
    } catch (cause) {
      throw new ServiceError("JOB_UNREADABLE", undefined, { cause });
    }
  }

  const perform: PerformTask<Rows> = async (task, signal, report) => {
    const context = await open(task).catch(asFatal);
    if ("kind" in context) return context;
    const performTask = kindOf(context.job).tasks[task.kind];
    if (!performTask) throw new ServiceError("INTERNAL_ERROR", `A ${context.job.kind} has no task ${task.kind}.`);
    return performTask({ task, context, signal, report });
  };

  return {
    perform,
    /** Runs what is done for a task as a part of the trace of the request that started its job. */
    async trace<Result>(task: Task, work: () => Promise<Result>): Promise<Result> {
      if (startTrace === null) return work();
      // A job that cannot be opened fails where it is performed.
      const context = await open(task).catch(() => null);
      const { jobId, kind } = task;
      const trace = startTrace({
        name: `task ${kind}`,
        kind: "consumer",
        traceparent: context?.settings.traceparent,
        facts: { "trawl.job.id": jobId, "trawl.job.kind": context?.job.kind ?? "unknown", "trawl.task": kind },
        ids: { jobId },
      });
      return trace.run(work).finally(() => trace.end({}));
    },
    /** Its job is over: nothing of it stays in memory, least of all secrets. */
    forget(jobId: string): void {
      contexts.delete(jobId);
    },
  };
}

/** A job whose settings cannot be opened will never be worked on. */
function asFatal(error: unknown): { kind: "fatal"; code: string; message: string } {
  if (!(error instanceof ServiceError) || error.code !== "JOB_UNREADABLE") throw error;
  return { kind: "fatal", code: error.code, message: error.message };
}
