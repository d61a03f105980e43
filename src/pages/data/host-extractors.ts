// Extractors of hosts: found before a page is read, learnt from its data where none fits.
import { type Clock, hourMs, newId, sha256 } from "../../base/index.ts";
import type { ReaderInput } from "../../extraction/index.ts";
import type { Store } from "../../store/index.ts";

export interface HostExtractor {
  /** As it was stored: checked where it is run. */
  rules: unknown;
  /** Whether the model may be asked again where it does not fit: a page that lacks a field is no reason to ask every time. */
  mayAskModel: boolean;
}

export type HostExtractors = ReturnType<typeof createHostExtractors>;

export function createHostExtractors({ store, clock }: { store: Pick<Store, "extractors">; clock: Clock }) {
  const formOf = ({ schema, prompt }: ReaderInput) => sha256(JSON.stringify([schema, prompt]));
  const hostOf = (url: string) => new URL(url).host;
  return {
    async find(teamId: string, url: string, input: ReaderInput): Promise<HostExtractor | null> {
      const row = await store.extractors.find(teamId, hostOf(url), formOf(input));
      if (!row) return null;
      const isNew = row.version > 1 && clock.now() - row.updatedAt < hourMs;
      return { rules: JSON.parse(row.rules), mayAskModel: !isNew };
    },

    async keep(teamId: string, url: string, input: ReaderInput, rules: object): Promise<void> {
      const now = clock.now();
      const row = { id: newId(now), host: hostOf(url), rules: JSON.stringify(rules), version: 1, createdAt: now };
      await store.extractors.put(teamId, formOf(input), { ...row, updatedAt: now });
    },
  };
}
