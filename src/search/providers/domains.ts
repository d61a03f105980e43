// Hosts to include or exclude, as operators of the query, for services that have no field for them.
import type { ProviderRequest } from "./search-provider.ts";

/** Queries are limited in length; the host of every result is checked afterwards anyway. */
const mostDomains = 12;

export function withDomains({ text, includeDomains = [], excludeDomains = [] }: ProviderRequest): string {
  const included = includeDomains.slice(0, mostDomains).map((host) => `site:${host}`);
  const excluded = excludeDomains.slice(0, mostDomains).map((host) => `-site:${host}`);
  const sites = included.length > 1 ? [`(${included.join(" OR ")})`] : included;
  return [text.trim(), ...sites, ...excluded].filter((part) => part !== "").join(" ");
}
