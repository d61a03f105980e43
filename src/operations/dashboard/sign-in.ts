// Who is signed in to the dashboard: sign-in, sign-out, the team in view, passwords, people and invitations.
import { type Accounts, type Caller, csrfToken, type OpenedSession, type Passkeys } from "../../accounts/index.ts";
import { isoTime, ServiceError } from "../../base/index.ts";
import type { DashboardInput, DashboardOutput } from "../../contract/index.ts";

export interface SignInDeps {
  accounts: Pick<Accounts, "people" | "teams">;
  passkeys: Passkeys;
  version: string;
}

export function createSignInOperations({ accounts: { people }, passkeys, version }: SignInDeps) {
  const cookieOf = ({ secret, expiresAt }: OpenedSession, { baseUrl }: Caller) => ({
    secret,
    expiresAt,
    isSecure: baseUrl.startsWith("https:"),
  });

  function openSession(input: DashboardInput<"signIn">, { baseUrl }: Caller): Promise<OpenedSession> {
    const { link, name, passkey, signInName = "", password = "" } = input;
    if (link !== undefined) return people.signInByLink(link, name);
    if (passkey !== undefined) return passkeys.signIn(passkey, baseUrl);
    return people.signInByPassword(signInName, password);
  }

  function requireSession({ session }: Caller) {
    if (!session)
      throw new ServiceError(
        "BAD_REQUEST",
        "This server runs without sign-in (AUTH=none), so there is no session to change.",
      );
    return session;
  }

  return {
    async signIn(input: DashboardInput<"signIn">, caller: Caller): Promise<DashboardOutput<"signIn">> {
      return { success: true, cookie: cookieOf(await openSession(input, caller), caller) };
    },

    async startPasskeySignIn(_input: object, { baseUrl }: Caller): Promise<DashboardOutput<"startPasskeySignIn">> {
      return { success: true, ...passkeys.startSignIn(baseUrl) };
    },

    async listPasskeys(_input: object, { session }: Caller): Promise<DashboardOutput<"listPasskeys">> {
      const list = session ? await passkeys.list(session) : [];
      return {
        success: true,
        passkeys: list.map(({ id, name, createdAt, usedAt }) => ({
          id,
          name,
          createdAt: isoTime(createdAt),
          lastUsedAt: usedAt === null ? null : isoTime(usedAt),
        })),
      };
    },

    async startPasskey(_input: object, caller: Caller): Promise<DashboardOutput<"startPasskey">> {
      const session = requireSession(caller);
      const person = { id: session.personId, name: session.signInName ?? session.personName };
      return { success: true, ...(await passkeys.startAdding(session, caller.baseUrl)), person };
    },

    async addPasskey(input: DashboardInput<"addPasskey">, caller: Caller): Promise<DashboardOutput<"addPasskey">> {
      return { success: true, id: await passkeys.add(requireSession(caller), input, caller.baseUrl) };
    },

    async removePasskey(
      { passkeyId }: DashboardInput<"removePasskey">,
      caller: Caller,
    ): Promise<DashboardOutput<"removePasskey">> {
      await passkeys.remove(requireSession(caller), passkeyId);
      return { success: true };
    },

    async signOut(_input: object, { session }: Caller): Promise<DashboardOutput<"signOut">> {
      if (session) await people.signOut(session);
      return { success: true, cookie: null };
    },

    async readSession(_input: object, caller: Caller): Promise<DashboardOutput<"readSession">> {
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

    async switchTeam({ teamId }: DashboardInput<"switchTeam">, caller: Caller): Promise<DashboardOutput<"switchTeam">> {
      await people.switchTeam(requireSession(caller), teamId);
      return { success: true };
    },

    async setPassword(input: DashboardInput<"setPassword">, caller: Caller): Promise<DashboardOutput<"setPassword">> {
      await people.setPassword(requireSession(caller), input);
      return { success: true };
    },

    async listPeople(_input: object, { teamId }: Caller): Promise<DashboardOutput<"listPeople">> {
      const list = await people.listPeople(teamId);
      return { success: true, people: list.map(({ since, ...person }) => ({ ...person, since: isoTime(since) })) };
    },

    async setPersonRole(
      { personId, role }: DashboardInput<"setPersonRole">,
      { teamId }: Caller,
    ): Promise<DashboardOutput<"setPersonRole">> {
      await people.setRole(teamId, personId, role);
      return { success: true };
    },

    async removePerson(
      { personId }: DashboardInput<"removePerson">,
      { teamId }: Caller,
    ): Promise<DashboardOutput<"removePerson">> {
      await people.remove(teamId, personId);
      return { success: true };
    },

    async createInvitation(
      { role }: DashboardInput<"createInvitation">,
      { teamId, baseUrl }: Caller,
    ): Promise<DashboardOutput<"createInvitation">> {
      const { secret, expiresAt } = await people.createInvitation(teamId, role);
      return { success: true, url: `${baseUrl}/dashboard/invitation#${secret}`, expiresAt: isoTime(expiresAt) };
    },

    async acceptInvitation(
      { link }: DashboardInput<"acceptInvitation">,
      caller: Caller,
    ): Promise<DashboardOutput<"acceptInvitation">> {
      await people.acceptInvitation(requireSession(caller), link);
      return { success: true };
    },
  };
}
