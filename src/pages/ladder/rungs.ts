// The ladder: the ways to a page, the cheapest first. Pure rules.
import type { ScrapeOptions } from "../../contract/index.ts";
import type { EngineName } from "../../engines/index.ts";

/** Which pool of proxies a page goes through, where there is one. */
export type Tier = "basic" | "enhanced";

export interface LadderRung {
  engine: EngineName;
  tier: Tier;
}

export interface LadderNeeds {
  proxy: ScrapeOptions["proxy"];
  /** The engines that can bring the page, the cheaper one first. */
  engines: readonly EngineName[];
  /** Whether there are enhanced proxies. */
  hasEnhanced: boolean;
}

/** HTTP, then the browser, each through basic proxies; then the same through enhanced ones. */
export function rungsOf({ proxy, engines, hasEnhanced }: LadderNeeds): LadderRung[] {
  return tiersOf(proxy, hasEnhanced).flatMap((tier) => engines.map((engine) => ({ engine, tier })));
}

/** Without enhanced proxies, everything is basic. */
export function tiersOf(proxy: ScrapeOptions["proxy"], hasEnhanced: boolean): Tier[] {
  if (!hasEnhanced || proxy === "basic") return ["basic"];
  return proxy === "auto" ? ["basic", "enhanced"] : ["enhanced"];
}

/** Where a rung stands; the nearest one above it where the request has no such rung, -1 where it has none at all. */
export function placeOnLadder(rungs: readonly LadderRung[], rung: LadderRung): number {
  const exact = rungs.findIndex((each) => isSame(each, rung));
  return exact >= 0 ? exact : rungs.findIndex((each) => rankOf(each) > rankOf(rung));
}

/**
 * The order in which rungs are tried: the one that got past the wall before, and when that fails all others from the foot up.
 * A trial puts the rung below it first.
 */
export function startingWith(
  rungs: readonly LadderRung[],
  remembered: LadderRung | null,
  triesCheaper = false,
): LadderRung[] {
  const place = remembered === null ? 0 : Math.max(0, placeOnLadder(rungs, remembered));
  const first = rungs.slice(triesCheaper ? Math.max(0, place - 1) : place, place + 1);
  return [...first, ...rungs.filter((rung) => !first.includes(rung))];
}

/** As it is kept in the store. */
export function rungText({ engine, tier }: LadderRung): string {
  return `${engine} ${tier}`;
}

/** Null when another version wrote something else. */
export function readRung(text: string): LadderRung | null {
  return allRungs.find((rung) => rungText(rung) === text) ?? null;
}

const allRungs: readonly LadderRung[] = rungsOf({ proxy: "auto", engines: ["http", "browser"], hasEnhanced: true });

function rankOf(rung: LadderRung): number {
  return allRungs.findIndex((each) => isSame(each, rung));
}

function isSame(one: LadderRung, other: LadderRung): boolean {
  return one.engine === other.engine && one.tier === other.tier;
}
