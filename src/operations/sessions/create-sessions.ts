// Browser sessions: what callers can do with them, what keeps them alive, and access by token.

import { ServiceError } from "../../base/index.ts";
import type { OperationInput } from "../../contract/index.ts";
import { createProgramRunner } from "../../engines/index.ts";
import type { RecordedEvent } from "../../flows/index.ts";
import type { OperationParts, ServedOperations } from "../parts/operation-parts.ts";
import { createBrowserTickets } from "./browser-tickets.ts";
import { createExecuteOperations, createSessionPrograms } from "./execute.ts";
import { createInteractOperations } from "./interact.ts";
import { createLiveViews } from "./live-view.ts";
import { createPromptAnswerer } from "./prompt-answers.ts";
import { createReplays } from "./replays.ts";
import { createSessionEvents } from "./session-events.ts";
import { createSessionKeeper, type SessionKeeperOptions } from "./session-keeper.ts";
import { createSessionTokens } from "./session-links.ts";
import { createSessionOperations } from "./sessions.ts";

export interface SessionsOptions extends SessionKeeperOptions {
  programs: {
    concurrency: number;
    mayRunUnsandboxed: boolean;
    searchPath: string;
    hiddenFolders: string[];
    /** Besides JavaScript and verbs. */
    languages: readonly OperationInput<"executeInSession">["language"][];
  };
}

export function createSessions(parts: OperationParts, { programs: programOptions, ...limits }: SessionsOptions) {
  const { model } = parts;
  const tokens = createSessionTokens(parts.sealer);
  const events = createSessionEvents(parts);
  const keeper = createSessionKeeper(parts, tokens, events, limits);
  const { languages, ...runnerOptions } = programOptions;
  const runner = createProgramRunner(parts, runnerOptions);
  const programs = createSessionPrograms(parts, keeper, runner, languages);
  const answerPrompt = model && createPromptAnswerer(model, programs);
  const replays = createReplays(parts);
  const liveViews = createLiveViews(parts, keeper);
  return {
    keeper,
    operations: {
      ...createSessionOperations(parts, keeper, tokens, replays),
      ...createExecuteOperations(keeper, programs),
      ...createInteractOperations(parts, { keeper, tokens, programs, answerPrompt }),
      ...replays.operations,
    } satisfies ServedOperations,
    /** What the one URL for browser tools needs. */
    address: {
      tickets: createBrowserTickets(parts),
      /** As the browsers of sessions identify themselves. */
      findUserAgent: async () => (await parts.browser.findIdentity()).desktop.userAgent,
    },
    replays: replays.files,
    /** What happened in a session of the team, living or ended. Throws why there is nothing. */
    async readEvents(teamId: string, id: string): Promise<readonly RecordedEvent[]> {
      const session = await parts.store.sessions.read(teamId, id);
      if (!session) throw new ServiceError("SESSION_NOT_FOUND");
      if (!session.isRecorded) throw new ServiceError("SESSION_NOT_RECORDED");
      const live = session.status === "active" ? await keeper.find(teamId, id) : null;
      return events.read(teamId, id, live?.browser ?? null);
    },
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
