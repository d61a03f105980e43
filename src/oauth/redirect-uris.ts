// Where a code may be sent: which redirect URIs a client may have, and whether a request names one of them.

const longestUri = 2048;
const mostUris = 10;
/** Schemes that browsers, or the system behind them, act on themselves. */
const actedOn = new Set([
  ...["javascript", "data", "file", "blob", "about", "vbscript", "ws", "wss", "ftp", "filesystem", "view-source"],
  ...["mailto", "tel", "sms", "intent", "chrome", "resource", "jar", "mhtml", "http"],
]);
const loopback = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(\/.*)?$/;

/** Null when a client may have them; otherwise what is wrong. */
export function whyNotRedirectUris(uris: unknown): string | null {
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > mostUris) {
    return `redirect_uris must be a list of 1 to ${mostUris} URIs.`;
  }
  const wrong = uris.find((uri) => !isRedirectUri(uri));
  if (wrong === undefined) return null;
  return (
    "Each redirect URI must be an absolute https URL, an http URL of localhost, 127.0.0.1 or [::1], or of a private scheme, " +
    "without fragment, user name or wildcard."
  );
}

export function isRedirectUri(uri: unknown): uri is string {
  if (typeof uri !== "string" || uri.length > longestUri) return false;
  // URL parsers drop or change these, so that two of them could read different hosts.
  if (!/^[\x21-\x7e]+$/.test(uri) || /[\\#*<>"`{}|^]/.test(uri) || !URL.canParse(uri)) return false;
  const { protocol, username, password, hostname } = new URL(uri);
  if (username !== "" || password !== "" || /^[a-z][a-z\d+.-]*:\/\/[^/?]*@/i.test(uri)) return false;
  if (protocol === "https:") return /^https:\/\/[^/?]/.test(uri) && hostname !== "";
  if (loopback.test(uri)) return true;
  return !actedOn.has(protocol.slice(0, -1)) && /^[a-z][a-z\d+.-]*:/.test(uri);
}

/** Character by character; only the port of a loopback URI is free. */
export function isSameRedirect(registered: string, sent: string): boolean {
  if (registered === sent) return true;
  const [one, other] = [loopback.exec(registered), loopback.exec(sent)];
  return one !== null && other !== null && one[1] === other[1] && (one[2] ?? "") === (other[2] ?? "");
}

export function isLoopbackRedirect(uri: string): boolean {
  return loopback.test(uri);
}

/** What a person is shown: the host that the code goes to, or the scheme of an app. */
export function redirectHost(uri: string): string {
  const { protocol, host } = new URL(uri);
  return /^https?:$/.test(protocol) ? host : protocol;
}

/** The same URI with parameters after its own. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(parameters).filter((each): each is [string, string] => each[1] !== null);
  return `${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams(given)}`;
}
