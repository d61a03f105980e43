// How long the pages of a team's local index are, on average: lengths are compared with it. Where pages were indexed before, their
// latest ones tell; reading all of them could take minutes, and other servers would wait.
import { type Kysely, type Migration, sql } from "kysely";
import { counter } from "./baseline/columns.ts";

const mostRead = 10_000;
const idsPerTeam = 2 ** 32;

export function createPageSizes(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const name of ["measured_pages", "measured_bytes"]) {
        await db.schema.alterTable("search_teams").addColumn(name, "bigint", counter).execute();
      }
      const ids = sql.lit(idsPerTeam);
      const latest = sql`(select size_bytes from search_pages
        where id >= search_teams.team_number * ${ids} and id < (search_teams.team_number + 1) * ${ids}
        order by id desc limit ${sql.lit(mostRead)}) as latest`;
      await sql`update search_teams set
        measured_pages = (select count(*) from ${latest}),
        measured_bytes = (select coalesce(sum(size_bytes), 0) from ${latest})`.execute(db);
    },
  };
}
