// The settings of a job as stored in its row. Anything that may be a secret is sealed and stored separately.
import type { Webhook } from "../../contract/index.ts";
import type { Job, JobKind, Sealer } from "../../store/index.ts";
import { type JobSettings, type SettingsOf, shownSettings } from "./job-settings.ts";

/** Without the events, which come with the webhook. */
export type NewSettings<Kind extends JobKind> = Omit<SettingsOf<Kind>, "events">;

export interface EventTarget extends Omit<Webhook, "events"> {
  /** Of the request that started the job. */
  externalRequestId?: string | null;
}

interface PackedSettings {
  options: string;
  secrets: string | null;
  webhook: string | null;
}

interface Secrets {
  headers: Record<string, string>;
  credentials: Record<string, string>;
}

const masked = "***";
const scrapePurpose = "job headers and credentials";
const webhookPurpose = "job webhook";

export type SettingsPacker = ReturnType<typeof createSettingsPacker>;

export function createSettingsPacker(sealer: Sealer) {
  function sealSecrets(secrets: Secrets): string | null {
    const isEmpty = Object.values(secrets).every((part) => Object.keys(part).length === 0);
    return isEmpty ? null : sealer.seal(JSON.stringify(secrets), scrapePurpose);
  }

  function openSecrets(sealed: string | null): Secrets {
    return sealed === null ? { headers: {}, credentials: {} } : JSON.parse(sealer.open(sealed, scrapePurpose));
  }

  return {
    pack(
      settings: Omit<JobSettings, "events">,
      webhook: Webhook | undefined,
      externalRequestId: string | null,
    ): PackedSettings {
      const { kind: _, ...own } = settings;
      const { headers } = settings.scrapeOptions;
      const { credentials } = settings;
      const shown = Object.fromEntries(Object.keys(headers).map((name) => [name, masked]));
      const scrapeOptions = { ...settings.scrapeOptions, headers: shown };
      const { events = [], ...target } = webhook ?? {};
      return {
        options: JSON.stringify({ ...own, scrapeOptions, credentials: {}, events }),
        secrets: sealSecrets({ headers, credentials }),
        webhook: webhook ? sealer.seal(JSON.stringify({ ...target, externalRequestId }), webhookPurpose) : null,
      };
    },

    unpack(job: Pick<Job, "kind" | "options" | "secrets">): JobSettings {
      const settings = shownSettings(job);
      const { headers, credentials } = openSecrets(job.secrets);
      return { ...settings, credentials, scrapeOptions: { ...settings.scrapeOptions, headers } };
    },

    /** The job's secrets with those of further URLs. */
    addCredentials({ secrets }: Pick<Job, "secrets">, further: Record<string, string>): string | null {
      const { headers, credentials } = openSecrets(secrets);
      return sealSecrets({ headers, credentials: { ...credentials, ...further } });
    },

    openWebhook({ webhook }: Pick<Job, "webhook">): EventTarget | null {
      return webhook === null ? null : JSON.parse(sealer.open(webhook, webhookPurpose));
    },
  };
}
