// What counts as a URL that a caller may send. Whether it may be fetched is decided by `net`.

/** Longer URLs are refused before anything parses them. */
export const maxUrlLength = 8192;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the URL parser would silently strip them, so they are refused first
const controlCharacter = /[\u0000-\u001f\u007f]/;
const schemePattern = /^[a-z][a-z0-9+.-]*:/i;
const hostAndPort = /^[^/?#@]+:\d{1,5}(?:[/?#]|$)/;

export type UrlReading = { url: string } | { problem: string };

/** Reads a URL as a caller writes it: `example.com/a` means `http://example.com/a`. */
export function readUrl(text: string): UrlReading {
  if (text.length > maxUrlLength) return { problem: `Invalid URL: longer than ${maxUrlLength} characters` };
  if (controlCharacter.test(text)) return { problem: "Invalid URL: it contains a control character" };
  const trimmed = text.trim();
  const hasScheme = schemePattern.test(trimmed) && !hostAndPort.test(trimmed);
  if (hasScheme && !/^https?:/i.test(trimmed)) return { problem: "Invalid URL: only http and https are supported" };
  const full = hasScheme ? trimmed : `http://${trimmed}`;
  const url = parseUrl(full);
  return url ? { url: url.href } : { problem: "Invalid URL" };
}

const ascii = /^[\x20-\x7e]*$/;

/**
 * The URL, or null when it is invalid. Checking first is cheaper than an exception, but once optimized, URL.canParse of
 * Node 20 takes Latin-1 strings for UTF-8 and rejects hosts such as bücher.example.
 */
export function parseUrl(text: string, base?: string): URL | null {
  if (ascii.test(text)) return URL.canParse(text, base) ? new URL(text, base) : null;
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** A fragment is a position on a page, not another page. */
export function withoutFragment(url: string): string {
  const hash = url.indexOf("#");
  return hash === -1 ? url : url.slice(0, hash);
}

/** The URL that identifies a page: without its fragment, unless scripts use the fragment as a path. */
export function pageUrl(url: string): string {
  const hash = url.indexOf("#");
  return hash === -1 || /^[!/]/.test(url.slice(hash + 1, hash + 2)) ? url : url.slice(0, hash);
}

/** The URL without `user:password@`: for everything that is stored, shown or passed on. */
export function bareUrl(url: string | URL): string {
  const { username, password, href } = typeof url === "string" ? new URL(url) : url;
  if (username === "" && password === "") return href;
  const bare = new URL(href);
  bare.username = "";
  bare.password = "";
  return bare.href;
}

/** The host, and the port where there is one, of a URL that the parser wrote; that it is parsed again would cost more. */
export function hrefHost(href: string): string {
  const from = href.indexOf("//") + 2;
  const slash = href.indexOf("/", from);
  const to = slash === -1 ? href.length : slash;
  const at = href.lastIndexOf("@", to);
  return href.slice(at >= from ? at + 1 : from, to);
}

/** Whether a URL contains a username or password. */
export function holdsCredentials(url: string): boolean {
  if (!url.includes("@")) return false;
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
}

/** The Authorization header for `user:password@` of a URL. */
export function basicAuthorization({ username, password }: URL): string | null {
  if (username === "" && password === "") return null;
  const pair = `${decodeEscapes(username)}:${decodeEscapes(password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

/** `%20` and the like as what they stand for; a text with broken ones as it is. */
export function decodeEscapes(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
