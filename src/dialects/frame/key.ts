// The key of a request in every form in which clients of other services send it. The first that is present decides. A key is never
// read from a query or a path, where logs and proxies would see it.

type Headers = Readonly<Record<string, string | undefined>>;

/** Null without a key; an empty one does not count. */
export function readDialectKey(headers: Headers): string | null {
  return (
    ofAuthorization(headers.authorization) ||
    headers["x-api-key"]?.trim() ||
    headers["x-subscription-token"]?.trim() ||
    null
  );
}

function ofAuthorization(header = ""): string {
  const [scheme = "", token, more] = header.trim().split(/\s+/);
  const name = scheme.toLowerCase();
  if (token === undefined) return name === "bearer" || name === "basic" ? "" : scheme;
  if (more !== undefined) return "";
  if (name === "bearer") return token;
  return name === "basic" ? ofPair(Buffer.from(token, "base64").toString("utf8")) : "";
}

/** The password, or the user when there is no password. */
function ofPair(pair: string): string {
  const at = pair.indexOf(":");
  const password = at < 0 ? "" : pair.slice(at + 1);
  return password || (at < 0 ? pair : pair.slice(0, at));
}

/** The key in a JSON body, where a dialect has it there. */
export function readBodyKey(body: unknown): string | null {
  const key = typeof body === "object" && body !== null && "api_key" in body ? body.api_key : null;
  return typeof key === "string" && key !== "" ? key : null;
}
