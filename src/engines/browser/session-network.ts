// What the pages of a session ask servers for, from Chromium's own events. Kept in bounds; nothing is masked here.
import { isObject, scalarText } from "../../base/index.ts";
import type { DevtoolsClient } from "../../net/index.ts";

type Headers = Readonly<Record<string, string>>;

/** One request and what came back. */
export interface SessionExchange {
  page: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  ms: number;
  method: string;
  url: string;
  requestHeaders: Headers;
  requestBody: string | null;
  resourceType: string;
  /** Null where no response came. */
  response: {
    status: number;
    statusText: string;
    protocol: string;
    headers: Headers;
    mimeType: string;
    redirectUrl: string;
  } | null;
  /** Decoded bytes. */
  size: number;
  body: { text: string; isBase64: boolean } | null;
  error: string | null;
}

export interface SessionPage {
  id: string;
  url: string;
  openedAt: number;
}

export interface SessionNetwork {
  pages: SessionPage[];
  exchanges: SessionExchange[];
  /** Requests beyond the bound. */
  leftOut: number;
}

const maxExchanges = 5000;
const maxPages = 500;
const maxTotalBytes = 10 * 1024 * 1024;

interface Started {
  requestId: string;
  timestamp: number;
  type?: string;
  request: { url: string; method: string; headers: Headers; postData?: string };
  redirectResponse?: Received;
}

interface Received {
  status: number;
  statusText: string;
  protocol?: string;
  headers: Headers;
  mimeType: string;
}

interface Open {
  exchange: SessionExchange;
  timestamp: number;
}

/** Resolves when it is recording. */
export async function recordNetwork(client: DevtoolsClient, maxBodyBytes: number): Promise<() => SessionNetwork> {
  const pages = new Map<string, SessionPage>();
  const pageOf = new Map<string, string>();
  const open = new Map<string, Open>();
  const exchanges: SessionExchange[] = [];
  let keptBytes = 0;
  let leftOut = 0;
  const call = (method: string, params: object, session?: string) => client.call(method, params, session);
  const ignore = () => undefined;
  const attach = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

  client.on("Target.attachedToTarget", ({ sessionId, targetInfo }, parent) => {
    const { targetId, type, url } = targetInfo as { targetId: string; type: string; url: string };
    const session = scalarText(sessionId);
    const page = type === "page" ? targetId : (pageOf.get(parent ?? "") ?? targetId);
    pageOf.set(session, page);
    if (!pages.has(page) && pages.size < maxPages) pages.set(page, { id: page, url, openedAt: Date.now() });
    void call("Network.enable", { maxPostDataSize: maxBodyBytes }, session).catch(ignore);
    void call("Target.setAutoAttach", attach, session).catch(ignore);
    void call("Runtime.runIfWaitingForDebugger", {}, session).catch(ignore);
  });
  client.on("Target.detachedFromTarget", ({ sessionId }) => void pageOf.delete(scalarText(sessionId)));
  client.on("Network.requestWillBeSent", (params, session = "") => {
    const started = params as unknown as Started;
    const key = session + started.requestId;
    const before = open.get(key);
    if (before && started.redirectResponse) {
      answer(before.exchange, started.redirectResponse, started.request.url);
      before.exchange.ms = passed(before, started.timestamp);
    }
    open.delete(key);
    if (!/^https?:/.test(started.request.url)) return;
    if (exchanges.length >= maxExchanges) {
      leftOut += 1;
      return;
    }
    const { url, method, headers, postData } = started.request;
    const exchange: SessionExchange = {
      page: pageOf.get(session) ?? "",
      startedAt: Date.now(),
      ms: 0,
      method,
      url,
      requestHeaders: headers,
      requestBody: postData !== undefined && postData.length <= maxBodyBytes ? postData : null,
      resourceType: (started.type ?? "other").toLowerCase(),
      response: null,
      size: 0,
      body: null,
      error: null,
    };
    exchanges.push(exchange);
    open.set(key, { exchange, timestamp: started.timestamp });
    const page = pages.get(exchange.page);
    if (page && started.type === "Document" && /^about:|^$/.test(page.url)) page.url = url;
  });
  client.on("Network.responseReceived", ({ requestId, response }, session = "") => {
    const one = open.get(session + scalarText(requestId));
    if (one && isObject(response)) answer(one.exchange, response as unknown as Received, "");
  });
  client.on("Network.dataReceived", ({ requestId, dataLength }, session = "") => {
    const one = open.get(session + scalarText(requestId));
    if (one) one.exchange.size += Number(dataLength);
  });
  client.on("Network.loadingFailed", ({ requestId, errorText, timestamp }, session = "") => {
    const one = take(session + scalarText(requestId), Number(timestamp));
    if (one) one.error = scalarText(errorText);
  });
  client.on("Network.loadingFinished", ({ requestId, timestamp }, session = "") => {
    const one = take(session + scalarText(requestId), Number(timestamp));
    if (!one || one.size === 0 || one.size > maxBodyBytes || keptBytes + one.size > maxTotalBytes) return;
    keptBytes += one.size;
    void call("Network.getResponseBody", { requestId }, session)
      .then(({ body, base64Encoded }) => {
        one.body = { text: scalarText(body), isBase64: base64Encoded === true };
      })
      .catch(ignore);
  });

  function take(key: string, timestamp: number): SessionExchange | null {
    const one = open.get(key);
    open.delete(key);
    if (one) one.exchange.ms = passed(one, timestamp);
    return one?.exchange ?? null;
  }

  await call("Target.setAutoAttach", attach);
  return () => ({ pages: [...pages.values()], exchanges: [...exchanges], leftOut });
}

function answer(exchange: SessionExchange, response: Received, redirectUrl: string): void {
  const { status, statusText, protocol = "", headers, mimeType } = response;
  exchange.response = { status, statusText, protocol, headers, mimeType, redirectUrl };
}

function passed({ timestamp }: Open, until: number): number {
  return Math.max(0, Math.round((until - timestamp) * 1000));
}
