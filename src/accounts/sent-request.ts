// A request as the activity list keeps it, so that it can be shown and sent again: without secrets, and only while it is small.

export interface SentRequest {
  method: string;
  /** With its query. */
  path: string;
  body?: unknown;
}

/** In place of a secret. */
export const maskedSecret = "***";

const maxLength = 16_384;
/** Larger bodies are not even written as text. */
const maxItems = 500;

/** Null for a request that is too large to be kept. */
export function packRequest({ method, path, body }: SentRequest): string | null {
  if (isLong(body)) return null;
  const isPlain = Object.values(body ?? {}).every(isFlat);
  const plain = isPlain ? JSON.stringify({ method, path, body }) : "";
  const text =
    isPlain && !mayHoldSecret.test(plain)
      ? plain
      : JSON.stringify({ method, path: withoutKeys(path), body }, maskSecret);
  return text.length > maxLength ? null : text;
}

/** Of most requests it says no, and looking at each value takes ten times as long. */
const mayHoldSecret = /@|password|secret|token|authorization|proxyurl|api_?key|headers"|[?&]key=/i;

function isFlat(value: unknown): boolean {
  return typeof value !== "object" || value === null || (Array.isArray(value) && value.every(isText));
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isLong(body: unknown): boolean {
  return Object.values(body ?? {}).some(
    (value) =>
      (Array.isArray(value) && value.length > maxItems) || (typeof value === "string" && value.length > maxLength),
  );
}

const secretNames = /^(?:password|secret|token|access_?token|authorization|proxyUrl|webhookSecret)$/i;

/** Called for each value with its name. API keys are left out: sending the request again uses the key of that caller. */
function maskSecret(name: string, value: unknown): unknown {
  if (/^api_?key$/i.test(name)) return undefined;
  if (value instanceof Uint8Array) return undefined;
  if (typeof value === "string") return secretNames.test(name) ? maskedSecret : withoutCredentials(value);
  if (/headers$/i.test(name) && isRecord(value)) return masked(value);
  // Text that is typed into a page may be a password.
  if (isRecord(value) && value.type === "write" && "text" in value) return { ...value, text: maskedSecret };
  return value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function masked(record: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.keys(record).map((name) => [name, maskedSecret]));
}

/** Begins at what no other part repeats: a text of any length is read once. */
function withoutCredentials(text: string): string {
  return text.replace(/:\/\/[^/?#\s@:]*:[^/?#\s@]*@/g, "://");
}

function withoutKeys(path: string): string {
  return withoutCredentials(path).replace(/([?&](?:api_?key|key|token)=)[^&#]*/gi, `$1${maskedSecret}`);
}
