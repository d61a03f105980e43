// The people of a team, and invitations to it.
import type { Caller, People } from "../../accounts/index.ts";
import { isoTime } from "../../base/index.ts";
import type { DashboardOperations } from "../../contract/index.ts";

export function createPeopleOperations(people: People) {
  return {
    async listPeople(_input, { teamId }) {
      const list = await people.listPeople(teamId);
      return { success: true, people: list.map(({ since, ...person }) => ({ ...person, since: isoTime(since) })) };
    },

    async setPersonRole({ personId, role }, { teamId }) {
      await people.setRole(teamId, personId, role);
      return { success: true };
    },

    async removePerson({ personId }, { teamId }) {
      await people.remove(teamId, personId);
      return { success: true };
    },

    async createInvitation({ role }, { teamId, baseUrl }) {
      const { secret, expiresAt } = await people.createInvitation(teamId, role);
      return { success: true, url: `${baseUrl}/dashboard/invitation#${secret}`, expiresAt: isoTime(expiresAt) };
    },
  } satisfies Partial<DashboardOperations<Caller>>;
}
