// Browser sessions: what callers can do with them, what keeps them alive, and access by token.
import type { Caller, Credits } from "../../accounts/index.ts";
import type { Clock, Logger } from "../../base/index.ts";
import type { OperationInput, Operations } from "../../contract/index.ts";
import { type BrowserEngine, createProgramRunner } from "../../engines/index.ts";
import type { Owner } from "../../jobs/index.ts";
import type { Net } from "../../net/index.ts";
import type { FindStoredPage, LanguageModel, Replays } from "../../pages/index.ts";
import type { BrowserProfiles, CheckUrl } from "../../reach/index.ts";
import type { Sealer, Store } from "../../store/index.ts";
import { createExecuteOperations, createSessionPrograms } from "./execute.ts";
import { createInteractOperations } from "./interact.ts";
import { createLiveViews } from "./live-view.ts";
import { createPromptAnswerer } from "./prompt-answers.ts";
import { createSessionKeeper } from "./session-keeper.ts";
import { createSessionTokens } from "./session-links.ts";
import { createSessionOperations } from "./sessions.ts";

export interface SessionsDeps {
  store: Store;
  sealer: Sealer;
  clock: Clock;
  log: Logger;
  credits: Credits;
  owner: Owner;
  /** The browser of this server. */
  browser: BrowserEngine;
  profiles: BrowserProfiles;
  net: Net;
  checkUrl: CheckUrl;
  replays: Replays;
  findStoredPage: FindStoredPage;
  /** Null when none is configured. */
  model: LanguageModel | null;
}

export interface SessionsOptions {
  /** Sessions of one team at the same time, over all processes. */
  perTeam: number;
  /** Sessions of this process, of all teams. */
  perProcess: number;
  leaseMs: number;
  /** Where this very process is reached; null: where the request came to. */
  baseUrl: string | null;
  programs: {
    concurrency: number;
    mayRunUnsandboxed: boolean;
    searchPath: string;
    hiddenFolders: string[];
    /** Besides JavaScript and verbs. */
    languages: readonly OperationInput<"executeInSession">["language"][];
  };
}

export type Sessions = ReturnType<typeof createSessions>;

export function createSessions(deps: SessionsDeps, { programs: programOptions, ...limits }: SessionsOptions) {
  const { store, sealer, clock, log, credits, owner, browser, profiles, net, model } = deps;
  const { checkUrl, replays, findStoredPage } = deps;
  const tokens = createSessionTokens(sealer);
  const keeper = createSessionKeeper({ store, clock, log, browser, profiles, tokens, owner }, limits);
  const { languages, ...runnerOptions } = programOptions;
  const runner = createProgramRunner({ net, log }, runnerOptions);
  const programs = createSessionPrograms({ store, clock, keeper, runner, languages });
  const answerPrompt = model && createPromptAnswerer(model, programs);
  const liveViews = createLiveViews({ keeper, log });
  const pages = { replays, checkUrl, findStoredPage };
  return {
    keeper,
    operations: {
      ...createSessionOperations({ store, credits, keeper, tokens }),
      ...createExecuteOperations({ keeper, programs }),
      ...createInteractOperations({ store, clock, credits, keeper, tokens, programs, answerPrompt, ...pages }),
    } satisfies Partial<Operations<Caller>>,
    openLiveView: liveViews.open,
    checkLiveView: liveViews.check,
    /** Where a client with the session's token drives its browser. */
    async openDevtools(id: string, token: string): Promise<string> {
      return (await keeper.enter(id, "cdp", token)).browser.devtoolsSocket;
    },
    async stop(): Promise<void> {
      await keeper.stop();
      runner.close();
    },
  };
}
