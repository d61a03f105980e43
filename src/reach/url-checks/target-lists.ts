// Which hosts a team reads: its lists are asked about every URL before it is fetched.
import type { Policy, TargetPolicy } from "../../accounts/index.ts";
import { parseUrl, readIpRange } from "../../base/index.ts";

export type TargetRule = "blacklist" | "blocked-tld" | "default";

export interface TargetRefusal {
  ok: false;
  code: "unsafe_domain_blocked";
  message: string;
  details: { rule: TargetRule };
}

export type TargetCheck = ReturnType<typeof createTargetCheck>;

/** As hosts are compared: lower case, punycode, one spelling of each IP address, no dot at the end. */
function plainHost(hostname: string): string {
  const bare = hostname.replace(/\.+$/, "");
  const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/.exec(bare) ?? [];
  if (high === undefined || low === undefined) return bare;
  const parts = [high, low].map((part) => Number.parseInt(part, 16));
  return parts.flatMap((part) => [part >> 8, part & 255]).join(".");
}

/** Null for what is no host. */
export function canonicalHost(text: string): string | null {
  const written = text.includes(":") && !text.startsWith("[") ? `[${text}]` : text;
  if (/[\s/?#@\\]/.test(written)) return null;
  const url = parseUrl(`http://${written}/`);
  if (url === null || url.port !== "" || url.hostname === "") return null;
  return plainHost(url.hostname) || null;
}

function isAddress(host: string): boolean {
  return readIpRange(host.replace(/^\[|\]$/g, "")) !== null;
}

/** A host with its subdomains, or after `*.` its subdomains alone. */
function fits(entry: string, host: string): boolean {
  const isBelow = entry.startsWith("*.");
  const name = canonicalHost(isBelow ? entry.slice(2) : entry);
  if (name === null) return false;
  if (host === name) return !isBelow;
  return !isAddress(name) && host.endsWith(`.${name}`);
}

/** The rule that refuses a URL; null when it may be fetched. */
export function judgeTarget(targets: TargetPolicy, url: string): TargetRule | null {
  if (targets.mode === "off") return null;
  const host = plainHost(parseUrl(url)?.hostname ?? "");
  if (targets.whitelist.some((entry) => fits(entry, host))) return null;
  if (targets.blacklist.some((entry) => fits(entry, host))) return "blacklist";
  if (!isAddress(host) && targets.blockedTlds.some((entry) => fits(entry.replace(/^\./, ""), host)))
    return "blocked-tld";
  return targets.defaultAction === "block" ? "default" : null;
}

export function createTargetCheck(findPolicy: (teamId: string) => Promise<Policy>) {
  async function refusalOf(teamId: string, url: string): Promise<TargetRefusal | null> {
    const rule = judgeTarget((await findPolicy(teamId)).targets, url);
    if (rule === null) return null;
    const message = `The team's target lists do not allow ${parseUrl(url)?.hostname ?? "this URL"}.`;
    return { ok: false, code: "unsafe_domain_blocked", message, details: { rule } };
  }

  return {
    refusalOf,
    permits: async (teamId: string, url: string) => (await refusalOf(teamId, url)) === null,
  };
}
