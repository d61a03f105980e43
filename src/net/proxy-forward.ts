// Plain HTTP through the browser's proxy: one request, sent through the same pools as fetch.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { ProxyChannel } from "./browser-channels.ts";
import { proxiedTarget } from "./company-proxy.ts";
import { isConnectionHeader } from "./headers.ts";
import { errorCode, NetError } from "./outcome.ts";
import type { Pools } from "./pools.ts";
import { tooLarge } from "./response-body.ts";
import { sendRequest } from "./undici-parts.ts";
import type { Route } from "./upstreams.ts";

export interface ForwardDeps {
  pools: Pools;
  maxBytes: number;
  /** Throws when the URL is not allowed. */
  requireAllowed(url: string): URL;
}

export const refusedTarget = "The team's target lists do not allow this URL";
const kind = { skipTlsVerification: false, isTrusted: false };
const maxStaleTries = 3;
const staleCodes = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);

export async function forward(
  deps: ForwardDeps,
  { notes, route, permits }: ProxyChannel,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const text = request.url ?? "";
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  try {
    const url = deps.requireAllowed(text);
    if (permits && !(await permits(url.href))) throw new NetError("URL_NOT_ALLOWED", refusedTarget);
    if (url.protocol !== "http:") throw new NetError("URL_NOT_ALLOWED", "Only http is forwarded");
    const answer = await ask(deps.pools, route(proxiedTarget(url)), url, request, gone.signal);
    if (answer.isPrivate) notes.wentPrivate(url.href);
    if (gone.signal.aborted) return;
    notes.connected(text);
    response.writeHead(answer.status, answer.headers);
    await copy(answer.body, response, deps.maxBytes);
  } catch (error) {
    // The browser shows a network error, as for a server that is not there: an answer of ours would be taken for the page.
    if (!gone.signal.aborted) notes.failed(text, error);
    response.destroy();
  }
}

async function ask(pools: Pools, route: Route, url: URL, request: IncomingMessage, signal: AbortSignal) {
  const method = request.method ?? "GET";
  const hasBody = request.headers["content-length"] !== undefined || request.headers["transfer-encoding"] !== undefined;
  for (let tries = 1; ; tries += 1) {
    const entry = pools.get(url.origin, { upstream: route.upstream(proxiedTarget(url)), ...kind });
    const dials = entry.dials;
    const answering = sendRequest.call(entry.pool, {
      path: url.pathname + url.search,
      method: method as "GET",
      headers: [...passOn(request.rawHeaders), "host", url.host],
      body: hasBody ? request : null,
      responseHeaders: "raw",
      signal,
    });
    // As in fetch: without a free connection, a dial has begun by now.
    const isOnKept = entry.dials === dials;
    try {
      const answer = await answering;
      const headers = passOn(answer.headers as unknown as (string | Buffer)[]);
      return { status: answer.statusCode, headers, body: answer.body, isPrivate: entry.isPrivate };
    } catch (error) {
      // A body that is under way cannot be sent again.
      if (!hasBody && route.canPassOn(error) && !signal.aborted) continue;
      const wasStale = isOnKept && !hasBody && staleCodes.has(errorCode(error));
      if (!wasStale || tries === maxStaleTries || signal.aborted) throw error;
    }
  }
}

function copy(body: Readable, response: ServerResponse, maxBytes: number): Promise<void> {
  return new Promise((done, fail) => {
    let bytes = 0;
    body.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) body.destroy(tooLarge(maxBytes));
      else if (!response.write(chunk)) body.pause();
    });
    response.on("drain", () => body.resume());
    body.on("error", fail);
    body.on("end", () => {
      response.end();
      done();
    });
  });
}

/** Names and values in turn, without those that belong to one connection. */
function passOn(raw: readonly (string | Buffer)[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = String(raw[at]);
    if (isConnectionHeader(name) && name.toLowerCase() !== "content-length") continue;
    kept.push(
      name,
      typeof raw[at + 1] === "string" ? (raw[at + 1] as string) : (raw[at + 1]?.toString("latin1") ?? ""),
    );
  }
  return kept;
}
