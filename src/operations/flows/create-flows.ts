// Flows as one part: made of what was shown, kept in versions, run.
import { ServiceError } from "../../base/index.ts";
import type { RecordedEvent } from "../../flows/index.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";
import { createFlowOperations, type ReadSource } from "./flow-operations.ts";
import { createFlowRunner, type ScrapePage } from "./flow-runs.ts";
import { fromEvents, fromFlow } from "./flow-source.ts";

export interface FlowParts {
  scrape: ScrapePage;
  /** What happened in a session of the team, living or ended. Throws why there is nothing. */
  readEvents(teamId: string, sessionId: string): Promise<readonly RecordedEvent[]>;
}

export function createFlows(parts: OperationParts, { scrape, readEvents }: FlowParts) {
  const readSource: ReadSource = async (input, { teamId }) => {
    const { sessionId, flow } = input.from;
    if (sessionId !== undefined) return fromEvents(await readEvents(teamId, sessionId), input);
    if (flow === undefined) throw new ServiceError("NOT_IMPLEMENTED", notYet);
    return fromFlow(flow, input);
  };
  return {
    operations: {
      ...createFlowOperations(parts, readSource),
      runFlow: createFlowRunner(parts, scrape),
    } satisfies ServedOperations,
  };
}

const notYet = "This server makes flows of sessions and of exported flows, not of actions or recordings.";
