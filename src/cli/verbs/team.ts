// `trawl activity`, `trawl credit-usage`, `trawl status` and `trawl cancel`: what a team has done, and its jobs by their ids.
import type { Invocation } from "../service/invocation.ts";
import { withService } from "../service/open-service.ts";
import { UsageError } from "../service/usage-error.ts";
import { print, printRows, toText } from "../terminal/printing.ts";

export function activity({ flags, request }: Invocation): Promise<void> {
  return withService(flags, async ({ client, signal }) => {
    const answer = await client.activity(request, { signal });
    if (flags.json) return print(toText(answer, flags.pretty));
    printRows(
      answer.data.map(({ id, endpoint, created_at, target }) => ({ id, endpoint, created: created_at, target })),
    );
  });
}

export function usage({ flags }: Invocation): Promise<void> {
  return withService(flags, async ({ client, signal }) => {
    const [credits, { periods }, queue] = await Promise.all([
      client.creditUsage({ signal }),
      client.creditHistory({}, { signal }),
      client.queueStatus({ signal }),
    ]);
    const { remainingCredits, planCredits } = credits.data;
    const facts = {
      remainingCredits,
      planCredits,
      usedThisMonth: periods.at(0)?.totalCredits ?? 0,
      pagesInProgress: queue.activeJobsInQueue,
      pagesWaiting: queue.waitingJobsInQueue,
      maxConcurrency: queue.maxConcurrency,
    };
    if (flags.json) return print(toText(facts, flags.pretty));
    for (const [name, value] of Object.entries(facts)) print(`${name.padEnd(18)}${value}`);
  });
}

interface HasStatus {
  status?: number;
}

/** The first that knows the id; ids say nothing about the kind of their job. */
async function firstThatKnows<Answer>(asks: (() => Promise<Answer>)[]): Promise<Answer> {
  let last: unknown;
  for (const ask of asks) {
    try {
      return await ask();
    } catch (error) {
      if ((error as HasStatus).status !== 404) throw error;
      last = error;
    }
  }
  throw last;
}

export async function status({ words: [id], flags }: Invocation): Promise<void> {
  if (id === undefined) throw new UsageError("trawl status needs the id of a job. See trawl activity.");
  await withService(flags, async ({ client, signal }) => {
    const answer = await firstThatKnows<object>([
      () => client.crawlStatus(id, { signal, limit: 1 }),
      () => client.extractStatus(id, { signal }),
      () => client.agentStatus(id, { signal }),
      () => client.scrapeStatus(id, { signal }),
    ]);
    if (flags.json) return print(toText(answer, flags.pretty));
    const { data: _, success: __, next: ___, trace: ____, ...facts } = answer as Record<string, unknown>;
    for (const [name, value] of Object.entries({ id, status: "completed", ...facts }))
      print(`${name.padEnd(18)}${typeof value === "string" ? value : toText(value, false)}`);
  });
}

export async function cancel({ words: [id], flags }: Invocation): Promise<void> {
  if (id === undefined) throw new UsageError("trawl cancel needs the id of a job. See trawl activity.");
  await withService(flags, async ({ client, signal }) => {
    const answer = await firstThatKnows<object>([
      () => client.cancelCrawl(id, { signal }),
      () => client.cancelAgent(id, { signal }),
    ]);
    print(flags.json ? toText(answer, flags.pretty) : `Cancelled job ${id}.`);
  });
}
