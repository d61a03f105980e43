// What an app can be allowed: the groups of endpoints of the API, and what people read about each.
import { OauthFault } from "./oauth-fault.ts";

export const scopeDescriptions: Readonly<Record<string, string>> = {
  scrape: "Read pages",
  batch: "Read lists of pages",
  parse: "Read files that it sends",
  crawl: "Read whole sites",
  map: "List the URLs of sites",
  search: "Search the web and the pages that your team has read",
  extract: "Extract data from pages",
  agent: "Start agents that search and read by themselves",
  browser: "Drive browsers, with the profiles of your team",
  monitor: "See, create, change and delete monitors of pages",
  team: "See the team's usage and requests, and change its webhooks and jobs",
};

/** Never listed and never given: `offline_access` is what every grant has. */
const silent = ["offline_access"];

export const allScopes: readonly string[] = Object.keys(scopeDescriptions);

/** The scopes that are asked for, of those that may be had; all of these when none is named. */
export function readScope(text: string | null, from: readonly string[] = allScopes): string[] {
  const words = (text ?? "").split(" ").filter((word) => word !== "" && !silent.includes(word));
  if (words.length === 0) return [...from];
  const known = from.filter((name) => words.includes(name));
  if (known.length === 0 || words.includes("admin")) throw new OauthFault("invalid_scope", "No known scope was named.");
  return known;
}

export function scopeText(scopes: readonly string[]): string {
  return scopes.join(" ");
}

export function scopesOf(text: string): string[] {
  return text.split(" ").filter((name) => name !== "");
}

/** Which resource is meant: `{base}/mcp` or `{base}`. */
export function readResource(values: readonly string[], base: string): string {
  const [value, ...others] = values;
  if (others.length > 0) throw new OauthFault("invalid_target", "Name one resource.");
  if (value === undefined) return `${base}/mcp`;
  const known = [base, `${base}/mcp`].find((resource) => isSameResource(resource, value));
  if (known === undefined) throw new OauthFault("invalid_target", "This resource is not here.");
  return known;
}

/** Scheme and host in any case, and one slash more at the end. */
function isSameResource(resource: string, sent: string): boolean {
  const [, origin = "", rest = ""] = /^([^/]*\/\/[^/]*)(.*)$/.exec(sent) ?? [];
  const plain = origin.toLowerCase() + rest;
  return plain === resource || plain === `${resource}/`;
}
