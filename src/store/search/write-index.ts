// Writes pages into the search index: those that are new or have changed.
import { sql } from "kysely";
import type { Executor } from "../engine/executor.ts";
import { insertRows } from "../engine/inserts.ts";
import { firstIdOf } from "../engine/search-ids.ts";
import type { NumberedWords, WordIndex } from "../engine/search-words.ts";
import type { RowOf } from "../schema/tables.ts";
import {
  entryKey,
  groupByTeam,
  type IndexedState,
  isOwnNumber,
  type PackedEntry,
  pageKeyOf,
  toHex,
  toPageRow,
} from "./entries.ts";
import { removeIds } from "./removal.ts";

const insertPages = insertRows<RowOf<"search_pages">>("search_pages");
const insertTexts = insertRows<RowOf<"search_texts">>("search_texts");

export function createIndexWriteStatements(executor: Executor, words: WordIndex) {
  const { db, insert } = executor;

  /** The first of the ids of new pages, whose sizes are noted; also what makes two writers of one team wait for each other. */
  async function takeIds(teamId: string, pages: readonly PackedEntry[]): Promise<number> {
    const count = pages.length;
    const bytes = pages.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const take = () =>
      db
        .updateTable("search_teams")
        .set({
          nextId: sql<number>`next_id + ${count}`,
          measuredPages: sql<number>`measured_pages + ${count}`,
          measuredBytes: sql<number>`measured_bytes + ${bytes}`,
        })
        .where("teamId", "=", teamId)
        .returning(["teamNumber", "nextId"])
        .executeTakeFirst();
    let taken = await take();
    if (!taken) {
      const next = sql<number>`(select coalesce(max(team_number), 0) + 1 from search_teams)`;
      await db
        .insertInto("search_teams")
        .values({ teamId, teamNumber: next, nextId: 0, measuredPages: 0, measuredBytes: 0 })
        .onConflict((conflict) => conflict.column("teamId").doNothing())
        .execute();
      taken = await take();
    }
    if (!taken) throw new Error(`Team ${teamId} has no number in the search index.`);
    return firstIdOf(taken.teamNumber) + taken.nextId - count;
  }

  function readKnown(pageKeys: readonly Uint8Array[]) {
    return db
      .selectFrom("search_pages")
      .select(["id", "pageKey", "textKey", "title", "description", "published", "modified", "firstSeen", "isOwn"])
      .where("pageKey", "in", pageKeys)
      .execute();
  }

  return {
    /** Which of these pages, by their places in the list, are in the index exactly so; with their ids. */
    async findUnchanged(pages: readonly IndexedState[]): Promise<Map<number, number>> {
      const places = new Map(pages.map((page, place) => [toHex(pageKeyOf(page.teamId, page.url)), place]));
      const rows = pages.length === 0 ? [] : await readKnown(pages.map(({ teamId, url }) => pageKeyOf(teamId, url)));
      const unchanged = new Map<number, number>();
      for (const row of rows) {
        const place = places.get(toHex(row.pageKey)) ?? -1;
        const page = pages[place];
        if (page && isSame(row, { textKey: entryKey(page.text), ...page })) unchanged.set(place, row.id);
      }
      return unchanged;
    },

    /** To be called in a transaction. The words of pages that are in the index, instead of those it has. */
    async replaceWords(pages: readonly NumberedWords[]): Promise<void> {
      const ids = pages.map(({ id }) => id);
      await db.deleteFrom("search_words").where("rowid", "in", ids).execute();
      await words.insert(executor, pages);
    },

    async noteSeen(ids: readonly number[], seenAt: number): Promise<void> {
      if (ids.length === 0) return;
      await db.updateTable("search_pages").set({ seenAt }).where("id", "in", ids).execute();
    },

    /**
     * To be called in a transaction. Pages that are there already are replaced; the same page again is only seen again. Gives the
     * new ids.
     */
    async put(entries: readonly PackedEntry[]): Promise<ReadonlySet<number>> {
      const newIds = new Set<number>();
      // One page may be read twice in a moment; the last word counts.
      const latest = new Map(entries.map((entry) => [toHex(entry.pageKey), entry]));
      if (latest.size === 0) return newIds;
      const before = new Map<PackedEntry, Pick<RowOf<"search_pages">, "firstSeen" | "isOwn">>();
      const replaced: number[] = [];
      for (const row of await readKnown([...latest.values()].map(({ pageKey }) => pageKey))) {
        const key = toHex(row.pageKey);
        const entry = latest.get(key);
        if (!entry) continue;
        if (isSame(row, entry)) {
          latest.delete(key);
          await db.updateTable("search_pages").set({ seenAt: entry.seenAt }).where("id", "=", row.id).execute();
        } else {
          before.set(entry, { firstSeen: row.firstSeen, isOwn: Math.max(row.isOwn, isOwnNumber(entry)) });
          replaced.push(row.id);
        }
      }
      await removeIds(db, replaced);
      for (const [teamId, pages] of [...groupByTeam(latest.values())].sort(([one], [other]) =>
        one < other ? -1 : 1,
      )) {
        const firstId = await takeIds(teamId, pages);
        const numbered = pages.map((entry, index) => ({ entry, id: firstId + index }));
        await insert(
          insertPages,
          numbered.map(({ entry, id }) =>
            toPageRow(entry, id, before.get(entry) ?? { firstSeen: entry.seenAt, isOwn: isOwnNumber(entry) }),
          ),
        );
        await insert(
          insertTexts,
          numbered.map(({ entry, id }) => ({
            id,
            encoding: entry.packed.encoding,
            sizeBytes: entry.sizeBytes,
            data: entry.packed.data,
          })),
        );
        await words.insert(
          executor,
          numbered.map(({ entry, id }) => ({ id, ...entry.words })),
        );
        for (const { id } of numbered) newIds.add(id);
      }
      return newIds;
    },
  };
}

const compared = ["title", "description", "published", "modified"] as const;

/** A page that the team reads after its source is another, too. */
function isSame(
  row: Pick<RowOf<"search_pages">, "textKey" | "isOwn" | (typeof compared)[number]>,
  page: Pick<PackedEntry, "textKey" | "sourceId" | (typeof compared)[number]>,
): boolean {
  if (row.isOwn < isOwnNumber(page)) return false;
  return toHex(row.textKey) === toHex(page.textKey) && compared.every((field) => row[field] === page[field]);
}
