// Hosts and URLs in the form in which operators compare them.
import { domainToUnicode } from "node:url";
import { parseUrl } from "../../base/index.ts";

const maxHostLength = 253;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a store may refuse them in text
const controls = /[\u0000-\u001f\u007f-\u009f]/g;

/** The host that a text names, in ASCII; null when it names none. */
export function readHost(text: string): string | null {
  if (text.length > maxHostLength || !/^(?:\[[0-9a-f:.]+\]|[^\s/\\:?#@[\]]+)$/i.test(text)) return null;
  const host = parseUrl(`http://${text}`)?.hostname.replace(/^\.+|\.+$/g, "") ?? "";
  return host === "" || host.includes("*") ? null : host;
}

/** Those that texts name; others are left out. */
export function readHosts(texts: readonly string[]): string[] {
  return texts.map(readHost).filter((host) => host !== null);
}

/** Whether a host is the domain or one of its subdomains. */
export function isOnHost(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** By the URL alone: arxiv.org/pdf/2301.00001 is one, too. */
export function isPdfUrl({ pathname, search }: URL): boolean {
  return /\.pdf$|\/pdf\//i.test(pathname) || /\.pdf(?:&|$)/i.test(search);
}

/** A part of a URL with its escapes decoded (except those that are not UTF-8), in lower case. */
export function readablePart(text: string): string {
  const decoded = text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
  return decoded.normalize("NFC").toLowerCase().replace(controls, " ");
}

/** The decoded URL that `inurl:` searches: host in its own script, without user and password. */
export function readableUrl(url: string): string {
  const parsed = parseUrl(url);
  if (!parsed) return readablePart(url);
  const { protocol, hostname, port, pathname, search, hash } = parsed;
  const host = hostname.includes("xn--") ? domainToUnicode(hostname) || hostname : hostname;
  return readablePart(`${protocol}//${host}${port && `:${port}`}${pathname}${search}${hash}`);
}
