// Threads: an ended run and those that go on with it. A further turn has all that the earlier ones read, at no further price.
import { ServiceError } from "../../base/index.ts";
import { type AnswerRecord, type ReadRecord, shownSettings } from "../../jobs/index.ts";
import type { Job, Statements } from "../../store/index.ts";
import type { OperationParts } from "../parts/operation-parts.ts";

export interface EarlierTurn {
  prompt: string;
  /** What came of it, in one text. */
  result: string;
  /** That its caller named. */
  urls: string[];
  pages: ReadRecord[];
}

/** A further turn knows so many of the latest turns, pages of each, and characters of the result of each. */
const knownTurns = 10;
const knownPages = 20;
const longestResult = 4000;

export function createThreads({ store, clock, jobs: { records } }: Pick<OperationParts, "store" | "clock" | "jobs">) {
  /** Its runs in the order of their turns. */
  async function list({ jobs }: Pick<Statements, "jobs">, teamId: string, threadId: string): Promise<Job[]> {
    const now = clock.now();
    const runs = (await jobs.listThread(teamId, threadId)).filter(
      ({ expiresAt }) => expiresAt === null || expiresAt > now,
    );
    if (runs.length === 0) throw new ServiceError("thread_not_found");
    return runs;
  }

  /** The last run of a thread in which none goes on. */
  async function requireIdle(statements: Pick<Statements, "jobs">, teamId: string, threadId: string): Promise<Job> {
    const last = (await list(statements, teamId, threadId)).at(-1);
    if (last === undefined || last.status === "scraping") throw new ServiceError("thread_busy");
    return last;
  }

  async function turnOf(job: Job): Promise<EarlierTurn> {
    const { prompt, urls } = agentSettings(job).extraction;
    const all = await records.readAll(job);
    const answer = all.find((record) => record.kind === "answer");
    const pages = all.filter((record) => record.kind === "page").slice(-knownPages);
    return { prompt: prompt ?? "", result: resultOf(job, answer).slice(0, longestResult), urls, pages };
  }

  return {
    list: (teamId: string, threadId: string) => list(store, teamId, threadId),
    requireIdle: (teamId: string, threadId: string) => requireIdle(store, teamId, threadId),

    /** In the transaction that starts a run after `last`: of two callers, one goes on with the thread. */
    async claim(statements: Statements, threadId: string, last: Job): Promise<void> {
      await statements.jobs.lock(last.id);
      const { id } = await requireIdle(statements, last.teamId, threadId);
      if (id !== last.id) throw new ServiceError("thread_busy");
    },

    /** Where a run after `last` may begin. */
    async addresses(last: Job): Promise<string[]> {
      const { urls, pages } = await turnOf(last);
      return [...urls, ...pages.map(({ sourceUrl }) => sourceUrl)];
    },

    /** What a run knows of the turns before it. */
    async earlier({ id, teamId, threadId }: Pick<Job, "id" | "teamId" | "threadId">): Promise<EarlierTurn[]> {
      if (threadId === null) return [];
      const runs = await store.jobs.listThread(teamId, threadId);
      const place = runs.findIndex((run) => run.id === id);
      const before = place < 0 ? runs : runs.slice(0, place);
      return Promise.all(before.slice(-knownTurns).map(turnOf));
    },
  };
}

function resultOf({ error }: Job, answer: AnswerRecord | undefined): string {
  return [answer?.message ?? (answer ? JSON.stringify(answer.data) : ""), error ?? ""].filter(Boolean).join("\n");
}

export function agentSettings(job: Job) {
  const settings = shownSettings(job);
  if (settings.kind !== "agent") throw new ServiceError("AGENT_NOT_FOUND");
  return settings;
}
