// The one guard that decides where requests may go. A URL is checked before anything happens; every address, literal or
// resolved, is checked again by the connector when it is dialled.
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { maxUrlLength, parseUrl, remember } from "../base/index.ts";
import { type IpAddress, isGlobal, parseAddress } from "./address.ts";
import { type AllowEntry, allowsAddress, allowsName } from "./allow-list.ts";

export type UrlCheck = { url: URL } | { problem: "invalid" | "refused"; message: string };

export interface Guard {
  checkUrl(text: string): UrlCheck;
  /** Whether a connection to this address may be opened under this name. */
  permits(address: string, port: number, hostname: string): boolean;
  /** Whether a permitted address is the operator's own: in private space, or named in the allow list. */
  isPrivate(address: string, port: number, hostname: string): boolean;
}

export interface GuardOptions {
  allowedPrivateHosts: readonly AllowEntry[];
  ownPorts(): readonly number[];
}

export const refusedMessage = "This URL is not allowed";

// The bad ports of the Fetch standard (mail, LDAP, file sharing, remote shells, IRC …) and those of SMB and the global
// catalog that it leaves out.
const refusedPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 138, 139, 143, 161, 179, 389, 427, 445, 465, 512, 513, 514, 515, 526, 530,
  531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3268, 3269, 3659, 4045,
  4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

// biome-ignore lint/suspicious/noControlCharactersInRegex: the URL parser would silently strip them, so they are refused first
const controlCharacter = /[\u0000-\u001f\u007f]/;

const loopbackAddresses = ["127.0.0.1", "::1"];

export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" ? 443 : 80;
}

/** The host as a connector sees it: IPv6 without its brackets. */
export function bareHost(hostname: string): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

/** RFC 6761: these names are loopback; no resolver is asked. */
export function localhostAddresses(hostname: string): string[] | null {
  return hostname === "localhost" || hostname.endsWith(".localhost") ? loopbackAddresses : null;
}

/** Pages of a job share few addresses, and each takes long to read and compare with all ranges. */
const readAddress = remember((text: string) => {
  const address = parseAddress(text);
  return address && { address, isPublic: isGlobal(address) };
}, 1000);

export function createGuard({ allowedPrivateHosts, ownPorts }: GuardOptions): Guard {
  function permits(text: string, port: number, hostname: string): boolean {
    const read = readAddress(text);
    if (read === null) return false;
    const { address, isPublic } = read;
    if (ownPorts().includes(port) && (!isPublic || isOwn(address))) return false;
    return isPublic || isListed(address, port, hostname);
  }

  function isPrivate(text: string, port: number, hostname: string): boolean {
    const read = readAddress(text);
    return read === null || !read.isPublic || isListed(read.address, port, hostname);
  }

  function isListed(address: IpAddress, port: number, hostname: string): boolean {
    return allowsAddress(allowedPrivateHosts, address, port) || allowsName(allowedPrivateHosts, hostname, port);
  }

  function checkUrl(text: string): UrlCheck {
    if (text.length > maxUrlLength) return invalid(`it is longer than ${maxUrlLength} characters`);
    if (controlCharacter.test(text)) return invalid("it contains a control character");
    const url = parseUrl(text);
    if (!url) return invalid();
    if (url.protocol !== "http:" && url.protocol !== "https:") return invalid("only http and https are supported");
    if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
    const host = bareHost(url.hostname);
    const port = portOf(url);
    if (!isUsableHost(host)) return invalid();
    if (refusedPorts.has(port)) return refused();
    const known = isIP(host) === 0 ? localhostAddresses(host) : [host];
    if (known !== null) return known.some((address) => permits(address, port, host)) ? { url } : refused();
    return host.includes(".") || allowsName(allowedPrivateHosts, host, port) ? { url } : invalid();
  }

  return { checkUrl, permits, isPrivate };
}

/** The machine's own public addresses: with one of our ports they are this service. */
function isOwn(address: IpAddress): boolean {
  return Object.values(networkInterfaces())
    .flatMap((rows) => rows ?? [])
    .some((row) => {
      const own = parseAddress(row.address);
      return own !== null && own.family === address.family && own.value === address.value;
    });
}

/** What names are made of; the URL parser lets more through, such as a star. */
const hostName = /^(?:[a-z0-9_-]{1,63}\.)*[a-z0-9_-]{1,63}$/;

function isUsableHost(host: string): boolean {
  return isIP(host) !== 0 || (host.length <= 253 && hostName.test(host));
}

function invalid(reason?: string): UrlCheck {
  return { problem: "invalid", message: reason === undefined ? "Invalid URL" : `Invalid URL: ${reason}` };
}

function refused(): UrlCheck {
  return { problem: "refused", message: refusedMessage };
}
