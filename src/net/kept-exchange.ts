// An exchange as it is kept in an archive: what was sent and what came, as the bytes pass. And an archive that answers requests
// in place of the web.
import { ChunkList } from "./chunk-list.ts";
import { NetError, type ResponseHeaders } from "./outcome.ts";
import { type BodyLimits, BodyReader } from "./response-body.ts";

export type HeaderPair = readonly [name: string, value: string];

/** Why a body is not whole: a limit, a connection that broke, or time that ran out. */
export type BodyCut = "length" | "disconnect" | "time";

export interface KeptExchange {
  /** When the request was sent, in milliseconds since 1970. */
  at: number;
  url: string;
  method: string;
  requestHeaders: readonly HeaderPair[];
  requestBody: Buffer | null;
  status: number;
  statusText: string;
  /** As the server sent them: names, values, order and repetitions; each character is a byte. */
  headers: readonly HeaderPair[];
  /** Without transfer coding; content codings are still on, unless `isDecoded`. */
  body: Buffer;
  isDecoded: boolean;
  cut: BodyCut | null;
  /** Null behind a proxy. */
  ip: string | null;
}

export interface ArchivedAnswer {
  status: number;
  /** By lower-case name. */
  headers: ResponseHeaders;
  /** Content codings are still on. */
  body: Buffer;
}

/** What a request's exchanges go into, or what answers it: then nothing is connected to. */
export type ArchiveUse =
  | { kind: "capture"; keep(exchange: KeptExchange): void }
  | {
      kind: "replay";
      /** Null when the archive has no such page. */
      answer(url: string): Promise<ArchivedAnswer | null>;
    };

type NotedRequest = Pick<KeptExchange, "at" | "url" | "method" | "requestHeaders" | "requestBody">;

/** Collects one exchange while it passes. A new head replaces what came before: the request was sent again. */
export class ExchangeNotes {
  private head: Pick<KeptExchange, "status" | "statusText" | "headers"> | null = null;
  private body = new ChunkList();
  private readonly request: NotedRequest;
  private readonly keep: (exchange: KeptExchange) => void;
  private readonly ipOf: () => string | null;

  constructor(request: NotedRequest, ipOf: () => string | null, keep: (exchange: KeptExchange) => void) {
    this.request = request;
    this.ipOf = ipOf;
    this.keep = keep;
  }

  start(status: number, statusText: string, raw: RawHeaders, headers: ResponseHeaders): void {
    this.head = { status, statusText, headers: Array.isArray(raw) ? pairsOf(raw) : entriesOf(headers) };
    this.body = new ChunkList();
  }

  add(chunk: Buffer): void {
    // What arrives is a part of a buffer that the connection uses again.
    this.body.add(chunk);
  }

  /** To be called once; without a head nothing came, and nothing is kept. */
  end(cut: BodyCut | null): void {
    const { head } = this;
    this.head = null;
    if (head === null) return;
    this.keep({ ...this.request, ...head, body: this.body.take(), isDecoded: false, cut, ip: this.ipOf() });
  }
}

/** Names and values in turn; anything else is what undici has for other kinds of requests. */
export type RawHeaders = readonly (Buffer | string)[] | object | null | undefined;

function pairsOf(raw: readonly (Buffer | string)[]): HeaderPair[] {
  const text = (part: Buffer | string | undefined) =>
    typeof part === "object" ? part.toString("latin1") : (part ?? "");
  const pairs: HeaderPair[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = text(raw[at]);
    if (!name.startsWith(":")) pairs.push([name, text(raw[at + 1])]);
  }
  return pairs;
}

function entriesOf(headers: ResponseHeaders): HeaderPair[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): HeaderPair => [name, each]),
  );
}

/** What an archive has for a URL, its content codings undone within limits. */
export async function answerFromArchive(
  archive: Extract<ArchiveUse, { kind: "replay" }>,
  url: string,
  limits: BodyLimits,
  isSkipped: (status: number, headers: ResponseHeaders) => boolean,
) {
  const found = await archive.answer(url);
  if (found === null) throw new NetError("SCRAPE_REPLAY_MISS", `The archive has no response for ${url}`);
  const { status, headers, body } = found;
  const isRead = !isSkipped(status, headers);
  const decoded = isRead ? await decode(headers, body, limits) : Buffer.alloc(0);
  return { status, headers, body: decoded, wireBytes: isRead ? body.length : 0, isPrivate: false };
}

function decode(headers: ResponseHeaders, body: Buffer, limits: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const over = <Value>(end: (value: Value) => void) => {
      return (value: Value) => {
        isOver = true;
        end(value);
      };
    };
    const flow = { pause: () => undefined, resume: () => undefined, enough: over(resolve), fail: over(reject) };
    const reader = new BodyReader({ "content-encoding": headers["content-encoding"] }, limits, flow);
    for (let at = 0; at < body.length && !isOver; at += pieceBytes) reader.write(body.subarray(at, at + pieceBytes));
    if (!isOver) reader.end(resolve);
  });
}

const pieceBytes = 64 * 1024;
