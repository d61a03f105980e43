// Browser sessions: what callers can do with them, what keeps them alive, and access by token.
import { resolve } from "node:path";
import type { Caller, Credits } from "../accounts/index.ts";
import type { Clock, Logger } from "../base/index.ts";
import type { Config } from "../config.ts";
import type { Operations } from "../contract/index.ts";
import { type BrowserEngine, createProgramRunner } from "../engines/index.ts";
import type { Owner } from "../jobs/index.ts";
import type { Net } from "../net/index.ts";
import {
  createExecuteOperations,
  createInteractOperations,
  createLiveViews,
  createPromptAnswerer,
  createSessionKeeper,
  createSessionOperations,
  createSessionPrograms,
  createSessionTokens,
} from "../operations/index.ts";
import type { BrowserProfiles, FindStoredPage, LanguageModel, Replays } from "../pages/index.ts";
import type { Sealer, Store } from "../store/index.ts";
import { ownCode } from "./open-browser.ts";

export interface SessionPartDeps {
  store: Store;
  sealer: Sealer;
  clock: Clock;
  log: Logger;
  credits: Credits;
  owner: Owner;
  browser: BrowserEngine;
  profiles: BrowserProfiles;
  net: Net;
  replays: Replays;
  findStoredPage: FindStoredPage;
  /** Null when none is configured. */
  model: LanguageModel | null;
}

export function joinSessions(
  config: Config,
  { sealer, credits, net, replays, findStoredPage, model, ...deps }: SessionPartDeps,
) {
  const { store, clock, log } = deps;
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
  const runner = createProgramRunner(
    { net, log },
    {
      concurrency: config.executeConcurrency,
      mayRunUnsandboxed: config.executeUnsandboxed,
      searchPath: config.searchPath,
      hiddenFolders: [resolve(config.dataDir), ownCode],
    },
  );
  const programs = createSessionPrograms({ store, clock, keeper, runner, languages: config.executeLanguages });
  const answerPrompt = model && createPromptAnswerer(model, programs);
  const shared = { store, clock, credits, keeper, tokens, programs };
  const liveViews = createLiveViews({ keeper, log });
  return {
    keeper,
    closePrograms: runner.close,
    operations: {
      ...createSessionOperations(shared),
      ...createExecuteOperations(shared),
      ...createInteractOperations({ ...shared, replays, checkUrl: net.checkUrl, findStoredPage, answerPrompt }),
    } satisfies Partial<Operations<Caller>>,
    openLiveView: liveViews.open,
    checkLiveView: liveViews.check,
    /** Where a client with the session's token drives its browser. */
    async openDevtools(id: string, token: string): Promise<string> {
      return (await keeper.enter(id, "cdp", token)).browser.devtoolsSocket;
    },
  };
}
