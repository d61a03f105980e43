// Which request headers are whose.

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

/** Headers that prove who the caller is: they go to the origin they were meant for and nowhere else. */
export function isSecretHeader(name: string): boolean {
  return /^(cookie|.*(auth|token|secret|api-?key|session).*)$/i.test(name);
}

/** Seconds or an HTTP date (RFC 9110 10.2.3); null when it is neither. */
export function parseRetryAfter(value: string | string[] | undefined, nowMs: number): number | null {
  const text = String(value ?? "").trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1000));
}
