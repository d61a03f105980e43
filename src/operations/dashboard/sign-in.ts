// Who is signed in to the dashboard: sign-in, sign-out, the team in view, passwords, people and invitations.
import { type Accounts, type Caller, csrfToken, type OpenedSession } from "../../accounts/index.ts";
import { isoTime, ServiceError } from "../../base/index.ts";
import type { DashboardInput, DashboardOutput } from "../../contract/index.ts";

export interface SignInDeps {
  accounts: Pick<Accounts, "people" | "teams">;
  version: string;
}

export function createSignInOperations({ accounts: { people }, version }: SignInDeps) {
  const cookieOf = ({ secret, expiresAt }: OpenedSession, { baseUrl }: Caller) => ({
    secret,
    expiresAt,
    isSecure: baseUrl.startsWith("https:"),
  });

  function requireSession({ session }: Caller) {
    if (!session) throw new ServiceError("BAD_REQUEST", "In open mode nobody signs in, so there is nothing to change.");
    return session;
  }

  return {
    async signIn(input: DashboardInput<"signIn">, caller: Caller): Promise<DashboardOutput<"signIn">> {
      const { link, name, signInName = "", password = "" } = input;
      const opened =
        link === undefined
          ? await people.signInByPassword(signInName, password)
          : await people.signInByLink(link, name);
      return { success: true, cookie: cookieOf(opened, caller) };
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
