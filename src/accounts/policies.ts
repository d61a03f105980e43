// What a team has decided about its own requests. Each process reads it again after half a second, so that a change holds on every
// server within one.
import { type Clock, isoTime } from "../base/index.ts";
import type { PolicyChange, Store, TeamPolicy } from "../store/index.ts";
import { type Actor, auditRow } from "./audit.ts";

export interface TargetPolicy {
  mode: "off" | "manual-only";
  whitelist: readonly string[];
  blacklist: readonly string[];
  blockedTlds: readonly string[];
  defaultAction: "allow" | "block";
  allowRequestOverrides: boolean;
}

export interface SafeModePolicy {
  enabled: boolean;
  cacheOnly: boolean;
  allowBypass: boolean;
}

export interface Policy {
  ipRanges: readonly string[];
  targets: TargetPolicy;
  /** Null where they were never set. */
  targetsSetAt: string | null;
  safeMode: SafeModePolicy;
}

type PolicyPart = "ipRanges" | "targets" | "safeMode";

const partNames = { ipRanges: "IP allowlist", targets: "target lists", safeMode: "safe mode" } as const;

export const openTargets: TargetPolicy = {
  mode: "off",
  whitelist: [],
  blacklist: [],
  blockedTlds: [],
  defaultAction: "allow",
  allowRequestOverrides: true,
};
const noSafeMode: SafeModePolicy = { enabled: false, cacheOnly: false, allowBypass: false };

const rememberedMs = 500;
const mostRemembered = 10_000;

export type Policies = ReturnType<typeof createPolicies>;

export function createPolicies({ store, clock }: { store: Store; clock: Clock }) {
  const recent = new Map<string, { policy: Promise<Policy>; until: number }>();

  async function read(teamId: string): Promise<Policy> {
    return policyOf(await store.policies.find(teamId));
  }

  return {
    find(teamId: string): Promise<Policy> {
      const now = performance.now();
      const known = recent.get(teamId);
      if (known && known.until > now) return known.policy;
      if (recent.size >= mostRemembered) recent.clear();
      const policy = read(teamId);
      recent.set(teamId, { policy, until: now + rememberedMs });
      policy.catch(() => recent.delete(teamId));
      return policy;
    },

    /** Replaces one part; what it is then. */
    async replace<Part extends PolicyPart>(
      teamId: string,
      part: Part,
      value: Policy[Part],
      actor: Actor,
    ): Promise<Policy> {
      const now = clock.now();
      const policy = await store.transaction(async (on) => {
        const before = policyOf(await on.policies.find(teamId));
        const change: PolicyChange = { [part]: JSON.stringify(value) };
        if (part === "targets") change.targetsSetAt = now;
        await on.policies.set(teamId, change);
        const target = { type: "policy", id: part, name: partNames[part] };
        const details = { before: before[part], after: value };
        await on.audit.add([auditRow(teamId, actor, now, { action: "policy.changed", target, details })]);
        return policyOf(await on.policies.find(teamId));
      });
      recent.delete(teamId);
      return policy;
    },
  };
}

function policyOf(row: TeamPolicy | null): Policy {
  const { ipRanges = null, targets = null, safeMode = null, targetsSetAt = null } = row ?? {};
  return {
    ipRanges: ipRanges === null ? [] : (JSON.parse(ipRanges) as string[]),
    targets: { ...openTargets, ...(targets === null ? {} : (JSON.parse(targets) as Partial<TargetPolicy>)) },
    targetsSetAt: targetsSetAt === null ? null : isoTime(targetsSetAt),
    safeMode: { ...noSafeMode, ...(safeMode === null ? {} : (JSON.parse(safeMode) as Partial<SafeModePolicy>)) },
  };
}
