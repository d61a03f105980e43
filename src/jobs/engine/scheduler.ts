// Which job's tasks are performed next: teams, then jobs, with the fewest active tasks come first, then the one that waited
// longest, so that a large crawl whose pages all end together does not hold up a small batch.
import { type Clock, secondMs } from "../../base/index.ts";
import type { RunningJob, Store } from "../../store/index.ts";
import { type Claim, type ClaimOptions, claimPages } from "./claim.ts";
import { type Stop, timeSpent } from "./job-limits.ts";
import type { Task } from "./task.ts";

export interface SchedulerDeps {
  store: Store;
  clock: Clock;
  /** How many more tasks this process can take. */
  countRoom(): number;
  /** How many more of this job: whatever holds up its tasks, other jobs find room. */
  countRoomOf(jobId: string): number;
  /** Takes tasks into work, or gives them back when this process stops. */
  begin(tasks: readonly Task[]): Promise<void>;
  stopJob(jobId: string, stop: Stop): Promise<void>;
  stopping: AbortSignal;
}

/** Tasks taken from one job before another has its turn. */
const batch = 8;
/** Other workers may change when a task is due, so a job without due tasks is looked at again after this time. */
const longestQuietMs = 5 * secondMs;

export function createScheduler(deps: SchedulerDeps, options: Omit<ClaimOptions, "room">) {
  const { store, clock, stopping } = deps;
  /** Jobs without due tasks, with the number that waited then. */
  const quiet = new Map<string, NonNullable<Claim["quiet"]>>();
  /** In which turn each job was asked for tasks last. */
  const served = new Map<string, number>();
  let turns = 0;

  /** Takes tasks of a job into work and says how many. */
  async function take(job: RunningJob, room: number): Promise<number> {
    const claim = await store.transaction((all) => claimPages(all, job, { room, ...options }, clock.now()));
    const { tasks, quiet: rest, stop } = claim;
    if (rest) quiet.set(job.id, { ...rest, until: Math.min(rest.until, clock.now() + longestQuietMs) });
    if (stop) await deps.stopJob(job.id, stop);
    await deps.begin(tasks);
    turns += 1;
    served.set(job.id, turns);
    return tasks.length;
  }

  /** Ends the jobs whose time is over, and answers the others. */
  async function dropLate(running: readonly RunningJob[]): Promise<RunningJob[]> {
    const now = clock.now();
    const isLate = ({ stopAt }: RunningJob) => stopAt !== null && stopAt <= now;
    for (const job of running) if (isLate(job)) await deps.stopJob(job.id, timeSpent);
    return running.filter((job) => !isLate(job));
  }

  /** Jobs of which a task may be taken now, and when the first of the others is due. */
  function findStartable(running: readonly RunningJob[]): { startable: RunningJob[]; nextAt: number } {
    const now = clock.now();
    const ids = new Set(running.map(({ id }) => id));
    for (const known of [quiet, served]) for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    let nextAt = Number.POSITIVE_INFINITY;
    const startable = running.filter((job) => {
      nextAt = Math.min(nextAt, job.stopAt ?? nextAt);
      if (job.waiting === 0 || job.active >= job.maxActive || job.started >= job.pageLimit) return false;
      const silence = quiet.get(job.id);
      const dueAt = Math.max(job.nextStartAt, silence?.waiting === job.waiting ? silence.until : 0);
      if (dueAt > now) nextAt = Math.min(nextAt, dueAt);
      return dueAt <= now;
    });
    return { startable, nextAt };
  }

  /** Until there is no room or nothing to take. */
  async function takeAll(startable: RunningJob[], perTeam: Map<string, number>): Promise<void> {
    const ofTeam = ({ teamId }: RunningJob) => perTeam.get(teamId) ?? 0;
    const servedAt = ({ id }: RunningJob) => served.get(id) ?? 0;
    let jobs = startable;
    while (jobs.length > 0) {
      jobs.sort((one, two) => ofTeam(one) - ofTeam(two) || one.active - two.active || servedAt(one) - servedAt(two));
      const next: RunningJob[] = [];
      for (const job of jobs) {
        // Where no other job waits, one transaction takes all.
        const room = Math.min(jobs.length > 1 ? batch : Number.POSITIVE_INFINITY, deps.countRoom());
        if (room <= 0 || stopping.aborted) return;
        const ownRoom = Math.min(room, deps.countRoomOf(job.id));
        if (ownRoom <= 0 || ofTeam(job) >= options.teamLimit) continue;
        const count = await take(job, ownRoom);
        perTeam.set(job.teamId, ofTeam(job) + count);
        if (count === room) next.push({ ...job, active: job.active + count });
      }
      jobs = next;
    }
  }

  /** `onDue` is told when the first job that waits for its time is due. */
  return async function schedule(onDue: (at: number) => void): Promise<void> {
    const running = await dropLate(await store.jobs.listRunning());
    const perTeam = new Map<string, number>();
    for (const { teamId, active } of running) perTeam.set(teamId, (perTeam.get(teamId) ?? 0) + active);
    const { startable, nextAt } = findStartable(running);
    onDue(nextAt);
    await takeAll(startable, perTeam);
  };
}
