// Apps that people connect: what one asks for, the decision, and the list of those that were allowed.
import { actorOf, type Caller, type People } from "../../accounts/index.ts";
import { isoTime, ServiceError } from "../../base/index.ts";
import type { DashboardOperations } from "../../contract/index.ts";
import type { Oauth } from "../../oauth/index.ts";
import { requireSession } from "./sign-in.ts";

/** `oauth` null: no app can be connected here. */
export function createAppOperations(oauth: Pick<Oauth, "apps" | "consent"> | null, people: Pick<People, "listTeams">) {
  function requireOauth() {
    if (oauth === null) throw new ServiceError("OAUTH_REQUEST_NOT_FOUND");
    return oauth;
  }

  async function teamsOf({ personId }: ReturnType<typeof requireSession>) {
    return (await people.listTeams(personId)).map(({ teamId: id, teamName: name }) => ({ id, name }));
  }

  const viewerOf = ({ teamId, session }: Caller) => ({
    teamId,
    personId: session?.personId ?? "",
    isOwner: session?.role === "owner",
  });

  return {
    async readAppRequest({ requestId }, caller) {
      const { consent } = requireOauth();
      const { expiresAt, ...request } = await consent.show(requestId, await teamsOf(requireSession(caller)));
      return { success: true, request: { ...request, expiresAt: isoTime(expiresAt) } };
    },

    async decideAppRequest({ requestId, decision, teamId = "", scopes }, caller) {
      const { consent } = requireOauth();
      const session = requireSession(caller);
      const { baseUrl: base } = caller;
      const by = { personId: session.personId, base, by: actorOf(caller) };
      if (decision === "deny")
        return { success: true, redirectTo: await consent.deny(requestId, { ...by, teamId: caller.teamId }) };
      const team = teamId === "" ? caller.teamId : teamId;
      if (!(await teamsOf(session)).some(({ id }) => id === team)) throw new ServiceError("TEAM_NOT_FOUND");
      const redirectTo = await consent.allow(requestId, { ...by, teamId: team, scopes });
      return { success: true, redirectTo };
    },

    async listApps(_input, caller) {
      return { success: true, apps: oauth === null ? [] : await oauth.apps.list(viewerOf(caller)) };
    },

    async revokeApp({ appId }, caller) {
      if (oauth === null) throw new ServiceError("APP_NOT_FOUND");
      await oauth.apps.revoke(viewerOf(caller), appId, actorOf(caller));
      return { success: true };
    },
  } satisfies Partial<DashboardOperations<Caller>>;
}
