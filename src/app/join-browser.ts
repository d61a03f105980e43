// The browser and everything that uses it, built in one place because the parts belong together.
import type { Credits } from "../accounts/index.ts";
import { type Clock, type Logger, logFailure } from "../base/index.ts";
import type { Role } from "../cluster/index.ts";
import type { Config } from "../config.ts";
import type { Owner } from "../jobs/index.ts";
import type { Net } from "../net/index.ts";
import {
  createBrowserProfiles,
  createMediaReader,
  type FindStoredPage,
  type LanguageModel,
  type Replays,
} from "../pages/index.ts";
import type { Sealer, Store } from "../store/index.ts";
import { joinNodes } from "./join-nodes.ts";
import { joinSessions } from "./join-sessions.ts";
import { openBrowser } from "./open-browser.ts";

export interface BrowserPartDeps {
  store: Store;
  sealer: Sealer;
  clock: Clock;
  log: Logger;
  net: Net;
  userAgent: string;
  credits: Credits;
  owner: Owner;
  role: Role;
  /** TRAWL_SECRET. */
  secret: string;
  replays: Replays;
  findStoredPage: FindStoredPage;
  /** Null when none is configured. */
  model: LanguageModel | null;
}

export type BrowserPart = ReturnType<typeof joinBrowser>;

export function joinBrowser(config: Config, deps: BrowserPartDeps) {
  const { store, sealer, clock, log, net, userAgent } = deps;
  const own = openBrowser(config, { net, log, userAgent });
  const profiles = createBrowserProfiles({ store, sealer, clock });
  const sessions = joinSessions(config, { ...deps, browser: own, profiles });
  const nodes = store.notifier === null ? null : joinNodes(config, { ...deps, own, sessions });
  const browser = nodes?.browser ?? own;
  return {
    sessions,
    /** Null where no other server shares the store. */
    nodes,
    /** What pages are rendered with. */
    rendering: { browser, profiles },
    load: browser.load,
    operations: { deleteProfile: profiles.deleteProfile, ...sessions.operations, ...nodes?.operations },
    readMedia: createMediaReader({ store, clock }),
    findIdentity: browser.findIdentity,
    whyAbsent: () => own.status().reason ?? null,
    /** Finds out how Chromium can be sandboxed here, so that `status` and the log say it before the first use. */
    probe: () => browser.probe().catch(logFailure(log, "trying out namespaces")),
    /** Public, so it holds no paths. */
    status() {
      const { available, sandbox, isolated } = browser.status();
      const sessions = available && config.maxSessions > 0 ? isolated : false;
      return { available, sandbox, isolated, sessions };
    },
    async close() {
      await sessions.keeper.stop();
      sessions.closePrograms();
      await browser.close();
    },
  };
}
