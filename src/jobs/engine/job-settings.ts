// What a job remembers of the request that started it, by its kind.
import type { CrawlTerms, OperationInput, ReplayField, ScrapeOptions } from "../../contract/index.ts";
import type { Job, JobKind } from "../../store/index.ts";

type CrawlInput = OperationInput<"startCrawl"> & CrawlTerms;
type NotACrawlOption =
  | "url"
  | "prompt"
  | "given"
  | "webhook"
  | "scrapeOptions"
  | "origin"
  | "integration"
  | "sourceId"
  | "zeroDataRetention";

export type CrawlSettings = Omit<CrawlInput, NotACrawlOption>;

/** What an extract or agent is to find, and where it may look for it. */
export interface ExtractionSettings {
  schema: Record<string, unknown> | null;
  prompt: string | null;
  /** How a language model should work. */
  systemPrompt?: string;
  /** Words by which pages are chosen. */
  words: string;
  /** The caller's URLs, without credentials, in order. */
  urls: string[];
  /** Most pages. */
  limit: number;
  /** Of these, most that one pattern or the search may add. */
  share: number;
  /** When the work ends at the latest; null: never. */
  deadline: number | null;
  ignoreSitemap: boolean;
  includeSubdomains: boolean;
  allowExternalLinks: boolean;
  showSources: boolean;
  evidence: boolean;
  trace: boolean;
  /** The text of pages is kept although no language model will read it. */
  keepsText?: boolean;
}

export interface AgentSettings {
  strictConstrainToURLs: boolean;
  /** Whether the credits, not the server, set the limit of pages. */
  isLimitedByCredits: boolean;
  /** Runs from before there were threads have neither of these two. */
  mode?: "extract" | "chat";
  /** From 1. */
  threadTurn?: number;
  effort: "low" | "medium" | "high" | undefined;
  origin: string;
  integration: string | null | undefined;
  maxCredits: number;
  /** Of a run that a language model plans. */
  planning?: { maxSteps: number };
}

/** What an agent that researches does besides finding an answer. */
export interface ResearchSettings {
  maxDepth: number;
  /** How the answer is to be written. */
  analysisPrompt: string | undefined;
  /** Data that are wanted beside the answer; null: none. */
  json: { schema: Record<string, unknown> | null; prompt: string | undefined } | null;
}

/** A check of a monitor: what it reads is in the monitor's row. */
export interface CheckSettings {
  monitorId: string;
  /** Events that the monitor's webhook wants; the check makes them itself. */
  wanted: string[];
}

export interface SharedSettings {
  /** Where it starts; of a batch the first URL. */
  url: string;
  scrapeOptions: ScrapeOptions;
  /** Authorization that came with a URL of the caller, by the key of its task. */
  credentials: Record<string, string>;
  /** Where its caller reached this server: links in answers and events begin with it. */
  baseUrl: string;
  /** Events that the caller has subscribed to. */
  events: string[];
  /** Whether what its pages' servers send is kept: under the job's own id. */
  archive?: boolean | undefined;
  /** The archive that its pages come out of. */
  replay?: ReplayField | undefined;
  /** The source of the local index for which it reads. */
  sourceId?: string | undefined;
  /** The trace of the request that started it, where that was traced. */
  traceparent?: string | undefined;
}

export type JobSettings =
  | (SharedSettings & { kind: "crawl"; crawl: CrawlSettings })
  | (SharedSettings & { kind: "batch" })
  | (SharedSettings & { kind: "extract"; extraction: ExtractionSettings })
  | (SharedSettings & { kind: "agent"; extraction: ExtractionSettings; agent: AgentSettings })
  | (SharedSettings & {
      kind: "research";
      extraction: ExtractionSettings;
      agent: AgentSettings;
      research: ResearchSettings;
    })
  | (SharedSettings & { kind: "llmstxt"; showFullText: boolean })
  | (SharedSettings & { kind: "monitor"; check: CheckSettings });

export type SettingsOf<Kind extends JobKind> = Extract<JobSettings, { kind: Kind }>;

/** With masked headers, as every member of the team may see them. */
export function shownSettings({ kind, options }: Pick<Job, "kind" | "options">): JobSettings {
  return { ...JSON.parse(options), kind };
}
