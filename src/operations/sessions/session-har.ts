// What a session's pages asked servers for, as HAR 1.2. Values that let someone in are masked.
import { isoTime } from "../../base/index.ts";
import type { SessionExchange, SessionNetwork } from "../../engines/index.ts";
import { isSecretName, maskBody, masked, maskJson, maskUrl } from "../../safety/index.ts";

const secretHeaders = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie"]);
const unknown = -1;

export interface Har {
  [field: string]: unknown;
  log: Record<string, unknown>;
}

export function toHar({ pages, exchanges, leftOut }: SessionNetwork): Har {
  const known = new Set(pages.map(({ id }) => id));
  return {
    log: {
      version: "1.2",
      creator: { name: "Trawl", version: "1" },
      ...(leftOut > 0 ? { comment: `${leftOut} more requests were not recorded.` } : {}),
      pages: pages.map(({ id, url, openedAt }) => ({
        startedDateTime: isoTime(openedAt),
        id,
        title: maskUrl(url),
        pageTimings: { onContentLoad: unknown, onLoad: unknown },
      })),
      entries: exchanges.map((one) => ({ ...(known.has(one.page) ? { pageref: one.page } : {}), ...entryOf(one) })),
    },
  };
}

function entryOf(exchange: SessionExchange): object {
  const { startedAt, ms, resourceType, response, error } = exchange;
  return {
    startedDateTime: isoTime(Math.round(startedAt)),
    time: ms,
    request: requestOf(exchange),
    response: responseOf(exchange),
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
    _resourceType: resourceType,
    ...(error === null ? {} : { _error: error }),
    ...(response === null ? { comment: "No response came." } : {}),
  };
}

function requestOf({ method, url, requestHeaders, requestBody, response }: SessionExchange): object {
  const shown = maskUrl(url);
  const mimeType = headerOf(requestHeaders, "content-type");
  return {
    method,
    url: shown,
    httpVersion: versionOf(response?.protocol),
    cookies: [],
    headers: headersOf(requestHeaders),
    queryString: [...new URLSearchParams(/\?([^#]*)/.exec(shown)?.[1] ?? "")].map(([name, value]) => ({ name, value })),
    headersSize: unknown,
    bodySize: requestBody === null ? 0 : Buffer.byteLength(requestBody),
    ...(requestBody === null ? {} : { postData: { mimeType, text: maskBody(requestBody), params: [] } }),
  };
}

function responseOf({ response, size, body }: SessionExchange): object {
  const mimeType = response?.mimeType ?? "";
  const isData = /json|^text\/plain/.test(mimeType);
  const text = body && (body.isBase64 || !isData ? body.text : maskJson(body.text));
  return {
    status: response?.status ?? 0,
    statusText: response?.statusText ?? "",
    httpVersion: versionOf(response?.protocol),
    cookies: [],
    headers: headersOf(response?.headers ?? {}),
    content: {
      size,
      mimeType,
      ...(text === null ? {} : { text, ...(body?.isBase64 ? { encoding: "base64" } : {}) }),
    },
    redirectURL: maskUrl(response?.redirectUrl ?? ""),
    headersSize: unknown,
    bodySize: unknown,
  };
}

/** A header of several values comes as several lines. */
function headersOf(headers: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const isSecret = secretHeaders.has(name.toLowerCase()) || isSecretName(name);
    const shown = /^(?:referer|location|content-location)$/i.test(name) ? maskUrl(value) : value;
    return value
      .split("\n")
      .map(() => ({ name, value: isSecret ? masked : shown }))
      .slice(0, isSecret ? undefined : 1);
  });
}

function headerOf(headers: Readonly<Record<string, string>>, wanted: string): string {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? "";
}

function versionOf(protocol: string | undefined): string {
  return { h2: "HTTP/2", h3: "HTTP/3", "http/1.1": "HTTP/1.1", "http/1.0": "HTTP/1.0" }[protocol ?? ""] ?? "HTTP/1.1";
}
