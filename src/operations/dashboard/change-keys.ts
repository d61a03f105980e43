// Keys as owners create, change and revoke them.
import { type Accounts, actorOf, type Caller } from "../../accounts/index.ts";
import { ServiceError } from "../../base/index.ts";
import type { DashboardOperations } from "../../contract/index.ts";

export function createKeyOperations(accounts: Accounts) {
  return {
    async createApiKey({ name, ...limits }, caller) {
      return { success: true, ...(await accounts.keys.create(caller.teamId, name, actorOf(caller), limits)) };
    },

    async changeApiKey({ keyId, ...limits }, caller) {
      const isChanged = await accounts.keys.change(caller.teamId, keyId, limits, actorOf(caller));
      if (!isChanged) throw new ServiceError("KEY_NOT_FOUND");
      return { success: true };
    },

    async revokeApiKey({ keyId }, caller) {
      if (!(await accounts.keys.revokeOfTeam(caller.teamId, keyId, actorOf(caller))))
        throw new ServiceError("KEY_NOT_FOUND");
      return { success: true };
    },
  } satisfies Partial<DashboardOperations<Caller>>;
}
