// What a key may be limited to, and the scopes of a token: each endpoint that asks for a key belongs to one group.
import { ServiceError } from "../../base/index.ts";

export const endpointGroups = [
  "scrape",
  "batch",
  "parse",
  "crawl",
  "map",
  "search",
  "extract",
  "agent",
  "browser",
  "monitor",
  "team",
  "admin",
] as const;
export type EndpointGroup = (typeof endpointGroups)[number];

/** What a caller may use who is limited to nothing: `admin` has to be named. */
export const usualGroups: readonly EndpointGroup[] = endpointGroups.filter((group) => group !== "admin");

/** `allowed`: of a key or the scopes of a token; null for one without limits. */
export function mayUse(allowed: readonly string[] | null | undefined, group: EndpointGroup | undefined): boolean {
  if (group === undefined) return (allowed ?? null) === null;
  return (allowed ?? usualGroups).includes(group);
}

/** Throws unless all that is needed is allowed. */
export function requireGroups(
  allowed: readonly string[] | null | undefined,
  ...needed: readonly (EndpointGroup | undefined)[]
): void {
  if (needed.every((group) => mayUse(allowed, group))) return;
  const required = needed.filter((group) => group !== undefined);
  const named = required.length === 0 ? "a key without limits" : required.join(", ");
  throw new ServiceError("INSUFFICIENT_SCOPE", `This key or token may not do this: it needs ${named}.`, {
    details: { required, allowed: [...(allowed ?? usualGroups)].sort() },
  });
}
