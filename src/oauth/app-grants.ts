// What people have allowed, and how it ends: whose token a request carries, the list of a team, revocation.
import { type Actor, auditRow, type KeyHolder } from "../accounts/index.ts";
import { type Clock, isoTime, ServiceError, sha256 } from "../base/index.ts";
import type { OauthGrantRow, Store } from "../store/index.ts";
import { appName } from "./oauth-clients.ts";
import { isAccessToken } from "./oauth-secrets.ts";
import { scopesOf } from "./scopes.ts";

export interface AppsDeps {
  store: Store;
  clock: Clock;
}

/** Who looks at apps: owners see those of all people of the team. */
export interface AppViewer {
  teamId: string;
  personId: string;
  isOwner: boolean;
}

type GrantEnd = "oauth.revoked" | "oauth.token_reused";

/** Where a request of an app comes from, for the audit log. */
export type AppOrigin = Pick<Actor, "ip" | "requestId">;

export type ConnectedApps = ReturnType<typeof createConnectedApps>;

export function createConnectedApps({ store, clock }: AppsDeps) {
  /** Written together, as those of keys are. */
  const lastUsed = new Map<string, number>();

  async function flush(): Promise<void> {
    const uses = Array.from(lastUsed, ([id, at]) => ({ id, at }));
    if (uses.length === 0) return;
    lastUsed.clear();
    await store.keys.markUsed(uses);
  }

  /** False when it had ended before. */
  async function endGrant(grant: OauthGrantRow, action: GrantEnd, actor: Actor): Promise<boolean> {
    const { id, teamId, clientName: name } = grant;
    return store.transaction(async ({ oauth, audit }) => {
      const now = clock.now();
      if (!(await oauth.revokeGrant(id, now))) return false;
      await audit.add([auditRow(teamId, actor, now, { action, target: { type: "app", id, name } })]);
      return true;
    });
  }

  const isSeen = ({ personId, isOwner }: AppViewer, grant: { personId: string }) =>
    isOwner || grant.personId === personId;

  return {
    /** Asked of the store every time: a grant ends at once, on every server. Null unless it is good for the resource. */
    async identify(text: string, resource: string): Promise<KeyHolder | null> {
      if (!isAccessToken(text)) return null;
      const token = await store.oauth.findToken(sha256(text));
      const now = clock.now();
      if (token?.kind !== "access" || token.expiresAt <= now || token.resource !== resource) return null;
      lastUsed.set(token.grantId, now);
      const { teamId, teamName, requestsPerMinute, grantId: keyId } = token;
      const allowedGroups = scopesOf(token.scope);
      return { teamId, teamName, keyId, keyName: appName(token.clientName), requestsPerMinute, allowedGroups };
    },

    async list(viewer: AppViewer) {
      await flush();
      const grants = await store.oauth.listGrants(viewer.teamId, clock.now());
      return grants
        .filter((grant) => isSeen(viewer, grant))
        .map(({ id, clientId, clientName, clientHost, personId, personName, scope, resource, ...times }) => ({
          id,
          client: { id: clientId, name: clientName, host: clientHost },
          person: { id: personId, name: personName },
          scopes: scopesOf(scope),
          resource,
          createdAt: isoTime(times.createdAt),
          lastUsedAt: times.lastUsedAt === null ? null : isoTime(times.lastUsedAt),
          expiresAt: isoTime(times.expiresAt),
        }));
    },

    async revoke(viewer: AppViewer, id: string, actor: Actor): Promise<void> {
      const grant = await store.oauth.findGrant(id);
      if (grant?.teamId !== viewer.teamId || !isSeen(viewer, grant)) throw new ServiceError("APP_NOT_FOUND");
      if (!(await endGrant(grant, "oauth.revoked", actor))) throw new ServiceError("APP_NOT_FOUND");
    },

    /** Ends a grant, and with it every token of it, because of what its client did. */
    async end(id: string, action: GrantEnd, origin: AppOrigin): Promise<void> {
      const grant = await store.oauth.findGrant(id);
      if (grant) await endGrant(grant, action, { type: "app", id: grant.clientId, name: grant.clientName, ...origin });
    },

    flush,
  };
}
