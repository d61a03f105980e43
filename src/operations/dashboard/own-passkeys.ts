// The passkeys of a person who is signed in.
import type { Caller, Passkeys } from "../../accounts/index.ts";
import { isoTime } from "../../base/index.ts";
import type { DashboardOperations } from "../../contract/index.ts";
import { requireOwnWays, requireSession, type SignInWays } from "./sign-in.ts";

export function createPasskeyOperations(passkeys: Passkeys, ways: SignInWays) {
  return {
    async startPasskeySignIn(_input, { baseUrl }) {
      return { success: true, ...passkeys.startSignIn(baseUrl) };
    },

    async listPasskeys(_input, { session }) {
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

    async startPasskey(_input, caller) {
      const session = requireSession(caller);
      const person = { id: session.personId, name: session.signInName ?? session.personName };
      return { success: true, ...(await passkeys.startAdding(session, caller.baseUrl)), person };
    },

    async addPasskey(input, caller) {
      requireOwnWays(ways);
      return { success: true, id: await passkeys.add(requireSession(caller), input, caller.baseUrl, caller) };
    },

    async removePasskey({ passkeyId }, caller) {
      await passkeys.remove(requireSession(caller), passkeyId, caller);
      return { success: true };
    },
  } satisfies Partial<DashboardOperations<Caller>>;
}
