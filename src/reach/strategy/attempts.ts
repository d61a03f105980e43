// The fetch strategy: the ways to ask for a page, the cheapest first. Pure rules.
import { holdsCredentials } from "../../base/index.ts";
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
  /** Whether a solver may be asked. */
  mayAskSolver: boolean;
}

/** HTTP, then the browser, each through basic proxies; then the same through enhanced ones; then the solver. */
export function planAttempts({ proxy, engines, hasEnhanced, mayAskSolver }: StrategyNeeds): Attempt[] {
  const tiers = tiersOf(proxy, hasEnhanced);
  const [tier = "basic"] = tiers;
  return [
    ...tiers.flatMap((each) => engines.map((engine) => ({ engine, tier: each }))),
    ...(mayAskSolver ? [{ engine: "solver" as const, tier }] : []),
  ];
}

/**
 * Whether a solver would bring the page that is asked for: it sends no headers, is no phone, is in a place that we do not know,
 * has no profile and no proxy of ours, and answers with what its browser shows and not with the bytes. It is given no
 * credentials.
 */
export function suitsSolver(url: string, options: SolverOptions, { isRaw }: { isRaw: boolean }): boolean {
  const { proxy, fastMode, mobile, location } = options;
  const isSameVisitor = !mobile && !location.isNamed && !bringsIdentity(url, options);
  return proxy !== "basic" && isSameVisitor && !fastMode && !isRaw;
}

type SolverOptions = IdentityOptions & Pick<ScrapeOptions, "proxy" | "fastMode" | "mobile" | "location">;

/** Whether a caller comes with something of theirs by which a site may know them. */
export function bringsIdentity(url: string, { headers, profile, proxyUrl }: IdentityOptions): boolean {
  return Object.keys(headers).length > 0 || profile !== undefined || proxyUrl !== undefined || holdsCredentials(url);
}

type IdentityOptions = Pick<ScrapeOptions, "headers" | "profile" | "proxyUrl">;

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
  const first = firstOf(attempts, place, triesCheaper);
  return [...first, ...attempts.filter((attempt) => !first.includes(attempt))];
}

/** With the cookies that a solver has won, the cheapest attempt may do. */
function firstOf(attempts: readonly Attempt[], place: number, triesCheaper: boolean): Attempt[] {
  const from = triesCheaper ? Math.max(0, place - 1) : place;
  const isSolver = attempts[place]?.engine === "solver";
  return isSolver && place > 0 ? [...attempts.slice(0, 1), ...attempts.slice(place)] : attempts.slice(from, place + 1);
}

/** As it is kept in the store. */
export function attemptName({ engine, tier }: Attempt): string {
  return `${engine} ${tier}`;
}

/** Null when another version wrote something else. */
export function readAttempt(text: string): Attempt | null {
  return allAttempts.find((attempt) => attemptName(attempt) === text) ?? null;
}

const allAttempts: readonly Attempt[] = [
  ...planAttempts({ proxy: "auto", engines: ["http", "browser"], hasEnhanced: true, mayAskSolver: true }),
  { engine: "solver", tier: "enhanced" },
];

function rankOf(attempt: Attempt): number {
  return allAttempts.findIndex((each) => isSame(each, attempt));
}

function isSame(one: Attempt, other: Attempt): boolean {
  return one.engine === other.engine && one.tier === other.tier;
}
