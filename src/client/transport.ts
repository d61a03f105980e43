// How requests reach a server: one function that sends, tries again where that can help, and turns failures into errors.

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface CallOptions {
  /** Ends the call. */
  signal?: AbortSignal | undefined;
}

export interface SendOptions extends CallOptions {
  query?: object | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** A file, sent as a form with `body` as its options. */
  file?: { name: string; content: Blob } | undefined;
}

/** What carries the calls of a client: HTTP unless another is given. */
export interface Transport {
  send(method: Method, path: string, options?: SendOptions): Promise<unknown>;
  /** The messages of a job, where they can be received. Their end says nothing about the job. */
  watch?(path: string, signal: AbortSignal): AsyncIterable<unknown> | null;
}

export interface ClientOptions {
  /** Where the server answers, such as `http://127.0.0.1:3002`. */
  apiUrl: string;
  apiKey?: string | undefined;
  /** Instead of the global function of this name. */
  fetch?: typeof globalThis.fetch | undefined;
  /** How often a request is repeated after 429, 502 or 503; 7 unless given. */
  maxRetries?: number | undefined;
}

/** A failure: what the server said, or that it does not answer (status 0, code UNREACHABLE). */
export class TrawlError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: unknown;

  constructor(message: string, { status, code, details, cause }: Failure) {
    super(message, { cause });
    this.name = "TrawlError";
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

interface Failure {
  status: number;
  code: string;
  details?: unknown;
  cause?: unknown;
}

const mostRetries = 7;
const repeated = new Set([429, 502, 503]);
const firstDelayMs = 500;
const longestDelayMs = 30_000;
/** Whoever must wait longer is told so instead. */
const mostRetryAfterMs = 600_000;

export function createHttpTransport({
  apiUrl,
  apiKey,
  fetch: given,
  maxRetries = mostRetries,
}: ClientOptions): Transport {
  const base = apiUrl.replace(/\/+$/, "");
  const ask = given ?? globalThis.fetch.bind(globalThis);

  async function sendOnce(method: Method, path: string, options: SendOptions): Promise<Response> {
    const { signal, body, file } = options;
    const headers: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
    if (body !== undefined && !file) headers["content-type"] = "application/json";
    const content = file ? formOf(file, body) : body === undefined ? null : JSON.stringify(body);
    try {
      return await ask(base + path + queryOf(options.query), {
        method,
        headers,
        body: content,
        signal: signal ?? null,
      });
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw new TrawlError(`${base} does not answer.`, { status: 0, code: "UNREACHABLE", cause });
    }
  }

  return {
    async send(method, path, options = {}) {
      for (let tries = 0; ; tries += 1) {
        const response = await sendOnce(method, path, options);
        const text = await response.text();
        const body = readJson(text);
        if (response.ok && body?.["success"] !== false) return body ?? text;
        const delayMs = repeated.has(response.status) && tries < maxRetries ? delayOf(response, tries) : Infinity;
        if (delayMs > mostRetryAfterMs) throw failureOf(response, body, text);
        await sleep(delayMs, options.signal);
      }
    },

    watch(path, signal) {
      const { WebSocket } = globalThis as { WebSocket?: SocketClass };
      return WebSocket
        ? messagesOf(new WebSocket(base.replace(/^http/, "ws") + path, apiKey ? [apiKey] : []), signal)
        : null;
    },
  };
}

/** Resolves after the time, or rejects as soon as the signal says so. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

function queryOf(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

function formOf({ name, content }: { name: string; content: Blob }, options: unknown): FormData {
  const form = new FormData();
  form.append("options", JSON.stringify(options ?? {}));
  form.append("file", content, name);
  return form;
}

function readJson(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function failureOf({ status }: Response, body: Record<string, unknown> = {}, text: string): TrawlError {
  const { error, code, details } = body;
  const message = typeof error === "string" ? error : `The server answered ${status}. ${text.slice(0, 200)}`.trim();
  return new TrawlError(message, { status, code: typeof code === "string" ? code : `HTTP_${status}`, details });
}

/** As Retry-After says, in seconds or as a date; else longer with every try. */
function delayOf({ headers }: Response, tries: number): number {
  const after = headers.get("retry-after");
  const seconds = after === null || after.trim() === "" ? Number.NaN : Number(after);
  const ms = Number.isNaN(seconds) ? Date.parse(after ?? "") - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? Math.min(longestDelayMs, firstDelayMs * 2 ** tries) : Math.max(0, ms);
}

/** The part of a WebSocket that every runtime has. */
interface Socket {
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  onerror: (() => void) | null;
  close(): void;
}
type SocketClass = new (url: string, protocols: string[]) => Socket;

async function* messagesOf(socket: Socket, signal: AbortSignal): AsyncGenerator<unknown> {
  const waiting: unknown[] = [];
  let isOver = false;
  let wake = () => {};
  const end = () => {
    isOver = true;
    wake();
  };
  socket.onmessage = ({ data }) => {
    waiting.push(readJson(String(data)));
    wake();
  };
  socket.onclose = end;
  socket.onerror = end;
  signal.addEventListener("abort", end, { once: true });
  try {
    while (!isOver || waiting.length > 0) {
      if (waiting.length > 0) yield waiting.shift();
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    signal.removeEventListener("abort", end);
    socket.close();
  }
}
