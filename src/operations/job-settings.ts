// What a job remembers of the request that started it. Whatever may be a secret is sealed and lies apart from the rest.
import type { OperationInput, ScrapeOptions, Webhook } from "../contract/index.ts";
import type { Job, Sealer } from "../store/index.ts";

type CrawlInput = OperationInput<"startCrawl">;
type NotACrawlOption = "url" | "prompt" | "webhook" | "scrapeOptions" | "origin" | "integration" | "zeroDataRetention";

export type CrawlSettings = Omit<CrawlInput, NotACrawlOption>;

export interface JobSettings {
  /** Where it starts; of a batch the first address. */
  url: string;
  /** Null for a batch. */
  crawl: CrawlSettings | null;
  scrapeOptions: ScrapeOptions;
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
const scrapePurpose = "job headers";
const webhookPurpose = "job webhook";

export type SettingsPacker = ReturnType<typeof createSettingsPacker>;

export function createSettingsPacker(sealer: Sealer) {
  return {
    pack(settings: Omit<JobSettings, "events">, webhook: Webhook | undefined): PackedSettings {
      const { headers } = settings.scrapeOptions;
      const shown = Object.fromEntries(Object.keys(headers).map((name) => [name, masked]));
      const { events = [], ...target } = webhook ?? {};
      return {
        options: JSON.stringify({
          ...settings,
          scrapeOptions: { ...settings.scrapeOptions, headers: shown },
          events,
        } satisfies JobSettings),
        secrets: Object.keys(headers).length > 0 ? sealer.seal(JSON.stringify(headers), scrapePurpose) : null,
        webhook: webhook ? sealer.seal(JSON.stringify(target), webhookPurpose) : null,
      };
    },

    unpack({ options, secrets }: Pick<Job, "options" | "secrets">): JobSettings {
      const settings: JobSettings = JSON.parse(options);
      if (secrets !== null) settings.scrapeOptions.headers = JSON.parse(sealer.open(secrets, scrapePurpose));
      return settings;
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
