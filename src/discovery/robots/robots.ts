// What a robots.txt says: RFC 9309, and what Google's parser does where the RFC leaves it open. The text is handled as
// octets, one a character, because that is what the RFC compares. No pattern becomes a regular expression: the file and
// the URLs are a stranger's, so every decision counts its steps and ends at a limit.
import { parseUrl } from "../../base/index.ts";

export interface Robots {
  /** Absolute URLs, from any group. */
  sitemaps: string[];
  /** `agent` is a product token such as `TrawlBot`, without version. */
  rulesFor(agent: string): RobotRules;
}

export interface RobotRules {
  /** 0: nothing is restricted. */
  ruleCount: number;
  crawlDelaySeconds: number | null;
  allows(url: string | URL): boolean;
  judge(url: string | URL): RobotVerdict;
}

export interface RobotVerdict {
  isAllowed: boolean;
  /** Comparisons that the decision took. */
  steps: number;
}

export interface RobotLine {
  tag: "user-agent" | "allow" | "disallow" | "crawl-delay" | "sitemap" | "other" | "none";
  value: string;
}

interface Group {
  agents: { name: string; delay: Delay }[];
  rules: { isAllow: boolean; pattern: string }[];
}

/**
 * Shared by the agents named together. A delay leaves its group open (RFC 9309 2.2.4), so rules further down hold for
 * these agents too; but it is not meant for the agents named below it.
 */
interface Delay {
  seconds: number | null;
}

interface Rule {
  isAllow: boolean;
  /** Octets of the whole pattern: the longest rule that matches decides. */
  length: number;
  /** Up to the first wildcard. */
  head: string;
  /** From the first wildcard on, "" without one. */
  rest: string;
  isAnchored: boolean;
}

/** RFC 9309 2.5 asks for 500 KiB or more. */
export const maxRobotsBytes = 512 * 1024;
/** Google's limit; what a line holds beyond it is dropped, and the rest is still a rule. */
export const maxLineBytes = 2083 * 8 - 1;
/** A file full of `/*x` rules takes a fifth of it for a URL of 200 characters. */
export const maxSteps = 2_000_000;
/** Stands for `*` in a normalised pattern, where every other character is ASCII. */
const wildcard = "\u00ff";

/** Keys match by prefix, in any letter case, in the spellings that Google accepts. */
const spellings: [string, RobotLine["tag"]][] = [
  ["user-agent", "user-agent"],
  ["useragent", "user-agent"],
  ["user agent", "user-agent"],
  ["allow", "allow"],
  ["disallow", "disallow"],
  ["dissallow", "disallow"],
  ["dissalow", "disallow"],
  ["disalow", "disallow"],
  ["diasllow", "disallow"],
  ["disallaw", "disallow"],
  ["crawl-delay", "crawl-delay"],
  ["sitemap", "sitemap"],
  ["site-map", "sitemap"],
];

/** With `base`, sitemaps may also be named by a path. */
export function parseRobots(input: Uint8Array | string, base?: string): Robots {
  const groups: Group[] = [];
  const sitemaps = new Set<string>();
  let group: Group | null = null;
  let isNaming = false;
  let delay: Delay = { seconds: null };
  for (const { tag, value } of readLines(input)) {
    if (tag === "user-agent") {
      if (group === null || !isNaming) {
        group = { agents: [], rules: [] };
        groups.push(group);
        isNaming = true;
        delay = { seconds: null };
      }
      if (delay.seconds !== null) delay = { seconds: null };
      const name = agentOf(value);
      if (name !== "") group.agents.push({ name, delay });
    } else if (tag === "sitemap") {
      const sitemap = readSitemap(value, base);
      if (sitemap !== null) sitemaps.add(sitemap);
    } else if (group !== null && (tag === "allow" || tag === "disallow")) {
      isNaming = false;
      if (value !== "") group.rules.push({ isAllow: tag === "allow", pattern: value });
    } else if (tag === "crawl-delay") {
      delay.seconds = longer(delay.seconds, readSeconds(value));
    }
  }
  return {
    sitemaps: [...sitemaps],
    rulesFor(agent) {
      const named = rulesOf(groups, agent.toLowerCase());
      return named ?? rulesOf(groups, "*") ?? createRules([], null);
    },
  };
}

/** One entry a line, so that an index is a line number. */
export function readLines(input: Uint8Array | string): RobotLine[] {
  const bytes =
    typeof input === "string" ? Buffer.from(input) : Buffer.from(input.buffer, input.byteOffset, input.length);
  let text = bytes.toString("latin1", 0, maxRobotsBytes);
  const isCutInLine =
    bytes.length > maxRobotsBytes && !"\r\n".includes(String.fromCharCode(bytes[maxRobotsBytes] ?? 0));
  // Half a line would be another rule: `/` instead of `/private`.
  if (isCutInLine) text = text.slice(0, Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1);
  const mark = "\u00ef\u00bb\u00bf";
  let start = 0;
  while (start < mark.length && text[start] === mark[start]) start += 1;
  return text
    .slice(start)
    .split(/\r\n|\r|\n/)
    .map(readLine);
}

function readLine(line: string): RobotLine {
  const whole = line.slice(0, maxLineBytes);
  const comment = whole.indexOf("#");
  const text = strip(comment === -1 ? whole : whole.slice(0, comment));
  const colon = text.indexOf(":");
  const end = colon === -1 ? text.search(/[ \t]/) : colon;
  const value = strip(text.slice(end + 1));
  // A blank may replace a missing colon, if there are exactly two words.
  const isDirective = end > 0 && (colon !== -1 || !/[ \t]/.test(value));
  if (!isDirective) return { tag: "none", value: "" };
  const key = text.slice(0, end).toLowerCase();
  return { tag: spellings.find(([spelling]) => key.startsWith(spelling))?.[1] ?? "other", value };
}

/** Not `trim`: that also takes the octet A0, the end of many a letter in UTF-8. */
function strip(text: string): string {
  const isBlank = (code: number) => code === 32 || (code >= 9 && code <= 13);
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** The token in front: `Foo/1.2 (x)` is foo. "" names no agent. */
function agentOf(value: string): string {
  if (/^\*(?:\s|$)/.test(value)) return "*";
  return (/^[A-Za-z_-]*/.exec(value)?.[0] ?? "").toLowerCase();
}

function readSitemap(value: string, base: string | undefined): string | null {
  const text = Buffer.from(value, "latin1").toString("utf8");
  const url = text === "" ? null : parseUrl(text, base);
  return url?.protocol === "http:" || url?.protocol === "https:" ? url.href : null;
}

/** All groups that name the agent, joined; null when none does. */
function rulesOf(groups: Group[], agent: string): RobotRules | null {
  const own = groups.filter(({ agents }) => agents.some(({ name }) => name === agent));
  if (own.length === 0) return null;
  const namings = own.flatMap(({ agents }) => agents.filter(({ name }) => name === agent));
  return createRules(
    own.flatMap(({ rules }) => rules),
    namings.reduce<number | null>((longest, { delay }) => longer(longest, delay.seconds), null),
  );
}

function readSeconds(value: string): number | null {
  const seconds = /^(?:\d+(?:\.\d*)?|\.\d+)$/.test(value) ? Number(value) : Number.NaN;
  return Number.isFinite(seconds) ? seconds : null;
}

function longer(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}

function createRules(written: Group["rules"], crawlDelaySeconds: number | null): RobotRules {
  const rules = written.flatMap(compile).sort((one, other) => other.length - one.length);
  // By the length of their heads and then by head, so that a URL meets only the rules that begin as it does.
  const byLength = new Map<number, Map<string, Rule[]>>();
  for (const rule of rules) {
    const heads = byLength.get(rule.head.length) ?? new Map<string, Rule[]>();
    byLength.set(rule.head.length, heads);
    const sameHead = heads.get(rule.head);
    if (sameHead === undefined) heads.set(rule.head, [rule]);
    else sameHead.push(rule);
  }

  function judge(url: string | URL): RobotVerdict {
    const path = normalizePath(pathOf(url));
    const work = { steps: 0 };
    if (path === "/robots.txt") return { isAllowed: true, steps: 0 };
    let longestAllow = 0;
    let longestDisallow = 0;
    for (const [length, heads] of byLength) {
      work.steps += 1;
      if (length > path.length) continue;
      for (const rule of heads.get(path.slice(0, length)) ?? []) {
        work.steps += 1;
        const longest = rule.isAllow ? longestAllow : longestDisallow;
        if (rule.length <= longest || !matches(rule, path, work)) continue;
        if (rule.isAllow) longestAllow = rule.length;
        else longestDisallow = rule.length;
      }
      // Only a file made to cost us gets here: what cannot be told is not fetched.
      if (work.steps >= maxSteps) return { isAllowed: false, steps: work.steps };
    }
    return { isAllowed: longestAllow >= longestDisallow, steps: work.steps };
  }

  return { ruleCount: written.length, crawlDelaySeconds, judge, allows: (url) => judge(url).isAllowed };
}

function compile({ isAllow, pattern }: Group["rules"][number]): Rule[] {
  const isAnchored = pattern.endsWith("$");
  const [head = "", ...tail] = (isAnchored ? pattern.slice(0, -1) : pattern).split("*").map(normalizePath);
  const rest = tail.map((piece) => wildcard + piece).join("");
  const length = head.length + rest.length + (isAnchored ? 1 : 0);
  const rule = { isAllow, length, head, rest: rest.replace(/\u00ff+/g, wildcard), isAnchored };
  // Google: who allows a folder's index page allows the folder.
  const slash = pattern.lastIndexOf("/");
  if (!isAllow || !pattern.startsWith("/index.htm", slash)) return [rule];
  return [rule, ...compile({ isAllow, pattern: `${pattern.slice(0, slash + 1)}$` })];
}

/** Whether the rest of a pattern matches behind its head. Only the latest wildcard is ever tried again. */
function matches({ head, rest, isAnchored }: Rule, path: string, work: { steps: number }): boolean {
  let at = head.length;
  let index = 0;
  let afterWildcard = 0;
  let tried = at;
  for (; work.steps < maxSteps; work.steps += 1) {
    if (index === rest.length && (!isAnchored || at === path.length)) return true;
    if (index < rest.length && at < path.length && rest.charCodeAt(index) === path.charCodeAt(at)) {
      index += 1;
      at += 1;
      continue;
    }
    if (rest[index] === wildcard) {
      index += 1;
      afterWildcard = index;
      tried = at;
    } else {
      // Behind the end of the URL no later try can do better.
      if (afterWildcard === 0 || (at === path.length && index < rest.length)) return false;
      tried += 1;
    }
    if (afterWildcard === rest.length) return true;
    tried = path.indexOf(rest[afterWildcard] ?? "", tried);
    if (tried === -1) return false;
    at = tried;
    index = afterWildcard;
  }
  return false;
}

/** Path and query as they would be asked for. Also reads URLs without a scheme, and "" as the root. */
export function pathOf(url: string | URL): string {
  if (typeof url !== "string") return url.pathname + url.search;
  const address = /^https?:/i.test(url) ? parseUrl(url) : null;
  if (address !== null) return pathOf(address);
  const [bare = ""] = url.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\//i, "").split("#");
  const start = bare.search(/[/?;]/);
  const path = start === -1 ? "" : bare.slice(start);
  return pathOf(new URL(`http://host${path.startsWith("/") ? path : `/${path}`}`));
}

/**
 * RFC 9309 2.2.2: escapes of unreserved characters are undone, everything outside ASCII or unfit for a URL is
 * escaped, so that one URL has one spelling. `*` and `$` are undone too, since a rule can name them only by escape
 * (2.2.3), and `'`, which the URL parser escapes in queries.
 */
export function normalizePath(octets: string): string {
  return octets.replace(/%([0-9A-Fa-f]{2})|[^\w\-.~!$&'()*+,;=:@/?[\]]/g, (found: string, hex: string | undefined) => {
    if (hex === undefined) return `%${found.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[\w\-.~*$']/.test(character) ? character : found.toUpperCase();
  });
}
