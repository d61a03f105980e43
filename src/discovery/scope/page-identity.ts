// When two URLs are one page: the key that both then have. A key is for comparing only, it is never requested.
import { pageKey } from "./site.ts";

export interface PageIdentityOptions {
  ignoreQueryParameters: boolean;
  /** `www.`, the scheme, slashes at the end and the name of an index file make no difference. */
  deduplicateSimilarURLs: boolean;
}

const maxHosts = 10_000;

const indexFiles = new Set(
  ["html", "htm", "php", "asp", "aspx", "jsp"]
    .map((ending) => `index.${ending}`)
    .concat(["htm", "html", "asp", "aspx"].map((ending) => `default.${ending}`)),
);
const longestIndexFile = Math.max(...[...indexFiles].map((name) => name.length));

export function createPageIdentity(options: PageIdentityOptions): (url: URL) => string {
  const hosts = new Map<string, string>();

  /** Host and port as `pageKey` spells them; the links of a page name few hosts. */
  function similarHost(url: URL): string {
    const known = hosts.get(url.host);
    if (known !== undefined) return known;
    const spelled = pageKey(new URL("/", url));
    if (hosts.size < maxHosts) hosts.set(url.host, spelled);
    return spelled;
  }

  return (url) => {
    const path = plainEscapes(url.pathname);
    const query = options.ignoreQueryParameters ? "" : plainEscapes(url.search);
    return options.deduplicateSimilarURLs
      ? `${similarHost(url)}${folderPath(path)}${query}`
      : `${url.protocol}//${url.host}${path}${query}`;
  };
}

/** The path without slashes at its end and without the name of an index file: "" for every spelling of a home page. */
export function folderPath(path: string): string {
  let end = path.length;
  for (;;) {
    while (end > 0 && path.charCodeAt(end - 1) === 47) end -= 1;
    const slash = path.lastIndexOf("/", end - 1);
    const length = end - slash - 1;
    if (slash === -1 || length > longestIndexFile) break;
    if (!indexFiles.has(path.slice(slash + 1, end).toLowerCase())) break;
    end = slash;
  }
  return path.slice(0, end);
}

/** Escapes with small digits; those of letters, digits and `-._~`; a percent sign that begins none. */
const oddEscape = /%(?:[0-9A-Fa-f][a-f]|[a-f][0-9A-F]|2[DE]|3[0-9]|[46][1-9A-F]|[57][0-9A]|5F|7E|(?![0-9A-Fa-f]{2}))/g;

/**
 * One spelling of every escape (RFC 3986, 6.2.2): capital digits, and none for what needs none. A percent sign that begins no
 * escape becomes one, so that nothing is an escape afterwards that was none before.
 */
export function plainEscapes(text: string): string {
  return text.includes("%") ? text.replace(oddEscape, plainEscape) : text;
}

function plainEscape(found: string): string {
  if (found === "%") return "%25";
  const letter = String.fromCharCode(Number.parseInt(found.slice(1), 16));
  return /[\w.~-]/.test(letter) ? letter : found.toUpperCase();
}
