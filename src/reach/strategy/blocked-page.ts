// The failure of a page that no attempt reached: what blocks it, what was tried, and what can be done.
import type { BlockKind, ScrapeOptions } from "../../contract/index.ts";
import type { EngineName } from "../../engines/index.ts";
import type { PageState } from "../../safety/index.ts";

/** What one attempt brought back. */
export interface AttemptReport {
  engine: EngineName;
  proxy: "none" | "basic" | "enhanced";
  status: number;
  verdict: PageState;
}

/** A block page that an attempt met. */
export interface BlockPage {
  kind: BlockKind;
  vendor: string;
}

/** What POST /v2/browser takes so that a person can pass the block, and what later scrapes take to use what the person got. */
export interface HandOff {
  /** The page to open. */
  url: string;
  profile: { name: string; saveChanges: true };
}

export interface BlockedPage {
  url: string;
  options: Pick<ScrapeOptions, "profile" | "fastMode" | "proxy">;
  blocks: readonly BlockPage[];
  attempts: readonly AttemptReport[];
  /** Why the browser was not tried; null when it was, or when it was not wanted. */
  whyNoBrowser: string | null;
  hasEnhanced: boolean;
  /** Whether the request may ask a solver; "absent": this server has no solver. */
  solver: "asked" | "unsuited" | "absent";
  /** Why a later attempt brought nothing at all. */
  lastFailure: string | null;
}

export interface BlockedFailure {
  ok: false;
  code: "SCRAPE_SITE_BLOCKED";
  message: string;
  details: { vendor: string; kind: BlockKind; rungs: readonly AttemptReport[]; handoff: HandOff };
}

export function blockedFailure(blocked: BlockedPage): BlockedFailure {
  const { blocks, attempts } = blocked;
  const { kind } = blocks.at(-1) ?? { kind: "blocked" };
  const vendor = blocks.map((block) => block.vendor).findLast((name) => name !== unknown) ?? unknown;
  const handoff = handOffOf(blocked.url, blocked.options);
  return {
    ok: false,
    code: "SCRAPE_SITE_BLOCKED",
    message: sentencesOf(blocked, kind, vendor, handoff).join(" "),
    details: { vendor, kind, rungs: attempts, handoff },
  };
}

const unknown = "unknown";

/** A profile that the caller uses anyway is the one to pass the block with. */
function handOffOf(url: string, { profile }: Pick<ScrapeOptions, "profile">): HandOff {
  const name = profile?.name ?? `reach ${new URL(url).hostname}`.slice(0, longestName);
  return { url, profile: { name, saveChanges: true } };
}

const longestName = 128;

/** For a page that only those see who sign in. */
export function signInHint(url: string, options: Pick<ScrapeOptions, "profile">): string {
  const { profile } = handOffOf(url, options);
  return (
    `To read it, sign in once in the live view of a browser session (POST /v2/browser) that saves the profile ` +
    `"${profile.name}", then scrape with that profile.`
  );
}

function sentencesOf(blocked: BlockedPage, kind: BlockKind, vendor: string, handoff: HandOff): string[] {
  const { options, whyNoBrowser, hasEnhanced, solver, lastFailure, attempts } = blocked;
  const by = vendor === unknown ? "" : ` (${vendor})`;
  const what = kind === "challenge" ? `asks for proof that a person reads the page${by}` : `refuses the request${by}`;
  const usesProxy = attempts.some(({ proxy }) => proxy !== "none");
  const proxies =
    hasEnhanced || options.proxy === "enhanced" ? [] : [usesProxy ? "PROXY_ENHANCED" : "PROXY_POOL or PROXY_ENHANCED"];
  return [
    `The site ${what}, and no attempt got past it.`,
    ...(lastFailure === null ? [] : [`The last try failed: ${lastFailure}`]),
    ...(whyNoBrowser === null ? [] : [`A browser might: ${whyNoBrowser}`]),
    ...(options.fastMode ? ["Without fastMode, a browser is tried as well."] : []),
    ...(hasEnhanced && options.proxy === "basic"
      ? ['With proxy "auto" the enhanced proxies would be tried, too.']
      : []),
    ...(kind === "challenge" && solver === "unsuited" && options.proxy === "basic"
      ? ['With proxy "auto" the solver would be asked, too.']
      : []),
    ...(kind === "challenge" && solver === "absent"
      ? ["The operator can set FLARESOLVERR_URL to have a solver asked for such pages."]
      : []),
    ...proxies.map((setting) => `The operator can set ${setting} to send requests from other IP addresses.`),
    `A person can pass it in the live view of a browser session (POST /v2/browser) that saves the profile ` +
      `"${handoff.profile.name}"; scrapes with that profile are let through then.`,
  ];
}
