// Tokens of the language model that teams have used, by month.
import type { Executor } from "./executor.ts";

export interface ModelTokens {
  /** Read and written by the model. */
  input: number;
  output: number;
}

export type ModelTokenStatements = ReturnType<typeof createModelTokenStatements>;

export function createModelTokenStatements({ db }: Executor) {
  return {
    async add(teamId: string, month: number, { input, output }: ModelTokens): Promise<void> {
      await db
        .insertInto("model_tokens")
        .values({ team_id: teamId, month, input, output })
        .onConflict((conflict) =>
          conflict.columns(["team_id", "month"]).doUpdateSet((build) => ({
            input: build("model_tokens.input", "+", build.ref("excluded.input")),
            output: build("model_tokens.output", "+", build.ref("excluded.output")),
          })),
        )
        .execute();
    },

    /** Both kinds together. */
    async sum(teamId: string, month: number): Promise<number> {
      const row = await db
        .selectFrom("model_tokens")
        .select(["input", "output"])
        .where("team_id", "=", teamId)
        .where("month", "=", month)
        .executeTakeFirst();
      return row ? row.input + row.output : 0;
    },
  };
}
