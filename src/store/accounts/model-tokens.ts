// Tokens of the language model that teams have used, by month and key.
import { increased } from "../engine/changes.ts";
import type { Executor } from "../engine/executor.ts";
import type { RowOf } from "../schema/tables.ts";

export interface ModelTokens {
  /** Read and written by the model. */
  input: number;
  output: number;
}

/** Who used them. */
export interface ModelPayer {
  teamId: string;
  /** Null where no key was needed. */
  keyId: string | null;
}

/** Tokens that a call may use. */
export type ModelReservation = RowOf<"model_reservations">;

export interface MonthTokens {
  month: number;
  /** Both kinds together. */
  tokens: number;
}

export interface KeyMonthTokens extends MonthTokens {
  /** Null when they were used without a key. */
  keyName: string | null;
}

export function createModelTokenStatements({ db }: Executor) {
  return {
    async add({ teamId, keyId }: ModelPayer, month: number, { input, output }: ModelTokens): Promise<void> {
      await db
        .insertInto("model_token_months")
        .values({ teamId, month, keyId: keyId ?? "", input, output })
        .onConflict((conflict) =>
          conflict
            .columns(["teamId", "month", "keyId"])
            .doUpdateSet(increased("model_token_months", ["input", "output"])),
        )
        .execute();
    },

    /** Both kinds together. */
    async sum(teamId: string, month: number): Promise<number> {
      const rows = await db
        .selectFrom("model_token_months")
        .select(["input", "output"])
        .where((build) => build.and({ teamId, month }))
        .execute();
      return rows.reduce((sum, { input, output }) => sum + input + output, 0);
    },

    async reserve(reservation: ModelReservation): Promise<void> {
      await db.insertInto("model_reservations").values(reservation).execute();
    },

    async release(teamId: string, id: string): Promise<void> {
      await db.deleteFrom("model_reservations").where("teamId", "=", teamId).where("id", "=", id).execute();
    },

    /** Tokens reserved by calls in progress. Reservations of processes that crashed expire. */
    async sumReserved(teamId: string, now: number): Promise<number> {
      await db.deleteFrom("model_reservations").where("teamId", "=", teamId).where("until", "<=", now).execute();
      const rows = await db.selectFrom("model_reservations").select("tokens").where("teamId", "=", teamId).execute();
      return rows.reduce((sum, { tokens }) => sum + tokens, 0);
    },

    /** Oldest month first. */
    async listMonthsByKey(teamId: string): Promise<KeyMonthTokens[]> {
      const rows = await db
        .selectFrom("model_token_months")
        .leftJoin("api_keys", "api_keys.id", "model_token_months.keyId")
        .select([
          "model_token_months.month",
          "model_token_months.input",
          "model_token_months.output",
          "api_keys.name as keyName",
        ])
        .where("model_token_months.teamId", "=", teamId)
        .orderBy("model_token_months.month")
        .orderBy("model_token_months.keyId")
        .execute();
      return rows.map(({ month, input, output, keyName }) => ({ month, keyName, tokens: input + output }));
    },
  };
}
