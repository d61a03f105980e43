// Pages that a team has read, by site: map lists them beside what the site itself tells of its pages.
import { sql } from "kysely";
import { sha256 } from "../../base/index.ts";
import type { Executor } from "../engine/executor.ts";
import { upsertRows } from "../engine/inserts.ts";
import { oncePerKey } from "../engine/once-per-key.ts";
import type { RowOf } from "../schema/tables.ts";

export type KnownPage = Omit<RowOf<"known_pages">, "hostKey" | "urlHash">;

export interface SiteQuery {
  teamId: string;
  /** A domain, whose subdomains are its pages' hosts too, or an IP address. */
  site: string;
  limit: number;
}

const upsertPages = upsertRows<RowOf<"known_pages">>("known_pages", ["teamId", "hostKey", "urlHash"], {
  set: ["seenAt", "title", "description"],
});

export function createKnownPageStatements({ db, insert }: Executor) {
  const latestOfSite = ({ teamId, site, limit }: SiteQuery) => {
    const key = hostKey(site);
    return db
      .selectFrom("known_pages")
      .where("teamId", "=", teamId)
      .where((build) =>
        build.or([
          build("hostKey", "=", key),
          // Everything that begins with the key and a dot: "/" is the next character.
          build.and([build("hostKey", ">", `${key}.`), build("hostKey", "<", `${key}/`)]),
        ]),
      )
      .orderBy("seenAt", "desc")
      .orderBy("url")
      .limit(limit);
  };

  return {
    /** A page that is known already is brought up to date. */
    async note(pages: readonly KnownPage[]): Promise<void> {
      await insert(
        upsertPages,
        oncePerKey(pages.map(toRow), (row) => row.teamId + row.urlHash),
      );
    },

    /** The latest first, those of one instant by URL. */
    listOfSite(query: SiteQuery): Promise<Pick<KnownPage, "url" | "title" | "description">[]> {
      return latestOfSite(query).select(["url", "title", "description"]).execute();
    },

    /** At least those whose path begins with `path`; it may be written in escapes. */
    async listUrls({ path, ...query }: SiteQuery & { path: string }): Promise<string[]> {
      const written = path.replace(/[\\%_]/g, "\\$&");
      const rows = await latestOfSite(query)
        .select("url")
        .where(sql<boolean>`(url like ${`%${written}%`} escape '\\' or url like '%\\%%' escape '\\')`)
        .execute();
      return rows.map(({ url }) => url);
    },
  };
}

/** Labels from the top down, so that the hosts of a domain are next to each other. IP addresses stay as they are. Of a key it makes the host again. */
export function hostKey(host: string): string {
  return /^[\d.]+$|:/.test(host) ? host : host.split(".").reverse().join(".");
}

function toRow(page: KnownPage): RowOf<"known_pages"> {
  return { hostKey: hostKey(new URL(page.url).hostname), urlHash: sha256(page.url), ...page };
}
