import { type Clock, newId } from "../base/index.ts";
import type { Store, Team } from "../store/index.ts";

/** The team of the first key and of open mode. */
export const defaultTeamName = "default";

export type Teams = ReturnType<typeof createTeams>;

export function createTeams({ store, clock }: { store: Store; clock: Clock }) {
  return {
    list: () => store.teams.list(),

    /** null when a team of that name exists. */
    async create(name: string): Promise<Team | null> {
      const now = clock.now();
      const team = { id: newId(now), name, requestsPerMinute: null, createdAt: now };
      return (await store.teams.insert(team)) ? team : null;
    },

    /** Several processes may create the same team at once; all get the same one. */
    async findOrCreate(name: string): Promise<Team> {
      const existing = await store.teams.findByName(name);
      const team = existing ?? (await this.create(name)) ?? (await store.teams.findByName(name));
      if (!team) throw new Error(`team ${name} can neither be found nor created`);
      return team;
    },

    find: (name: string) => store.teams.findByName(name),

    setRequestsPerMinute: (teamId: string, limit: number | null) => store.teams.setRequestsPerMinute(teamId, limit),
  };
}
