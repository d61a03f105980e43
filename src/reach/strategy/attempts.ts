// The fetch strategy: the ways to ask for a page, the cheapest first. Pure rules.
import type { ScrapeOptions } from "../../contract/index.ts";
import type { EngineName } from "../../engines/index.ts";

/** Which pool of proxies a page goes through, where there is one. */
export type Tier = "basic" | "enhanced";

export interface Attempt {
  engine: EngineName;
  tier: Tier;
}

export interface StrategyNeeds {
  proxy: ScrapeOptions["proxy"];
  /** The engines that can bring the page, the cheaper one first. */
  engines: readonly EngineName[];
  /** Whether there are enhanced proxies. */
  hasEnhanced: boolean;
}

/** HTTP, then the browser, each through basic proxies; then the same through enhanced ones. */
export function planAttempts({ proxy, engines, hasEnhanced }: StrategyNeeds): Attempt[] {
  return tiersOf(proxy, hasEnhanced).flatMap((tier) => engines.map((engine) => ({ engine, tier })));
}

/** Without enhanced proxies, everything is basic. */
export function tiersOf(proxy: ScrapeOptions["proxy"], hasEnhanced: boolean): Tier[] {
  if (!hasEnhanced || proxy === "basic") return ["basic"];
  return proxy === "auto" ? ["basic", "enhanced"] : ["enhanced"];
}

/** The place of an attempt; of the next more expensive one where the request has no such attempt, -1 where it has none at all. */
export function placeOfAttempt(attempts: readonly Attempt[], attempt: Attempt): number {
  const exact = attempts.findIndex((each) => isSame(each, attempt));
  return exact >= 0 ? exact : attempts.findIndex((each) => rankOf(each) > rankOf(attempt));
}

/**
 * The order in which attempts are made: the one that got past the block before, and when it fails all others, the cheapest
 * first. A trial puts the next cheaper one before it.
 */
export function orderAttempts(
  attempts: readonly Attempt[],
  remembered: Attempt | null,
  triesCheaper = false,
): Attempt[] {
  const place = remembered === null ? 0 : Math.max(0, placeOfAttempt(attempts, remembered));
  const first = attempts.slice(triesCheaper ? Math.max(0, place - 1) : place, place + 1);
  return [...first, ...attempts.filter((attempt) => !first.includes(attempt))];
}

/** As it is kept in the store. */
export function attemptName({ engine, tier }: Attempt): string {
  return `${engine} ${tier}`;
}

/** Null when another version wrote something else. */
export function readAttempt(text: string): Attempt | null {
  return allAttempts.find((attempt) => attemptName(attempt) === text) ?? null;
}

const allAttempts: readonly Attempt[] = planAttempts({
  proxy: "auto",
  engines: ["http", "browser"],
  hasEnhanced: true,
});

function rankOf(attempt: Attempt): number {
  return allAttempts.findIndex((each) => isSame(each, attempt));
}

function isSame(one: Attempt, other: Attempt): boolean {
  return one.engine === other.engine && one.tier === other.tier;
}
