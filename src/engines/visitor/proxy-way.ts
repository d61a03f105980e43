// Which proxies a page may be fetched through, as its options say. The same for every engine.
import type { ScrapeOptions } from "../../contract/index.ts";
import type { ProxyTier, Way } from "../../net/index.ts";

export interface WayRequest {
  options: Pick<ScrapeOptions, "proxy" | "location" | "proxyUrl">;
  /** As `options.proxy` says unless given: enhanced for enhanced, else basic. */
  tier?: ProxyTier | undefined;
  /** Pages that should keep to one proxy per host, such as those of a crawl, share this. */
  keepWith?: string | undefined;
}

export function wayOf({ options: { proxy, location, proxyUrl }, tier, keepWith }: WayRequest): Way {
  const country = location.isNamed ? location.country : undefined;
  return { tier: tier ?? (proxy === "enhanced" ? "enhanced" : "basic"), country, keepWith, proxyUrl };
}
