// How the tasks of a planned run end: each leaves a record, and the last one of a step asks for the next step.
import type { ActionRecord, NewTask, NewTaskOf, PageEnding, StepRecord } from "../../jobs/index.ts";
import { type OperationParts, warningOf } from "../parts/operation-parts.ts";
import { type AgentStep, type Progress, stepKey } from "./agent-progress.ts";

export interface AgentStepFacts
  extends Pick<StepRecord, "tool" | "reason">,
    Partial<Pick<StepRecord, "query" | "urls" | "actions" | "refused" | "stopReason" | "failure">> {}

export type StepEndings = ReturnType<typeof createStepEndings>;

export function createStepEndings({ clock, jobs: { records } }: OperationParts) {
  return {
    ofStep(
      { task, context }: AgentStep<"step">,
      facts: AgentStepFacts,
      found: NewTask[],
      tokens = 0,
    ): Promise<PageEnding> {
      const shared = { kind: "step" as const, at: clock.now(), steps: [], number: task.step, refused: [], tokens };
      return records.ending(task, context.job, { ...shared, ...facts }, { found, refused: [] });
    },

    ofAction(
      { task, context }: AgentStep<"action">,
      done: Omit<ActionRecord, "kind" | "number" | "at">,
      warnings: readonly string[],
    ): Promise<PageEnding> {
      const about = { kind: "action" as const, at: clock.now(), number: task.step };
      const record = { ...about, ...done, ...warningOf(warnings) };
      return records.ending(task, context.job, record, { found: [stepAfter(task.step)], refused: [] });
    },
  };
}

export function stepAfter(number: number): NewTaskOf<"step"> {
  return { key: stepKey(number + 1), url: "", depth: 0, kind: "step", step: number + 1 };
}

export function findStep({ steps }: Progress, number: number): Partial<StepRecord> {
  return steps.find((each) => each.number === number) ?? {};
}
