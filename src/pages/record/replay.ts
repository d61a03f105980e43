// What brings a scrape's page back in a browser. Actions may type passwords and addresses may hold them, so whatever is more
// than the page's bare address is kept sealed, for this scrape only.
import { bareUrl } from "../../base/index.ts";
import type { ScrapeOptions } from "../../contract/index.ts";
import type { Sealer } from "../../store/index.ts";

export interface Replay extends Pick<ScrapeOptions, "waitFor" | "actions" | "profile"> {
  url: string;
}

export type Replays = ReturnType<typeof createReplays>;

export function createReplays(sealer: Sealer) {
  const purposeOf = (id: string) => `replay of scrape ${id}`;
  return {
    /** Undefined when the bare address says it all. */
    pack(id: string, url: string, { waitFor, actions, profile }: ScrapeOptions): string | undefined {
      if (bareUrl(url) === url && waitFor === 0 && actions.length === 0 && profile === undefined) return undefined;
      return sealer.seal(JSON.stringify({ url, waitFor, actions, profile } satisfies Replay), purposeOf(id));
    },

    open(id: string, sealed: string): Replay {
      return JSON.parse(sealer.open(sealed, purposeOf(id)));
    },
  };
}
