// What callers said about the results of their requests: once for each request.
import type { Executor } from "../engine/executor.ts";
import type { FeedbackTable } from "../schema/tables.ts";

export interface Feedback {
  id: string;
  teamId: string;
  keyId: string | null;
  /** Kind of request: search, scrape, parse or map. */
  endpoint: string;
  jobId: string;
  rating: string;
  createdAt: number;
  /** Everything else that was said, as JSON text. */
  details: string;
}

export type FeedbackStatements = ReturnType<typeof createFeedbackStatements>;

export function createFeedbackStatements({ db }: Executor) {
  return {
    /** The id of the feedback that is kept for this request: the first one's. */
    async insert(feedback: Feedback): Promise<string> {
      await db
        .insertInto("feedback")
        .values(toRow(feedback))
        .onConflict((conflict) => conflict.columns(["teamId", "jobId"]).doNothing())
        .execute();
      const kept = await db
        .selectFrom("feedback")
        .select("id")
        .where("teamId", "=", feedback.teamId)
        .where("jobId", "=", feedback.jobId)
        .executeTakeFirst();
      return kept?.id ?? feedback.id;
    },

    /** Newest first. */
    list(teamId: string, limit: number): Promise<Feedback[]> {
      return db
        .selectFrom("feedback")
        .select(["id", "endpoint", "rating", "details"])
        .select(["teamId", "keyId", "jobId", "createdAt"])
        .where("teamId", "=", teamId)
        .orderBy("createdAt", "desc")
        .limit(limit)
        .execute();
    },
  };
}

function toRow(feedback: Feedback): FeedbackTable {
  return {
    id: feedback.id,
    teamId: feedback.teamId,
    keyId: feedback.keyId,
    endpoint: feedback.endpoint,
    jobId: feedback.jobId,
    rating: feedback.rating,
    createdAt: feedback.createdAt,
    details: feedback.details,
  };
}
