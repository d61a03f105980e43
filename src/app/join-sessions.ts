// Browser sessions: what callers can ask of them, who looks after them, and the way in for those who bring a token.
import type { Caller, Credits } from "../accounts/index.ts";
import type { Clock, Logger } from "../base/index.ts";
import type { Config } from "../config.ts";
import type { Operations } from "../contract/index.ts";
import type { BrowserEngine } from "../engines/index.ts";
import type { Owner } from "../jobs/index.ts";
import {
  type BrowserProfiles,
  createSessionKeeper,
  createSessionOperations,
  createSessionTokens,
} from "../operations/index.ts";
import type { Sealer, Store } from "../store/index.ts";

export interface SessionPartDeps {
  store: Store;
  sealer: Sealer;
  clock: Clock;
  log: Logger;
  credits: Credits;
  owner: Owner;
  browser: BrowserEngine;
  profiles: BrowserProfiles;
}

export function joinSessions(config: Config, { sealer, credits, ...deps }: SessionPartDeps) {
  const tokens = createSessionTokens(sealer);
  const keeper = createSessionKeeper(
    { ...deps, tokens },
    {
      perTeam: config.teamSessions,
      perProcess: config.maxSessions,
      leaseMs: config.jobLeaseMs,
      baseUrl: config.sessionUrl ?? config.publicUrl,
    },
  );
  return {
    keeper,
    operations: {
      ...createSessionOperations({ store: deps.store, credits, keeper, tokens }),
    } satisfies Partial<Operations<Caller>>,
    /** Where the browser of a session is driven, for whoever brings its token. */
    async openDevtools(id: string, token: string): Promise<string> {
      return (await keeper.enter(id, "cdp", token)).browser.devtoolsSocket;
    },
  };
}
