// What a page asks servers for, and what they answer: kept in bounds while the page is visited.
import type { BrowserContext, Request, Response } from "playwright-core";
import type { NetworkKind } from "../../contract/index.ts";
import { createUrlTest, holdsJson, type NetworkLook, networkKindOf } from "./network-kinds.ts";
import { orElse } from "./wait-until-settled.ts";

/** One request and its response. Nothing is masked here. */
export interface NetworkEntry {
  method: string;
  url: string;
  status: number;
  contentType: string;
  resourceType: string;
  kind: NetworkKind;
  /** Of the body, decoded. */
  size: number;
  ms: number;
  requestBody?: string;
  /** Absent where there is no body, or it is too long. */
  body?: string;
  encoding: "utf8" | "base64";
  truncated?: true;
}

export interface NetworkRecord {
  entries: NetworkEntry[];
  /** Entries beyond the bound. */
  leftOut: number;
}

export interface NetworkWatch {
  /** Once what is being read has been read. */
  read(): Promise<NetworkRecord>;
}

const maxEntries = 500;
const maxTotalBytes = 10 * 1024 * 1024;
const maxRequests = 5000;
const readMs = 2000;

/** A request as it goes; `entry` once it is known to be wanted. */
interface Exchange {
  request: Request;
  startedAt: number;
  redirectedTo: Exchange | null;
  response: Response | null;
  entry: NetworkEntry | null;
  /** A request that has not ended has no body yet. */
  hasEnded: boolean;
}

export function watchNetwork(context: BrowserContext, look: NetworkLook, maxBodyBytes: number): NetworkWatch {
  const fitsUrl = createUrlTest(look.urls ?? []);
  const exchanges = new Map<Request, Exchange>();
  const reading = new Set<Promise<void>>();
  let keptBytes = 0;
  /** Bodies are read one after the other, so that few are in memory twice. */
  let turn: Promise<void> = Promise.resolve();

  const wants = (kind: NetworkKind) => look.types.includes("all") || look.types.includes(kind);
  /** Of what calls itself text, only the body shows whether it is data. */
  const mayBeJson = (kind: NetworkKind, { resourceType }: NetworkEntry) =>
    kind === "text" || ((kind === "other" || kind === "html") && /^(?:xhr|fetch)$/.test(resourceType));

  context.on("request", (request) => {
    if (exchanges.size >= maxRequests || !/^https?:/.test(request.url())) return;
    const from = exchanges.get(request.redirectedFrom() as Request);
    const one = {
      request,
      startedAt: performance.now(),
      redirectedTo: null,
      response: null,
      entry: null,
      hasEnded: false,
    };
    exchanges.set(request, one);
    if (from) from.redirectedTo = one;
  });
  context.on("response", (response) => {
    const one = exchanges.get(response.request());
    if (one) one.response = response;
  });
  context.on("requestfinished", (request) => {
    const one = exchanges.get(request);
    if (!one?.response) return;
    one.hasEnded = true;
    one.entry = entryOf(one, one.response);
    if (one.redirectedTo !== null || !(wants(one.entry.kind) || mayBeJson(one.entry.kind, one.entry))) return;
    if (!fitsUrl(one.entry.url)) return;
    const { entry, response } = one;
    turn = turn.then(() => readBody(entry, response)).catch(() => undefined);
    const done: Promise<void> = turn.then(() => void reading.delete(done));
    reading.add(done);
  });

  async function readBody(entry: NetworkEntry, response: Response): Promise<void> {
    if (response.request().method() === "HEAD" || response.status() === 204 || response.status() === 304) return;
    let body: Buffer;
    try {
      body = await response.body();
    } catch {
      // Chromium keeps no body that is far too long, and none of a page that it has left.
      const { responseBodySize } = await response.request().sizes();
      entry.size = Math.max(0, responseBodySize);
      entry.truncated = true;
      return;
    }
    entry.size = body.length;
    const text = textOf(body);
    if (text !== null && mayBeJson(entry.kind, entry) && holdsJson(text)) entry.kind = "json";
    if (!wants(entry.kind)) return;
    if (body.length > maxBodyBytes || keptBytes + body.length > maxTotalBytes) {
      entry.truncated = true;
      return;
    }
    keptBytes += body.length;
    entry.body = text ?? body.toString("base64");
    if (text === null) entry.encoding = "base64";
  }

  function entryOf({ request, startedAt }: Exchange, response: Response): NetworkEntry {
    const contentType = response.headers()["content-type"] ?? "";
    const resourceType = request.resourceType();
    const isPage = request.isNavigationRequest() && request.frame().parentFrame() === null;
    const sent = request.postDataBuffer();
    const requestBody = sent && sent.length <= maxBodyBytes ? textOf(sent) : null;
    return {
      method: request.method(),
      url: request.url().replace(/#.*$/s, ""),
      status: response.status(),
      contentType,
      resourceType,
      // The page itself is no data, whatever it is.
      kind: isPage ? "html" : networkKindOf(contentType, resourceType),
      size: 0,
      ms: Math.round(performance.now() - startedAt),
      ...(requestBody === null ? {} : { requestBody }),
      encoding: "utf8",
    };
  }

  /** As what its last hop is, and the hop itself. */
  function finished(one: Exchange): NetworkEntry | null {
    const last = lastOf(one);
    if (last.response === null) return null;
    last.entry ??= entryOf(last, last.response);
    if (!wants(last.entry.kind) || !fitsUrl((one === last ? last.entry.url : one.request.url()).replace(/#.*$/s, ""))) {
      return null;
    }
    if (one === last) {
      if (!last.hasEnded) last.entry.truncated = true;
      return last.entry;
    }
    return one.response === null ? null : (one.entry ?? entryOf(one, one.response));
  }

  return {
    async read() {
      await orElse(Promise.all(reading), readMs, null);
      const all = [...exchanges.values()].flatMap((one) => finished(one) ?? []);
      return { entries: all.slice(0, maxEntries), leftOut: Math.max(0, all.length - maxEntries) };
    },
  };
}

function lastOf(one: Exchange): Exchange {
  let last = one;
  while (last.redirectedTo !== null) last = last.redirectedTo;
  return last;
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Null for what is no text. */
function textOf(body: Buffer): string | null {
  try {
    const text = utf8.decode(body);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}
