// Keeps what a caller says about a result for the operator; nothing is refunded.
import { newId, ServiceError, timeOfId } from "../../base/index.ts";
import type { OperationInput } from "../../contract/index.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";

/** On the wire, there is no feedback on crawls; dialects have it. */
type FeedbackInput = Omit<OperationInput<"sendFeedback">, "endpoint"> & {
  endpoint: OperationInput<"sendFeedback">["endpoint"] | "crawl";
};

export function createFeedbackOperations({ store, clock }: OperationParts) {
  return {
    async sendFeedback(input: FeedbackInput, { teamId, keyId }) {
      const { endpoint, jobId, rating, origin: _, integration: __, ...said } = input;
      // Parsed files are listed as scrapes.
      const listed = endpoint === "parse" ? "scrape" : endpoint;
      const since = timeOfId(jobId);
      const isKnown = since !== null && (await store.activity.has({ teamId, id: jobId, endpoint: listed, since }));
      if (!isKnown) throw new ServiceError("JOB_NOT_FOUND");
      const now = clock.now();
      const id = newId(now);
      const details = JSON.stringify(said);
      const feedback = { id, teamId, keyId, endpoint, jobId, rating, createdAt: now, details };
      const feedbackId = await store.feedback.insert(feedback);
      const answer = { success: true as const, feedbackId, creditsRefunded: 0 };
      return feedbackId === id ? answer : { ...answer, alreadySubmitted: true };
    },
  } satisfies ServedOperations;
}
