// Which request headers belong to the connection, and which are secrets of the caller.

const connectionHeaders = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "keep-alive",
  "upgrade",
  "expect",
  "te",
  "trailer",
]);

/** Headers that belong to the connection: a caller's are never sent. */
export function isConnectionHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return connectionHeaders.has(lower) || lower.startsWith("proxy-");
}

/** Headers that do not identify the caller. All others go to the origin they were meant for and nowhere else. */
const harmless = new Set([
  "accept",
  "accept-charset",
  "accept-encoding",
  "accept-language",
  "user-agent",
  "sec-ch-ua",
  "sec-ch-ua-mobile",
  "sec-ch-ua-platform",
  "dnt",
]);

export function isSecretHeader(name: string): boolean {
  return !harmless.has(name.toLowerCase());
}

/** Seconds or an HTTP date (RFC 9110 10.2.3); null when it is neither. */
export function parseRetryAfter(value: string | string[] | undefined, nowMs: number): number | null {
  const text = String(value ?? "").trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1000));
}
