// Who is signed in to the dashboard: sign-in, sign-out, the team in view, the password.
import { type Caller, csrfToken, type OpenedSession, type Passkeys, type People } from "../../accounts/index.ts";
import { ServiceError } from "../../base/index.ts";
import type { DashboardInput, DashboardOperations } from "../../contract/index.ts";

/** Ways in besides those of this server. */
export interface SignInWays {
  /** Null: no identity provider. */
  providerName: string | null;
  /** Nothing else but links of the operator. */
  isProviderOnly: boolean;
}

export function createSignInOperations(people: People, passkeys: Passkeys, version: string, ways: SignInWays) {
  const cookieOf = ({ secret, expiresAt }: OpenedSession, { baseUrl }: Caller) => ({
    secret,
    expiresAt,
    isSecure: baseUrl.startsWith("https:"),
  });

  function openSession(input: DashboardInput<"signIn">, caller: Caller): Promise<OpenedSession> {
    const { link, name, passkey, signInName = "", password = "" } = input;
    if (link === undefined || name !== undefined) requireOwnWays(ways);
    if (link !== undefined) return people.signInByLink(link, name, caller);
    if (passkey !== undefined) return passkeys.signIn(passkey, caller.baseUrl, caller);
    return people.signInByPassword(signInName, password, caller);
  }

  return {
    async signIn(input, caller) {
      return { success: true, cookie: cookieOf(await openSession(input, caller), caller) };
    },

    async listSignInMethods() {
      const { providerName, isProviderOnly } = ways;
      const oidc = providerName === null ? null : { name: providerName };
      return { success: true, password: !isProviderOnly, passkey: !isProviderOnly, oidc };
    },

    async signOut(_input, caller) {
      if (caller.session) await people.signOut(caller.session, caller);
      return { success: true, cookie: null };
    },

    async readSession(_input, caller) {
      const { session, teamId, teamName, baseUrl } = caller;
      const common = { success: true as const, team: { id: teamId, name: teamName }, version, baseUrl };
      if (!session) {
        const teams = [{ id: teamId, name: teamName, role: "owner" as const }];
        return { ...common, person: null, role: "owner", teams, csrf: "" };
      }
      const renewed = await people.renew(session);
      const teams = await people.listTeams(session.personId);
      const { personId: id, personName: name, signInName, hasPassword, role } = session;
      return {
        ...common,
        person: { id, name, signInName, hasPassword },
        role,
        teams: teams.map((team) => ({ id: team.teamId, name: team.teamName, role: team.role })),
        csrf: renewed ? csrfToken(renewed.secret) : session.csrf,
        ...(renewed ? { cookie: cookieOf(renewed, caller) } : {}),
      };
    },

    async switchTeam({ teamId }, caller) {
      await people.switchTeam(requireSession(caller), teamId);
      return { success: true };
    },

    async setPassword(input, caller) {
      requireOwnWays(ways);
      await people.setPassword(requireSession(caller), input, caller);
      return { success: true };
    },

    async acceptInvitation({ link }, caller) {
      requireOwnWays(ways);
      await people.acceptInvitation(requireSession(caller), link, caller);
      return { success: true };
    },
  } satisfies Partial<DashboardOperations<Caller>>;
}

/** Passwords, passkeys and invitations may be off. */
export function requireOwnWays({ isProviderOnly }: SignInWays): void {
  if (isProviderOnly)
    throw new ServiceError("FORBIDDEN", "On this server people sign in by the identity provider only (OIDC_ONLY).");
}

export function requireSession({ session }: Caller) {
  if (!session)
    throw new ServiceError(
      "BAD_REQUEST",
      "This server runs without sign-in (TRAWL_AUTH=none), so there is no session to change.",
    );
  return session;
}
