// The one place that asks robots.txt whether a page may be read: before it is fetched, and before each redirect is followed.
import { type ErrorCode, isTimeout } from "../../base/index.ts";
import type { ScrapeOptions } from "../../contract/index.ts";
import type { RobotsState } from "../../discovery/index.ts";
import { acceptLanguage, wayOf } from "../../engines/index.ts";
import type { Way } from "../../net/index.ts";
import { type Tier, tiersOf } from "../strategy/attempts.ts";
import type { TargetCheck, TargetRefusal } from "../url-checks/target-lists.ts";
import type { ReadRules, RulesRequest } from "./read-rules.ts";

export interface RobotsRefusal {
  ok: false;
  code: ErrorCode;
  message?: string | undefined;
  /** The URL that may not be read: the page's own, or one that it redirects to. */
  url: string;
  /** Null when the rules did not come in time. */
  rules: RobotsState | null;
}

/** The rules that hold for one page and wherever it redirects. */
export interface RobotsCheck {
  rulesFor(url: string): Promise<RobotsState>;
  /** Null when the page may be read. */
  refusalOf(url: string): Promise<RobotsRefusal | null>;
  /** Engines only learn that a redirect is declined; the reason stays here. */
  mayFollow(url: string): Promise<boolean>;
  /** Why the last redirect was declined; null when it was followed. */
  declined(): RobotsRefusal | null;
  /** For another page: it shares the rules that are known, and nothing else. */
  again(): RobotsCheck;
}

export interface RobotsCheckRequest {
  teamId: string;
  options: Pick<ScrapeOptions, "lockdown" | "minAge" | "location"> &
    Partial<Pick<ScrapeOptions, "zeroDataRetention" | "proxy" | "proxyUrl">>;
  /** Whether the caller named the page: then robots.txt binds only where the operator wants that. Found pages are always bound. */
  isNamed: boolean;
  signal: AbortSignal;
  /** Whose rules hold, and which headers go along; ours and none unless given. */
  site?: Pick<RulesRequest, "own" | "robotsAgent" | "archive">;
}

export type RobotsChecks = ReturnType<typeof createRobotsChecks>;

export interface RobotsCheckDeps {
  readRules: ReadRules;
  targets: Pick<TargetCheck, "refusalOf">;
  /** Whether pages that a caller named must be allowed by robots.txt, too. */
  obeysAlways: boolean;
  proxies: { has(tier: Tier): boolean; hasCountry(country: string): boolean };
  /** Told what a host's robots.txt says. */
  onRules(teamId: string, url: string, rules: RobotsState): void;
}

/** Only cached copies are wanted: the site is asked for nothing, not even its robots.txt. */
export function isOffline({ lockdown, minAge }: Pick<ScrapeOptions, "lockdown" | "minAge">): boolean {
  return lockdown || minAge !== undefined;
}

export function createRobotsChecks({ readRules, obeysAlways, proxies, onRules, targets }: RobotsCheckDeps) {
  /** Those of the page, in its order: a host that only lets enhanced proxies in has its rules read through them, too. */
  function waysOf({ proxy = "auto", proxyUrl, location }: RobotsCheckRequest["options"]): Way[] {
    const tiers = proxyUrl === undefined ? tiersOf(proxy, proxies.has("enhanced")) : (["basic"] as const);
    return tiers.map((tier) => {
      const way = wayOf({ options: { proxy, proxyUrl, location }, tier });
      // A country without proxies is no other way, and the file is not asked for twice.
      return way.country && !proxies.hasCountry(way.country) ? { ...way, country: undefined } : way;
    });
  }

  function isOpen({ options, isNamed }: Pick<RobotsCheckRequest, "options" | "isNamed">): boolean {
    return isOffline(options) || (isNamed && !obeysAlways);
  }

  return {
    /** Whether robots.txt does not apply: then there is no check. */
    isOpen,

    /** Null when robots.txt does not apply. */
    open(asked: RobotsCheckRequest): RobotsCheck | null {
      if (isOpen(asked)) return null;
      const { teamId, options, signal, site = { own: null } } = asked;
      const request = { signal, language: acceptLanguage(options.location), ways: waysOf(options), ...site };
      const readRobots = async (url: string) => {
        const rules = await readRules(new URL(url), request);
        if (!options.zeroDataRetention && site.archive?.kind !== "replay") onRules(teamId, url, rules);
        return rules;
      };
      const judge = (url: string) => targets.refusalOf(teamId, url);
      return createCheck({ readRobots, judge }, signal, new Map());
    },
  };
}

interface CheckParts {
  readRobots(url: string): Promise<RobotsState>;
  /** By the target lists of the team: the robots.txt of a host that is not read is not read either. */
  judge(url: string): Promise<TargetRefusal | null>;
}

/** `known`: rules by the URL of their site. */
function createCheck(
  { readRobots, judge }: CheckParts,
  signal: AbortSignal,
  known: Map<string, Promise<RobotsState>>,
): RobotsCheck {
  let declined: RobotsRefusal | null = null;

  function rulesFor(url: string): Promise<RobotsState> {
    // Mostly there is one, and comparing costs less than parsing.
    for (const [site, rules] of known) if (url.startsWith(site)) return rules;
    const reading = readRobots(url);
    known.set(`${new URL(url).origin}/`, reading);
    return reading;
  }

  async function refusalOf(url: string): Promise<RobotsRefusal | null> {
    const refused = await judge(url);
    if (refused !== null) return { ...refused, url, rules: null };
    const rules = await rulesFor(url).catch((error: unknown) => {
      if (!isTimeout(signal)) throw error;
      return null;
    });
    if (!rules) {
      return {
        ok: false,
        code: "SCRAPE_TIMEOUT",
        message: "The site's robots.txt did not arrive in time.",
        url,
        rules,
      };
    }
    if (rules.allows(url)) return null;
    return { ok: false, code: rules.failure ?? "ROBOTS_BLOCKED", message: rules.reason, url, rules };
  }

  return {
    rulesFor,
    refusalOf,
    async mayFollow(url) {
      declined = await refusalOf(url);
      return declined === null;
    },
    declined: () => declined,
    again: () => createCheck({ readRobots, judge }, signal, known),
  };
}
