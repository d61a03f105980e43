// A task of an extract or agent, and the time that is left for it.

import type { TaskKind } from "../../store/index.ts";
import type { ExtractionSettings } from "../engine/job-settings.ts";
import type { ActiveTask } from "../engine/perform-task.ts";
import type { NewTaskOf, TaskOf } from "../engine/task.ts";
import { pageTask } from "../pages/task-keys.ts";
import type { PageJobContext } from "../pages/task-page.ts";

export type ExtractionContext = PageJobContext<"extract" | "agent" | "research">;

export interface ExtractionStep<
  Kind extends TaskKind = TaskKind,
  Context extends ExtractionContext = ExtractionContext,
> {
  task: TaskOf<Kind>;
  context: Context;
  /** What is to be found, and where. */
  wanted: ExtractionSettings;
  signal: AbortSignal;
}

/** Pages that were found, not named, are read only where robots.txt allows it. */
export const foundDepth = 1;
export const timeIsUp = "The job's time ran out before all pages were read.";

export function stepOf<Kind extends TaskKind, Context extends ExtractionContext>({
  task,
  context,
  signal,
}: ActiveTask<Context, Kind>): ExtractionStep<Kind, Context> {
  return { task, context, wanted: context.settings.extraction, signal };
}

export function foundPage(url: string, depth = foundDepth): NewTaskOf<"page"> {
  return pageTask(url, depth);
}

export function isOver({ deadline }: ExtractionSettings, now: number): boolean {
  return deadline !== null && now >= deadline;
}

/** The platform's timers hold no more than this. */
export function timeLeft({ deadline }: ExtractionSettings, now: number): number {
  return deadline === null ? 2 ** 31 - 1 : Math.max(1, deadline - now);
}
