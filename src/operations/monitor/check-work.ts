// What performs the tasks of a check: one for each target, and at last its end.
import { ServiceError, secondMs } from "../../base/index.ts";
import type { ActiveTask, Ending, JobContext, KindOfWork } from "../../jobs/index.ts";
import { createComparer } from "../../monitors/index.ts";
import type { PageRows } from "../../pages/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";
import type { CheckEnds } from "./check-end.ts";
import { createPageWriter } from "./check-pages.ts";
import type { MonitorRecords } from "./monitor-record.ts";
import { createTargetPages } from "./target-pages.ts";
import type { TargetEnd, TargetJobs, TargetRun } from "./target-run.ts";
import { createTargetSearches } from "./target-searches.ts";

type CheckContext = JobContext<"monitor">;
type TargetWork = ActiveTask<CheckContext, "target">;

const awayMs = 5 * secondMs;
const nothing: Ending<PageRows> = { kind: "nothing", found: [], refused: [] };

export function createCheckWork(
  parts: OperationParts,
  records: MonitorRecords,
  ends: CheckEnds,
  jobs: TargetJobs,
): KindOfWork<"monitor", CheckContext, PageRows> {
  const { store, clock, model } = parts;
  const save = createPageWriter(parts);
  const readPages = createTargetPages(parts, save, jobs);
  const readSearches = createTargetSearches(parts, save);

  /** Null when the monitor has no such target any more. */
  async function openRun({ task, context, signal }: TargetWork): Promise<TargetRun | null> {
    const { job, settings } = context;
    const { monitorId, wanted } = settings.check;
    const monitor = await store.monitors.read(monitorId);
    if (!monitor) return null;
    const { targets, rules, goal, judges } = records.open(monitor);
    const target = targets.find(({ id }) => id === task.key);
    if (!target) return null;
    const judge = judges && goal !== null && model !== null ? { model, goal } : null;
    const comparison = { job, target, comparer: await createComparer(rules ?? {}), judge, signal };
    return { job, monitorId, wanted, target, comparison, rules, baseUrl: monitor.baseUrl, signal };
  }

  async function readTarget(work: TargetWork): Promise<Ending<PageRows>> {
    const { task, context } = work;
    const checkId = context.job.id;
    await begin(checkId);
    const run = await openRun(work);
    const progress = (await store.checks.listTargets(checkId)).find(({ targetId }) => targetId === task.key);
    if (!run || !progress || progress.state === "done") return nothing;
    const end: TargetEnd =
      run.target.type === "search"
        ? await readSearches(run, run.target, task.id)
        : await readPages(run, run.target, progress);
    if (end.kind === "waits") return { kind: "released", notBefore: end.until };
    if (end.kind === "stopped") return work.signal.aborted ? { kind: "released" } : nothing;
    await store.checks.changeTarget({ checkId, targetId: task.key }, { state: "done", error: end.error });
    return nothing;
  }

  async function begin(checkId: string): Promise<void> {
    const now = clock.now();
    await store.transaction(async (statements) => {
      const check = await statements.checks.lock(checkId);
      if (check?.status === "queued")
        await statements.checks.change(checkId, { status: "running", startedAt: now, updatedAt: now });
    });
  }

  /** A store that is away for a while is no fault of the check. */
  async function unlessAway(work: () => Promise<Ending<PageRows>>): Promise<Ending<PageRows>> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "STORE_UNAVAILABLE") throw error;
      return { kind: "released", notBefore: clock.now() + awayMs };
    }
  }

  return {
    open: (context) => context,
    tasks: {
      target: (work) => unlessAway(() => readTarget(work)),
      answer: ({ context }) =>
        unlessAway(async () => {
          await ends.finish(context.job.id);
          return nothing;
        }),
    },
  };
}
