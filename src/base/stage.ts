// The stages that every page goes through (cache, fetch, content, store …), timed for metrics and for traces.
import { channel } from "node:diagnostics_channel";
import { inSpan, type SpanFacts } from "./span.ts";

export interface StageTime {
  stage: string;
  seconds: number;
  /** In a word; "failed" when it threw. */
  outcome: string;
}

/** Node's own way to tell of what happens deep inside of rooms that know no metrics. */
const stages = channel("trawl:stage");

/** Until the function that it answers is called. */
export function onStage(listener: (time: StageTime) => void): () => void {
  const receive = (time: unknown) => listener(time as StageTime);
  stages.subscribe(receive);
  return () => void stages.unsubscribe(receive);
}

export async function runStage<Result>(
  stage: string,
  work: () => Promise<Result>,
  describe: (result: Result) => SpanFacts = () => ({}),
): Promise<Result> {
  const startedAt = performance.now();
  const tell = (outcome: string) => {
    stages.publish({ stage, seconds: (performance.now() - startedAt) / 1000, outcome } satisfies StageTime);
  };
  try {
    const result = await inSpan(stage, work, describe);
    if (stages.hasSubscribers) tell(String(describe(result).outcome ?? "ok"));
    return result;
  } catch (error) {
    tell("failed");
    throw error;
  }
}
