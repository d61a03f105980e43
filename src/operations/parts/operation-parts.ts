// The parts of the program that features are made of. A feature names in its signature those that it takes.
import type { Accounts, Caller, TeamSecrets } from "../../accounts/index.ts";
import type { Archives } from "../../archive/index.ts";
import { type Clock, type Lazy, type Logger, type Owner, ServiceError } from "../../base/index.ts";
import type { ContentPool } from "../../content/index.ts";
import type { Operations } from "../../contract/index.ts";
import type { BrowserEngine } from "../../engines/index.ts";
import type { Extractor, PageFinding, ReaderInput } from "../../extraction/index.ts";
import type { Jobs } from "../../jobs/index.ts";
import type { LanguageModel } from "../../llm/index.ts";
import type { Net } from "../../net/index.ts";
import type { IndexIntake, Pages } from "../../pages/index.ts";
import type { Reach } from "../../reach/index.ts";
import type { Federation, FindResults, IndexResult } from "../../search/index.ts";
import type { Site } from "../../site/index.ts";
import type { Sealer, Store } from "../../store/index.ts";

/** What a feature serves: operations of the contract. */
export type ServedOperations = Partial<Operations<Caller>>;

/** The rooms and settings that features are built on. */
export interface Rooms {
  store: Store;
  clock: Clock;
  log: Logger;
  sealer: Sealer;
  owner: Owner;
  accounts: Accounts;
  secrets: TeamSecrets;
  net: Net;
  content: ContentPool<ReaderInput, PageFinding>;
  extraction: Lazy<Extractor>;
  /** Null when no language model is configured. */
  model: LanguageModel | null;
  /** The browser of this server, which holds its sessions. */
  browser: BrowserEngine;
  reach: Reach;
  pages: Pages;
  site: Site;
  search: {
    findResults: FindResults;
    /** Pages of the local index alone; null when that is off. */
    askIndex(teamId: string, text: string, limit: number): Promise<IndexResult[] | null>;
    /** Null when open sources are off. */
    openSources(): Promise<Pick<Federation, "list" | "names" | "call" | "signingOf" | "baseOf"> | null>;
  };
  jobs: Jobs;
  archives: Archives;
  /** Null when the local index is off. */
  indexer: PageIndexer | null;
  /** Null when no mail server is configured. */
  mailer: EmailSender | null;
}

export type OperationParts = ReturnType<typeof partsOfRooms>;

export function partsOfRooms({ reach, pages, site, search, ...rooms }: Rooms) {
  const { credits, activity } = rooms.accounts;
  const { checkUrl, readyAt } = rooms.net;
  const { checkCallerProxy, robots, profiles, hosts, targets } = reach;
  const { checkFlow, obtainPage, obtainFile, savePages, readDocument, readStoredDocument } = pages;
  const { requireBrowser, openResultTexts } = pages;
  return {
    ...rooms,
    ...site,
    ...search,
    credits,
    activity,
    /** Whether a URL may be requested; it is checked again where it is dialled. */
    checkUrl,
    checkCallerProxy,
    /** When a host that asked for a pause accepts the next request; 0: now. */
    readyAt,
    profiles,
    robots,
    /** The lists of hosts that a team reads. */
    targets,
    hostStats: hosts,
    /** Throws what is wrong with the flow of a request, before anything is opened. */
    checkFlow,
    obtainPage,
    obtainFile,
    savePages,
    readDocument,
    readStoredDocument,
    /** Throws when no server has a browser for a request that needs one. */
    requireBrowser,
    openResultTexts,
  };
}

/** Writes pages that were read to the local index, beside the request: nothing waits for it. */
export interface PageIndexer extends IndexIntake {
  /** Writes the pages that wait. */
  flush(): Promise<void>;
  /** Writes the pages that wait and takes no more. */
  stop(): Promise<void>;
}

interface Letter {
  to: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  /** Where readers of mail offer to unsubscribe. */
  unsubscribeUrl?: string;
}

export interface EmailSender {
  /** Without a signal it ends when the mail server has said nothing for a while. */
  send(letter: Letter, signal?: AbortSignal): Promise<void>;
}

/** The field of a response: each warning once, and no field without one. */
export function warningOf(warnings: Iterable<string | null | undefined>): { warning?: string } {
  const warning = [...new Set(warnings)].filter(Boolean).join(" ");
  return warning === "" ? {} : { warning };
}

/** `what` begins a sentence; `instead`: what a caller can do without a model. */
export function noModel(what: string, instead = ""): ServiceError {
  const message = `${what} needs a language model, and this server has none (MODEL_NAME). ${instead}`.trim();
  return new ServiceError("MODEL_NOT_CONFIGURED", message);
}
