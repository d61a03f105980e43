import { type Clock, createSlots } from "../base/index.ts";
import type { Store } from "../store/index.ts";
import { createActivity } from "./activity.ts";
import { createAudit } from "./audit.ts";
import { createCredits } from "./credits.ts";
import { createKeys } from "./keys.ts";
import { createLimits } from "./limits.ts";
import { createTokenUsage } from "./model-tokens.ts";
import { createPeople } from "./people.ts";
import { createPolicies } from "./policies.ts";
import { createTeamShare } from "./slot-share.ts";
import { createTeams } from "./teams.ts";
import { createUsageHours } from "./usage-hours.ts";

export { activityRow, readSent, shownActivity } from "./activity.ts";
export {
  type Actor,
  type AuditFilter,
  actorOf,
  auditRow,
  commandLine,
  type RequestOrigin,
  shownAuditRow,
} from "./audit.ts";
export { type Caller, dashboardName, type KeyHolder, keylessName } from "./caller.ts";
export { affordablePages, type Credits, cutWarning, unlimitedCredits } from "./credits.ts";
export { type KeyLimits, shownLimits } from "./key-limits.ts";
export { type RateState, requireRate } from "./limits.ts";
export { createTokenLedger } from "./model-tokens.ts";
export { createPasskeys, type Passkeys } from "./passkeys.ts";
export type { People } from "./people.ts";
export { csrfToken, newSecret, type OpenedSession, type SignedIn } from "./person-sessions.ts";
export { openTargets, type Policies, type Policy, type SafeModePolicy, type TargetPolicy } from "./policies.ts";
export { minimumCredits, prices, tokenPrice, tokensPerCredit } from "./prices.ts";
export { createProvidedPeople } from "./provided-people.ts";
export { createHostShare } from "./slot-share.ts";
export { createTeamSecrets, type RunSecrets, type TeamSecrets } from "./team-secrets.ts";
export { defaultTeamName } from "./teams.ts";
export { type CountedRequest, latencyAt } from "./usage-hours.ts";

export interface AccountsOptions {
  /** 0: unlimited. */
  creditsPerMonth: number;
  /** Of the language model, 0: unlimited; null without one. */
  tokensPerMonth: number | null;
  teamConcurrency: number;
  /** Requests per team and minute, by rate group; 0: unlimited. */
  perMinute: Readonly<Record<string, number>>;
}

export type Accounts = ReturnType<typeof createAccounts>;

/** Teams, their keys, what they used and what they may use. */
export function createAccounts({ store, clock }: { store: Store; clock: Clock }, options: AccountsOptions) {
  const teams = createTeams({ store, clock });
  const credits = createCredits({ store, clock }, options.creditsPerMonth);
  const { teamConcurrency: limit, tokensPerMonth } = options;
  // The embedded database belongs to one process.
  const share = store.engine === "postgres" ? createTeamShare({ store, clock, limit }) : null;
  return {
    teams,
    keys: createKeys({ store, clock, teams }),
    people: createPeople({ store, clock }),
    usageHours: createUsageHours({ store, clock }),
    credits,
    /** Null without a language model. */
    tokens: tokensPerMonth === null ? null : createTokenUsage({ store, clock }, tokensPerMonth),
    activity: createActivity({ store, clock }),
    audit: createAudit({ store, clock }),
    policies: createPolicies({ store, clock }),
    limits: createLimits({ store, clock, perMinute: options.perMinute, credits }),
    slots: createSlots({ limit, share }),
  };
}
