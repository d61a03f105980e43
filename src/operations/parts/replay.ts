// What reopens a scrape's page in a browser. Actions and URLs may hold passwords, so anything beyond the page's bare URL is
// kept sealed, for this scrape only.
import { bareUrl, ServiceError } from "../../base/index.ts";
import type { ScrapeOptions } from "../../contract/index.ts";
import type { Sealer } from "../../store/index.ts";

export interface Replay extends Pick<ScrapeOptions, "waitFor" | "actions" | "profile"> {
  url: string;
}

/** Of a page that a caller's own proxy brought: without it, the page would be asked for by another way. */
const neverReopened = "";

const purposeOf = (id: string) => `replay of scrape ${id}`;

/** Undefined when the bare URL is enough. */
export function packReplay(
  sealer: Sealer,
  id: string,
  url: string,
  { waitFor, actions, profile, proxyUrl }: ScrapeOptions,
): string | undefined {
  if (proxyUrl !== undefined) return neverReopened;
  if (bareUrl(url) === url && waitFor === 0 && actions.length === 0 && profile === undefined) return undefined;
  return sealer.seal(JSON.stringify({ url, waitFor, actions, profile } satisfies Replay), purposeOf(id));
}

export function openReplay(sealer: Sealer, id: string, sealed: string): Replay {
  if (sealed === neverReopened) {
    const message = "The page was read through the caller's own proxy, which is not kept.";
    throw new ServiceError("SCRAPE_NOT_REPLAYABLE", message);
  }
  return JSON.parse(sealer.open(sealed, purposeOf(id)));
}
