// The records of one exchange: what came, as a response or a revisit, and what was sent. No credentials, and no cookies, get into
// any of them.
import { bareUrl, holdsCredentials, withoutFragment } from "../../base/index.ts";
import type { HeaderPair, KeptExchange } from "../../net/index.ts";
import { digestOf, makeRecord, recordId, type WarcField, type WarcRecord, warcDate } from "./warc-record.ts";

/** What is known of an earlier response with the same payload. */
export interface Original {
  url: string;
  at: number;
}

export const revisitProfile = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";

/** Never in a request record, whoever set them. */
const secretHeaders = new Set(["authorization", "proxy-authorization", "cookie", "cookie2"]);
/** Of the caller's headers, those that say what kind of answer was wanted. */
const callersKept = new Set(["accept", "accept-language", "user-agent"]);
const setsCookies = new Set(["set-cookie", "set-cookie2"]);

/** `callerHeaders`: lower-case names of the headers that the caller sent along. */
export function keepableRequestHeaders(pairs: readonly HeaderPair[], callerHeaders: ReadonlySet<string>): HeaderPair[] {
  return pairs
    .filter(([name]) => {
      const key = name.toLowerCase();
      return !key.startsWith(":") && !secretHeaders.has(key) && (!callerHeaders.has(key) || callersKept.has(key));
    })
    .map(([name, value]) => [name, withoutUserInfo(value)]);
}

/** Without fragment, user and password. */
export function keptUrl(url: string): string {
  const bare = /^https?:/i.test(url) && holdsCredentials(url) ? bareUrl(url) : url;
  return withoutFragment(bare).replace(/\s/g, (character) => encodeURIComponent(character));
}

/** Headers name other URLs, and those may hold credentials, too. */
function withoutUserInfo(value: string): string {
  return value.includes("@") ? value.replace(/\b(https?:\/\/)[^\s/?#@]*@(?=[^\s])/gi, "$1") : value;
}

/** As the block has them: the body that follows is without transfer coding, and what a browser handed over is decoded. */
export function keptResponseHeaders({ headers, body, isDecoded }: KeptExchange): HeaderPair[] {
  return headers.flatMap(([name, value]): HeaderPair[] => {
    const key = name.toLowerCase();
    if (setsCookies.has(key)) return [];
    if (key === "transfer-encoding") return [["x-orig-transfer-encoding", value]];
    if (key === "content-encoding" && isDecoded) return [["x-orig-content-encoding", value]];
    if (key === "content-length") return [[name, String(body.length)]];
    return [[name, withoutUserInfo(value)]];
  });
}

function headOf(first: string, pairs: readonly HeaderPair[]): Buffer {
  // A header's value came as one line; a browser joins repeated ones by line feeds.
  const lines = pairs.map(([name, value]) => `${name}: ${value.replace(/[\r\n\0]+/g, " ")}\r\n`);
  return Buffer.from(`${first}\r\n${lines.join("")}\r\n`, "latin1");
}

export interface ExchangeRecords {
  /** Of the payload; null where it is empty or cut, so that no other one refers to it. */
  digest: string | null;
  /** The record for a payload that is new, or that an earlier response had. */
  response(original: Original | null): WarcRecord;
  request: WarcRecord;
  mime: string;
}

/** `ids`: of the response, and of the request. */
export function exchangeRecords(
  exchange: KeptExchange,
  ids: readonly [response: string, request: string],
  callerHeaders: ReadonlySet<string>,
): ExchangeRecords {
  const { at, status, statusText, body, cut, ip, method } = exchange;
  const url = keptUrl(exchange.url);
  const headers = keptResponseHeaders(exchange);
  const head = headOf(`HTTP/1.1 ${status} ${statusText.replace(/[\r\n]+/g, " ")}`, headers);
  const payloadDigest = digestOf(body);
  const target: WarcField = ["WARC-Target-URI", url];
  const place: WarcField[] = ip === null ? [target] : [target, ["WARC-IP-Address", ip]];
  const payload: WarcField = ["WARC-Payload-Digest", payloadDigest];
  const contentType = "application/http; msgtype=response";
  const [id, requestId] = ids;
  const { pathname, search, host } = new URL(url);
  const sent = keepableRequestHeaders(exchange.requestHeaders, callerHeaders);
  const withHost = sent.some(([name]) => name.toLowerCase() === "host") ? sent : [["host", host] as const, ...sent];
  const asked = headOf(`${method} ${pathname}${search} HTTP/1.1`, withHost);
  return {
    digest: body.length === 0 || cut !== null ? null : payloadDigest,
    mime: mimeOf(headers),
    response(original) {
      if (original === null) {
        const cutField: WarcField[] = cut === null ? [] : [["WARC-Truncated", cut]];
        const block = Buffer.concat([head, body]);
        return makeRecord({ type: "response", id, at, contentType, block, more: [...place, payload, ...cutField] });
      }
      const refers: WarcField[] = [
        ["WARC-Profile", revisitProfile],
        ["WARC-Refers-To-Target-URI", original.url],
        ["WARC-Refers-To-Date", warcDate(original.at)],
      ];
      return makeRecord({ type: "revisit", id, at, contentType, block: head, more: [...place, ...refers, payload] });
    },
    request: makeRecord({
      type: "request",
      id: requestId,
      at,
      contentType: "application/http; msgtype=request",
      block: exchange.requestBody === null ? asked : Buffer.concat([asked, exchange.requestBody]),
      more: [target, ["WARC-Concurrent-To", recordId(id)]],
    }),
  };
}

/** Without its parameters; "" where the answer names no type. */
export function mimeOf(headers: readonly HeaderPair[]): string {
  const found = headers.find(([name]) => name.toLowerCase() === "content-type");
  return (found?.[1] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}
