// Values that let someone in are not shown: in URLs, JSON and forms, by the name that they have there.

export const masked = "[masked]";

const secretNames = /(?:token|secret|password|passwd|apikey|authorization|session|sessionid|sig|signature|otp)$/;
const nameHint = /token|secret|passw|api[-_]*key|authorization|session|s-?_?i-?_?g|o-?_?t-?_?p|\\u/i;

export function isSecretName(name: string): boolean {
  return secretNames.test(name.toLowerCase().replace(/[-_]/g, ""));
}

/** The values of query parameters, and what a URL says about who asks. */
export function maskUrl(url: string): string {
  const [, head = url, query] = /^([^?#]*)\?([^#]*)/s.exec(url) ?? [];
  const bare = head.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, "$1");
  const fragment = /#.*$/s.exec(url)?.[0] ?? "";
  return query === undefined ? bare : `${bare}?${maskForm(query)}${fragment}`;
}

/** The same for a body that is written like a query. */
export function maskForm(text: string): string {
  return text
    .split("&")
    .map((pair) => {
      const at = pair.indexOf("=");
      if (at < 0 || !isSecretName(readName(pair.slice(0, at)))) return pair;
      return `${pair.slice(0, at)}=${masked}`;
    })
    .join("&");
}

/** `user[password]` is a password. */
function readName(written: string): string {
  let name = written.replaceAll("+", " ");
  try {
    name = decodeURIComponent(name);
  } catch {
    // As it is written.
  }
  return name.replace(/\]+$/, "").replace(/\s+$/, "");
}

/**
 * The values of keys at any depth, whatever they are; everything else stays as it is written. The text may be cut off, or several
 * JSON values. Linear: each character is passed once.
 */
export function maskJson(text: string): string {
  if (!nameHint.test(text)) return text;
  const string = /"[^"\\]*(?:\\.[^"\\]*)*"/sy;
  let from = 0;
  let shown = "";
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    string.lastIndex = at;
    const key = string.exec(text)?.[0];
    if (key === undefined) break;
    at += key.length;
    const value = startOfValue(text, at);
    if (value < 0 || !isSecretName(readKey(key))) continue;
    const end = endOfValue(text, value);
    shown += `${text.slice(from, value)}"${masked}"`;
    from = end;
    at = end;
  }
  return shown + text.slice(from);
}

/** -1 where the text before it is no key. */
function startOfValue(text: string, from: number): number {
  const space = /\s*:\s*/sy;
  space.lastIndex = from;
  return space.test(text) ? space.lastIndex : -1;
}

function readKey(written: string): string {
  try {
    return String(JSON.parse(written));
  } catch {
    return written.slice(1, -1);
  }
}

/** Behind the value that begins there; a list or object ends with its bracket. */
function endOfValue(text: string, from: number): number {
  const piece = /"[^"\\]*(?:\\.[^"\\]*)*"|[[{]|[\]}]|[,\n]|[^"[{\]},\n]+|"/gsy;
  piece.lastIndex = from;
  let depth = 0;
  let end = from;
  for (let found = piece.exec(text); found !== null; found = piece.exec(text)) {
    const [part] = found;
    // A string that is cut off hides the rest.
    if (part === '"') return text.length;
    if (depth === 0 && /^[,\]}\n]/.test(part)) break;
    if (part === "[" || part === "{") depth += 1;
    if (part === "]" || part === "}") depth -= 1;
    end = piece.lastIndex;
    if (depth === 0 && /^["\]}]/.test(part)) break;
  }
  const value = text.slice(from, end);
  return end - (value.length - value.trimEnd().length);
}

/** A body whose kind is not known, such as that of a request. */
export function maskBody(text: string): string {
  if (/^\s*[[{"]/.test(text)) return maskJson(text);
  if (/^--[^\r\n]+\r?\n/.test(text)) return maskParts(text);
  return /^[^\s=&]+=/.test(text) ? maskForm(text) : maskJson(text);
}

function maskParts(text: string): string {
  const boundary = /^--[^\r\n]+/.exec(text)?.[0] ?? "";
  return text
    .split(boundary)
    .map((part) => {
      const name = /\bname="([^"]*)"/i.exec(part.slice(0, 1000))?.[1];
      const head = /^.*?\r?\n\r?\n/s.exec(part)?.[0];
      return name !== undefined && head !== undefined && isSecretName(readName(name)) ? `${head}${masked}\r\n` : part;
    })
    .join(boundary);
}
