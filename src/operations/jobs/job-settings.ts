// What a job remembers of the request that started it. Whatever may be a secret is sealed and lies apart from the rest.
import type { OperationInput, ScrapeOptions, Webhook } from "../../contract/index.ts";
import type { Job, Sealer } from "../../store/index.ts";

type CrawlInput = OperationInput<"startCrawl">;
type NotACrawlOption =
  | "url"
  | "prompt"
  | "given"
  | "webhook"
  | "scrapeOptions"
  | "origin"
  | "integration"
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
  /** The caller's addresses, without credentials, in order. */
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
  agent?: AgentSettings;
}

export interface AgentSettings {
  strictConstrainToURLs: boolean;
  /** Whether the credits, not the server, set the limit of pages. */
  isLimitedByCredits: boolean;
  model: string;
  effort: string | undefined;
  origin: string;
  integration: string | null | undefined;
  /** Of a run that a language model plans. */
  planning?: { maxSteps: number; maxCredits: number };
}

export interface JobSettings {
  /** Where it starts; of a batch the first address. */
  url: string;
  /** Of a crawl. */
  crawl: CrawlSettings | null;
  /** Of an extract or agent. */
  extraction?: ExtractionSettings;
  scrapeOptions: ScrapeOptions;
  /** Authorization that an address of a batch brought along, by the key of its page. */
  credentials: Record<string, string>;
  /** Where its caller reached this server: links in what it is told begin with it. */
  baseUrl: string;
  /** Events that the caller wants to hear of. */
  events: string[];
}

export type WebhookTarget = Omit<Webhook, "events">;

/** As they lie in the job's row. */
interface PackedSettings {
  options: string;
  secrets: string | null;
  webhook: string | null;
}

const masked = "***";
const scrapePurpose = "job headers and credentials";
const webhookPurpose = "job webhook";

export type SettingsPacker = ReturnType<typeof createSettingsPacker>;

interface Secrets {
  headers: Record<string, string>;
  credentials: Record<string, string>;
}

export function createSettingsPacker(sealer: Sealer) {
  function sealSecrets(secrets: Secrets): string | null {
    const isEmpty = Object.values(secrets).every((part) => Object.keys(part).length === 0);
    return isEmpty ? null : sealer.seal(JSON.stringify(secrets), scrapePurpose);
  }

  function openSecrets(sealed: string | null): Secrets {
    return sealed === null ? { headers: {}, credentials: {} } : JSON.parse(sealer.open(sealed, scrapePurpose));
  }

  return {
    pack(settings: Omit<JobSettings, "events">, webhook: Webhook | undefined): PackedSettings {
      const { headers } = settings.scrapeOptions;
      const { credentials } = settings;
      const shown = Object.fromEntries(Object.keys(headers).map((name) => [name, masked]));
      const { events = [], ...target } = webhook ?? {};
      return {
        options: JSON.stringify({
          ...settings,
          scrapeOptions: { ...settings.scrapeOptions, headers: shown },
          credentials: {},
          events,
        } satisfies JobSettings),
        secrets: sealSecrets({ headers, credentials }),
        webhook: webhook ? sealer.seal(JSON.stringify(target), webhookPurpose) : null,
      };
    },

    unpack({ options, secrets }: Pick<Job, "options" | "secrets">): JobSettings {
      const settings: JobSettings = JSON.parse(options);
      const { headers, credentials } = openSecrets(secrets);
      return { ...settings, credentials, scrapeOptions: { ...settings.scrapeOptions, headers } };
    },

    /** The job's secrets with those of further addresses. */
    addCredentials({ secrets }: Pick<Job, "secrets">, further: Record<string, string>): string | null {
      const { headers, credentials } = openSecrets(secrets);
      return sealSecrets({ headers, credentials: { ...credentials, ...further } });
    },

    openWebhook({ webhook }: Pick<Job, "webhook">): WebhookTarget | null {
      return webhook === null ? null : JSON.parse(sealer.open(webhook, webhookPurpose));
    },
  };
}

/** With masked headers, as anybody of the team may see them. */
export function shownSettings({ options }: Pick<Job, "options">): JobSettings {
  return JSON.parse(options);
}
