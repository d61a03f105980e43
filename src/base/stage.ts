// The stages that every page goes through (cache, fetch, content, store …), timed for metrics and for traces.
import { inSpan, type SpanFacts } from "./span.ts";

export interface StageTime {
  stage: string;
  seconds: number;
  /** In a word; "failed" when it threw. */
  outcome: string;
}

type Listener = (time: StageTime) => void;

/** Of the whole process, like the clock: stages end deep inside of rooms that know no metrics. */
const listeners = new Set<Listener>();

/** Until the function that it answers is called. */
export function onStage(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export async function runStage<Result>(
  stage: string,
  work: () => Promise<Result>,
  describe: (result: Result) => SpanFacts = () => ({}),
): Promise<Result> {
  const startedAt = performance.now();
  const tell = (outcome: string) => {
    const seconds = (performance.now() - startedAt) / 1000;
    for (const listener of listeners) listener({ stage, seconds, outcome });
  };
  try {
    const result = await inSpan(stage, work, describe);
    if (listeners.size > 0) tell(String(describe(result).outcome ?? "ok"));
    return result;
  } catch (error) {
    tell("failed");
    throw error;
  }
}
