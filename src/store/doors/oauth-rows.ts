// Clients of OAuth, the requests that wait for a person, codes, grants and tokens. What must happen once is one statement, which
// one of several processes wins.
import { changesRow } from "../engine/changes.ts";
import type { Executor, FixedStatement } from "../engine/executor.ts";
import type { OauthTokenKind } from "../schema/door-tables.ts";
import type { RowOf } from "../schema/tables.ts";

export type OauthClientRow = RowOf<"oauth_clients">;
export type OauthRequestRow = RowOf<"oauth_requests">;
export type OauthCodeRow = RowOf<"oauth_codes">;
export type OauthGrantRow = RowOf<"oauth_grants">;
export type OauthTokenRow = RowOf<"oauth_tokens">;

/** A token with the grant and team that it acts for; only of people who are in the team. */
export interface GrantedToken extends OauthTokenRow {
  teamId: string;
  teamName: string;
  requestsPerMinute: number | null;
  personId: string;
  clientId: string;
  clientName: string;
  resource: string;
  grantScope: string;
}

export interface ListedGrant extends OauthGrantRow {
  personName: string;
  lastUsedAt: number | null;
}

export function createOauthStatements({ db, run }: Executor) {
  return {
    /** A document takes the place of its earlier copy. */
    async putClient(client: OauthClientRow): Promise<void> {
      const { name, redirectUris, authMethod, secretHash, expiresAt } = client;
      await db
        .insertInto("oauth_clients")
        .values(client)
        .onConflict((conflict) =>
          conflict.column("id").doUpdateSet({ name, redirectUris, authMethod, secretHash, expiresAt }),
        )
        .execute();
    },

    async findClient(id: string): Promise<OauthClientRow | null> {
      const row = await db.selectFrom("oauth_clients").selectAll().where("id", "=", id).executeTakeFirst();
      return row ?? null;
    },

    async markAllowed(id: string, at: number): Promise<void> {
      await db
        .updateTable("oauth_clients")
        .set({ allowedAt: at })
        .where("id", "=", id)
        .where("allowedAt", "is", null)
        .execute();
    },

    async addRequest(request: OauthRequestRow): Promise<void> {
      await db.insertInto("oauth_requests").values(request).execute();
    },

    async findRequest(id: string, now: number): Promise<OauthRequestRow | null> {
      const query = db.selectFrom("oauth_requests").selectAll().where("id", "=", id).where("expiresAt", ">", now);
      return (await query.executeTakeFirst()) ?? null;
    },

    /** True for one decision only. */
    takeRequest: (id: string): Promise<boolean> => changesRow(db.deleteFrom("oauth_requests").where("id", "=", id)),

    async addCode(code: OauthCodeRow): Promise<void> {
      await db.insertInto("oauth_codes").values(code).execute();
    },

    async findCode(hash: string): Promise<OauthCodeRow | null> {
      const row = await db.selectFrom("oauth_codes").selectAll().where("hash", "=", hash).executeTakeFirst();
      return row ?? null;
    },

    /** True for one exchange only. */
    useCode: (hash: string, now: number): Promise<boolean> =>
      changesRow(
        db.updateTable("oauth_codes").set({ usedAt: now }).where("hash", "=", hash).where("usedAt", "is", null),
      ),

    async addGrant(grant: OauthGrantRow): Promise<void> {
      await db.insertInto("oauth_grants").values(grant).execute();
    },

    async extendGrant(id: string, expiresAt: number): Promise<void> {
      await db.updateTable("oauth_grants").set({ expiresAt }).where("id", "=", id).execute();
    },

    async findGrant(id: string): Promise<OauthGrantRow | null> {
      const row = await db.selectFrom("oauth_grants").selectAll().where("id", "=", id).executeTakeFirst();
      return row ?? null;
    },

    /** False when it was revoked before. Its tokens are gone with it. */
    async revokeGrant(id: string, now: number): Promise<boolean> {
      const isRevoked = await changesRow(
        db.updateTable("oauth_grants").set({ revokedAt: now }).where("id", "=", id).where("revokedAt", "is", null),
      );
      await db.deleteFrom("oauth_tokens").where("grantId", "=", id).where("kind", "=", "access").execute();
      return isRevoked;
    },

    /** Those that can still be used, newest first. */
    listGrants(teamId: string, now: number): Promise<ListedGrant[]> {
      return db
        .selectFrom("oauth_grants")
        .innerJoin("people", "people.id", "oauth_grants.personId")
        .innerJoin("team_people", (join) =>
          join
            .onRef("team_people.teamId", "=", "oauth_grants.teamId")
            .onRef("team_people.personId", "=", "oauth_grants.personId"),
        )
        .leftJoin("api_keys", "api_keys.id", "oauth_grants.id")
        .selectAll("oauth_grants")
        .select(["people.name as personName", "api_keys.lastUsedAt"])
        .where("oauth_grants.teamId", "=", teamId)
        .where("oauth_grants.revokedAt", "is", null)
        .where("oauth_grants.expiresAt", ">", now)
        .orderBy("oauth_grants.createdAt", "desc")
        .orderBy("oauth_grants.id", "desc")
        .execute();
    },

    ...createTokenStatements({ db, run }),
  };
}

const findToken: FixedStatement<[hash: string], GrantedToken> = (db, [hash]) =>
  db
    .selectFrom("oauth_tokens")
    .innerJoin("oauth_grants", "oauth_grants.id", "oauth_tokens.grantId")
    .innerJoin("teams", "teams.id", "oauth_grants.teamId")
    .innerJoin("team_people", (join) =>
      join
        .onRef("team_people.teamId", "=", "oauth_grants.teamId")
        .onRef("team_people.personId", "=", "oauth_grants.personId"),
    )
    .selectAll("oauth_tokens")
    .select(["oauth_grants.teamId", "oauth_grants.personId", "oauth_grants.clientId", "oauth_grants.clientName"])
    .select(["oauth_grants.resource", "oauth_grants.scope as grantScope"])
    .select(["teams.name as teamName", "teams.requestsPerMinute"])
    .where("oauth_tokens.hash", "=", hash)
    .where("oauth_grants.revokedAt", "is", null);

function createTokenStatements({ db, run }: Pick<Executor, "db" | "run">) {
  return {
    async addTokens(tokens: readonly OauthTokenRow[]): Promise<void> {
      await db.insertInto("oauth_tokens").values(tokens).execute();
    },

    /** Null for one that is unknown, whose grant was revoked or whose person has left the team. */
    async findToken(hash: string): Promise<GrantedToken | null> {
      return (await run(findToken, [hash]))[0] ?? null;
    },

    /** True for one use only. */
    useToken: (hash: string, now: number): Promise<boolean> =>
      changesRow(
        db.updateTable("oauth_tokens").set({ usedAt: now }).where("hash", "=", hash).where("usedAt", "is", null),
      ),

    async removeToken(hash: string, kind: OauthTokenKind): Promise<void> {
      await db.deleteFrom("oauth_tokens").where("hash", "=", hash).where("kind", "=", kind).execute();
    },
  };
}
