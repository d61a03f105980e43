// What a request asks for that the proxies of this server do not have.
import type { ScrapeOptions } from "../../contract/index.ts";
import type { Net } from "../../net/index.ts";

export type ProxyWarnings = (options: Pick<ScrapeOptions, "proxy" | "location" | "proxyUrl">) => string[];

export function createProxyWarnings(proxies: Net["proxies"], hasSolver: boolean): ProxyWarnings {
  return ({ proxy, proxyUrl, location: { country, isNamed } }) => {
    if (proxyUrl !== undefined) return [];
    const isEnhanced = proxy === "enhanced";
    const warnings: string[] = [];
    if (isEnhanced && !proxies.has("enhanced") && !hasSolver) {
      warnings.push("Not available on this server and ignored: proxy enhanced.");
    }
    if (!isNamed) return warnings;
    if (isEnhanced && proxies.has("enhanced")) warnings.push("Enhanced proxies are not chosen by location.country.");
    else if (!proxies.hasCountry(country)) {
      const instead = proxies.has("basic") ? "a proxy of any country was used" : "no proxy was used";
      warnings.push(`This server has no proxy in ${country} (PROXY_COUNTRY_${country}): ${instead}.`);
    }
    return warnings;
  };
}
