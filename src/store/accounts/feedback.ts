// What callers said about the results of their requests: once for each request.
import type { Executor } from "../engine/executor.ts";
import type { RowOf } from "../schema/tables.ts";

export type Feedback = RowOf<"feedback">;

export function createFeedbackStatements({ db }: Executor) {
  return {
    /** The id of the feedback that is kept for this request: the first one's. */
    async insert(feedback: Feedback): Promise<string> {
      await db
        .insertInto("feedback")
        .values(feedback)
        .onConflict((conflict) => conflict.columns(["teamId", "jobId"]).doNothing())
        .execute();
      const kept = await db
        .selectFrom("feedback")
        .select("id")
        .where((build) => build.and({ teamId: feedback.teamId, jobId: feedback.jobId }))
        .executeTakeFirst();
      return kept?.id ?? feedback.id;
    },

    /** Newest first. */
    list(teamId: string, limit: number): Promise<Feedback[]> {
      return db
        .selectFrom("feedback")
        .selectAll()
        .where("teamId", "=", teamId)
        .orderBy("createdAt", "desc")
        .limit(limit)
        .execute();
    },
  };
}
