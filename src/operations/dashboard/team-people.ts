// The people of a team, and invitations to it.
import { actorOf, type Caller, type People } from "../../accounts/index.ts";
import { isoTime } from "../../base/index.ts";
import type { DashboardOperations } from "../../contract/index.ts";
import { requireOwnWays, type SignInWays } from "./sign-in.ts";

export function createPeopleOperations(people: People, ways: SignInWays) {
  return {
    async listPeople(_input, { teamId }) {
      const list = await people.listPeople(teamId);
      return { success: true, people: list.map(({ since, ...person }) => ({ ...person, since: isoTime(since) })) };
    },

    async setPersonRole({ personId, role }, caller) {
      await people.setRole(caller.teamId, personId, role, actorOf(caller));
      return { success: true };
    },

    async removePerson({ personId }, caller) {
      await people.remove(caller.teamId, personId, actorOf(caller));
      return { success: true };
    },

    async createInvitation({ role }, caller) {
      requireOwnWays(ways);
      const { secret, expiresAt } = await people.createInvitation(caller.teamId, role, actorOf(caller));
      return { success: true, url: `${caller.baseUrl}/dashboard/invitation#${secret}`, expiresAt: isoTime(expiresAt) };
    },
  } satisfies Partial<DashboardOperations<Caller>>;
}
