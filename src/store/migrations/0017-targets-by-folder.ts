// What links say of a page is kept under a number that begins with bits of its folder. Rows of pages in the local index move to their
// new numbers; those of pages that nobody has read yet cannot be told apart, are noted anew when a link to them is seen again, and
// go with age.
import { type Kysely, type Migration, type RawBuilder, sql } from "kysely";
import { targetOf } from "../search/targets.ts";

const batch = 500;

interface IndexedPage {
  id: number;
  page_key: Uint8Array;
  url: string;
}

export function createTargetsByFolder(): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (let afterId = 0; ; ) {
        const { rows } = await sql<IndexedPage>`
          select id, page_key, url from search_pages where id > ${afterId} order by id limit ${sql.lit(batch)}`.execute(
          db,
        );
        const last = rows.at(-1);
        if (!last) return;
        await moveTargets(db, rows);
        afterId = last.id;
      }
    },
  };
}

async function moveTargets(db: Kysely<unknown>, pages: readonly IndexedPage[]): Promise<void> {
  const moves = pages.map(({ page_key, url }) => ({ before: oldTargetOf(page_key), after: targetOf(page_key, url) }));
  const numbers = sql.join(moves.map(({ before, after }) => sql`(${sql.lit(before)}, ${sql.lit(after)})`));
  const old = sql.join(moves.map(({ before }) => sql.lit(before)));
  const move = (table: string, key: string, others: readonly string[]): RawBuilder<unknown> => {
    const kept = sql.join(others.map((name) => sql.ref(name)));
    // "where true" tells SQLite that what follows is not part of the join.
    return sql`with moves (before, after) as (values ${numbers})
      insert into ${sql.table(table)} (${sql.ref(key)}, ${kept})
      select moves.after, ${kept} from moves join ${sql.table(table)} on ${sql.ref(key)} = moves.before where true
      on conflict do nothing`;
  };
  await move("search_targets", "id", ["noted_day", "link_hosts", "anchors"]).execute(db);
  await sql`delete from search_targets where id in (${old})`.execute(db);
  await move("search_links", "target", ["source_host"]).execute(db);
  await sql`delete from search_links where target in (${old})`.execute(db);
}

/** As it was until this migration. */
function oldTargetOf(pageKey: Uint8Array): number {
  return Buffer.from(pageKey).readUIntBE(0, 6);
}
