// The audit log: rows are added in the transaction of the act, and never changed.
import { type Kysely, sql } from "kysely";
import type { RowOf, Tables } from "../schema/tables.ts";

export type AuditRow = RowOf<"audit_rows">;

interface AuditPlace {
  at: number;
  id: string;
}

export interface AuditQuery {
  teamId: string;
  /** The whole name, or how it begins with `.*` at its end. */
  action?: string | undefined;
  /** Id or name. */
  actor?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
  limit: number;
  /** The row that came last. */
  after?: AuditPlace | undefined;
  order: "latest first" | "oldest first";
}

export function createAuditStatements(db: Kysely<Tables>) {
  return {
    async add(rows: readonly AuditRow[]): Promise<void> {
      if (rows.length > 0) await db.insertInto("audit_rows").values(rows).execute();
    },

    list({ teamId, action, actor, from, to, limit, after, order }: AuditQuery): Promise<AuditRow[]> {
      const direction = order === "latest first" ? "desc" : "asc";
      let query = db
        .selectFrom("audit_rows")
        .selectAll()
        .where("teamId", "=", teamId)
        .orderBy("at", direction)
        .orderBy("id", direction)
        .limit(limit);
      if (action?.endsWith(".*")) {
        const start = action.slice(0, -1);
        query = query.where("action", ">=", start).where("action", "<", `${action.slice(0, -2)}/`);
      } else if (action !== undefined) query = query.where("action", "=", action);
      if (actor !== undefined)
        query = query.where((build) => build.or([build("actorId", "=", actor), build("actorName", "=", actor)]));
      if (from !== undefined) query = query.where("at", ">=", from);
      if (to !== undefined) query = query.where("at", "<", to);
      if (after) {
        const sign = direction === "desc" ? "<" : ">";
        query = query.where((build) =>
          build(build.refTuple("at", "id"), sign, sql<[number, string]>`(${after.at}, ${after.id})`),
        );
      }
      return query.execute();
    },
  };
}
