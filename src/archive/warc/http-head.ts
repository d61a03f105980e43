// The status line and headers of an HTTP message as it lies in a record.
import type { ResponseHeaders } from "../../net/index.ts";

export interface HttpHead {
  status: number;
  headers: ResponseHeaders;
  /** Where the body begins. */
  bodyAt: number;
}

const longestHead = 512 * 1024;

/** Null where the bytes do not begin with a whole head. */
export function readHttpHead(block: Buffer): HttpHead | null {
  const bodyAt = findEnd(block);
  if (bodyAt === -1) return null;
  const [first = "", ...lines] = block.toString("latin1", 0, bodyAt).split(/\r?\n/);
  const status = /^HTTP\/\d+(?:\.\d+)?\s+(\d{3})/i.exec(first)?.[1];
  if (status === undefined) return null;
  const headers: ResponseHeaders = {};
  let last: string | null = null;
  for (const line of lines) {
    if (/^[ \t]/.test(line) && last !== null) {
      const before = headers[last];
      const joined = (text: string) => `${text} ${line.trim()}`;
      headers[last] = Array.isArray(before)
        ? [...before.slice(0, -1), joined(before.at(-1) ?? "")]
        : joined(before ?? "");
      continue;
    }
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    last = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers[last];
    headers[last] = before === undefined ? value : [...[before].flat(), value];
  }
  return { status: Number(status), headers, bodyAt };
}

/** Behind the empty line; lines may end in LF alone. */
function findEnd(block: Buffer): number {
  const head = block.subarray(0, longestHead);
  const crlf = head.indexOf("\r\n\r\n");
  const lf = head.indexOf("\n\n");
  if (crlf !== -1 && (lf === -1 || crlf < lf)) return crlf + 4;
  if (lf !== -1) return lf + 2;
  // A block that is nothing but a head may lack the empty line.
  return head.length === block.length && /\r?\n$/.test(head.toString("latin1", Math.max(0, head.length - 2)))
    ? head.length
    : -1;
}

/** Undoes chunked transfer coding, which some writers keep; bytes that are not chunked stay as they are. */
export function withoutChunks(body: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = body.indexOf("\n", at);
    const size = end === -1 ? null : /^\s*([0-9a-f]{1,8})\s*(?:;.*)?$/i.exec(body.toString("latin1", at, end).trim());
    if (!size) return at === 0 ? body : Buffer.concat(pieces);
    const length = Number.parseInt(size[1] as string, 16);
    if (length === 0) return Buffer.concat(pieces);
    pieces.push(body.subarray(end + 1, end + 1 + length));
    at = end + 1 + length;
    if (body[at] === 13) at += 1;
    if (body[at] === 10) at += 1;
    if (at >= body.length) return Buffer.concat(pieces);
  }
}
