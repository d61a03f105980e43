// What was tried for one request, step by step, with the time each step took.
import type { SpanFacts } from "./span.ts";
import { runStage } from "./stage.ts";

export interface TraceStep {
  step: string;
  engine?: string;
  url?: string;
  ms: number;
  outcome: string;
  detail?: unknown;
  /** Whom a search asked, where it asks several at once. */
  sourcesAsked?: { name: string; ms: number; results: number; error?: string }[];
}

export type StepFacts = Omit<TraceStep, "step" | "ms">;

export interface Trace {
  steps: TraceStep[];
  /** Runs a step and notes what `describe` says of its result, or the `known` facts of one that failed. */
  run<Result>(
    step: string,
    work: () => Promise<Result>,
    describe: (result: Result) => StepFacts,
    known?: Partial<StepFacts>,
  ): Promise<Result>;
}

export function createTrace(): Trace {
  const steps: TraceStep[] = [];
  return {
    steps,
    async run(step, work, describe, known) {
      const startedAt = performance.now();
      const ms = () => Math.round((performance.now() - startedAt) * 10) / 10;
      try {
        const result = await runStage(step, work, (found) => spanFacts(describe(found)));
        steps.push({ step, ...describe(result), ms: ms() });
        return result;
      } catch (error) {
        const outcome = (error as { code?: string }).code ?? "failed";
        steps.push({ step, ...known, outcome, ms: ms() });
        throw error;
      }
    },
  };
}

/** Without URLs: they are what a caller may not mean to tell the operator. */
function spanFacts({ engine, outcome }: StepFacts): SpanFacts {
  return engine === undefined ? { outcome } : { outcome, engine };
}
