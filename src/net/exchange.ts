// One request and its answer, by undici's own handler: no stream objects, no promise per chunk.
import type { Dispatcher } from "undici";
import { offAbort, onAbort } from "../base/index.ts";
import type { BodyCut, ExchangeNotes, RawHeaders } from "./kept-exchange.ts";
import { NetError, type ResponseHeaders, stoppedBy, toFailure } from "./outcome.ts";
import { type BodyLimits, BodyReader } from "./response-body.ts";

export interface Answer {
  status: number;
  headers: ResponseHeaders;
  /** Empty when it is skipped: such an answer is complete with its head. */
  body: Buffer;
  wireBytes: number;
}

export type RequestMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD" | "OPTIONS";

export interface ExchangeRequest extends Dispatcher.DispatchOptions {
  origin: string;
  method: RequestMethod;
  headers: Record<string, string>;
  body: string | Buffer | null;
}

/** How an answer that is under way is held back or ended. */
export type ExchangeController = Pick<Dispatcher.DispatchController, "abort" | "pause" | "resume"> & {
  /** Names and values in turn, as they were sent. */
  rawHeaders?: RawHeaders;
};

/** The events of one request, from undici or from our own HTTP/2 connection. */
export interface ExchangeHandler {
  onRequestStart(controller: ExchangeController): void;
  onResponseStart(
    controller: ExchangeController,
    status: number,
    headers: ResponseHeaders,
    statusText?: string | undefined,
  ): void;
  onResponseData(controller: ExchangeController, chunk: Buffer): void;
  onResponseEnd(controller: ExchangeController, trailers: ResponseHeaders): void;
  onResponseError(controller: ExchangeController, error: Error): void;
}

/** Sends requests to one origin. */
interface Sender {
  send(request: ExchangeRequest, handler: ExchangeHandler): void;
}

export interface ExchangeOptions {
  request: ExchangeRequest;
  signal: AbortSignal;
  limits: BodyLimits;
  /** True for a response whose body is not read, such as a redirect that is followed. */
  skipsBody(status: number, headers: ResponseHeaders): boolean;
  receive: Receive | null;
  /** Takes down the exchange for an archive; null: it is not kept. */
  notes?: ExchangeNotes | null;
}

/** Gets the head of an answer; what it returns gets each piece of the body, null when the body is read whole. */
export type Receive = (status: number, headers: ResponseHeaders) => ((piece: Buffer) => void) | null;

/** All heads of one answer together, informational ones included. */
const maxHeadsBytes = 1024 * 1024;
/** An informational answer costs at least this much, so that empty ones count too. */
const bareHeadBytes = 64;
/** A skipped body is read on for this much and this long, so that a short one leaves a connection to be used again. */
const drainBytes = 64 * 1024;
const drainMs = 1000;

/** Rejects with a NetError or with undici's own error. */
export function exchange(sender: Sender, options: ExchangeOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    sender.send(options.request, new Exchange(options, resolve, reject));
  });
}

class Exchange implements ExchangeHandler {
  private controller: ExchangeController | null = null;
  private isDone = false;
  private status = 0;
  private headers: ResponseHeaders = {};
  private body: BodyReader | null = null;
  private tell: ((piece: Buffer) => void) | null = null;
  private draining: NodeJS.Timeout | null = null;
  private drainedBytes = 0;
  private headsBytes = 0;
  /** A body that is not read and yet kept: the answer waits for its end. */
  private isHeldBack = false;
  private readonly options: ExchangeOptions;
  private readonly resolve: (answer: Answer) => void;
  private readonly reject: (error: unknown) => void;
  private readonly stop = () => {
    if (this.draining === null) this.fail(stoppedBy(this.options.signal));
    else this.cutOff();
  };

  constructor(options: ExchangeOptions, resolve: (answer: Answer) => void, reject: (error: unknown) => void) {
    this.options = options;
    this.resolve = resolve;
    this.reject = reject;
    onAbort(options.signal, this.stop);
  }

  onRequestStart(controller: ExchangeController): void {
    this.controller = controller;
    // The caller left before the connection was up.
    if (this.isDone) controller.abort(stoppedBy(this.options.signal));
  }

  onResponseStart(controller: ExchangeController, status: number, headers: ResponseHeaders, statusText = ""): void {
    if (status < 200) {
      this.headsBytes += bareHeadBytes + headBytes(headers);
      if (this.headsBytes > maxHeadsBytes) this.fail(headTooLarge());
      return;
    }
    this.status = status;
    this.headers = headers;
    this.options.notes?.start(status, statusText, controller.rawHeaders, headers);
    if (this.options.skipsBody(status, headers)) {
      this.skip();
      return;
    }
    this.attempt(() => {
      this.body = new BodyReader(headers, this.options.limits, {
        pause: () => controller.pause(),
        resume: () => controller.resume(),
        enough: (body) => this.stopReading(body),
        fail: (error) => this.fail(error),
      });
      this.tell = this.options.receive?.(status, headers) ?? null;
    });
  }

  onResponseData(_controller: ExchangeController, chunk: Buffer): void {
    if (this.draining !== null) {
      this.drainedBytes += chunk.length;
      if (this.drainedBytes > drainBytes) this.cutOff();
      else if (this.isHeldBack) this.options.notes?.add(chunk);
    } else if (!this.isDone) this.attempt(() => this.read(chunk));
  }

  onResponseEnd(): void {
    if (this.draining !== null) this.endDraining(null);
    else if (!this.isDone) this.attempt(() => this.body?.end((body) => this.succeed(body)));
  }

  onResponseError(_controller: ExchangeController, error: Error): void {
    if (this.draining !== null) this.endDraining("disconnect");
    else this.fail(this.status === 0 ? error : brokenOff(error));
  }

  private read(chunk: Buffer): void {
    this.options.notes?.add(chunk);
    this.body?.write(chunk);
    if (this.body?.isPlain) this.tell?.(chunk);
  }

  /** The answer is given now; until the body ends or is cut off, the signal and the pool can still end it. */
  private skip(): void {
    if (this.isDone) return;
    this.isDone = true;
    this.draining = setTimeout(() => this.cutOff(), drainMs);
    if (this.options.notes) this.isHeldBack = true;
    else this.resolveSkipped();
  }

  private resolveSkipped(): void {
    this.resolve({ status: this.status, headers: this.headers, body: Buffer.alloc(0), wireBytes: 0 });
  }

  private cutOff(): void {
    this.endDraining("length");
    this.hangUp();
  }

  private stopReading(body: Buffer): void {
    this.succeed(body, "length");
    this.hangUp();
  }

  private hangUp(): void {
    this.controller?.abort(new NetError("ABORTED", "The rest is not needed"));
  }

  private endDraining(cut: BodyCut | null): void {
    if (this.draining !== null) clearTimeout(this.draining);
    this.draining = null;
    this.finish(cut);
    if (!this.isHeldBack) return;
    this.isHeldBack = false;
    this.resolveSkipped();
  }

  private attempt(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.fail(error);
    }
  }

  private succeed(body: Buffer, cut: BodyCut | null = null): void {
    if (this.isDone) return;
    // What is packed cannot be read before it is whole.
    if (this.body?.isPlain === false) this.tell?.(body);
    this.finish(cut);
    this.resolve({ status: this.status, headers: this.headers, body, wireBytes: this.body?.wireBytes ?? 0 });
  }

  private fail(error: unknown): void {
    if (this.isDone) return;
    this.finish(cutOf(error));
    this.body?.destroy();
    this.reject(error);
    this.controller?.abort(error as Error);
  }

  private finish(cut: BodyCut | null): void {
    this.isDone = true;
    this.options.notes?.end(cut);
    offAbort(this.options.signal, this.stop);
  }
}

/** Why the body of an answer that failed is not whole. */
function cutOf(error: unknown): BodyCut {
  const { code } = toFailure(error);
  if (code === "SCRAPE_PAGE_TOO_LARGE") return "length";
  return code === "SCRAPE_TIMEOUT" || code === "ABORTED" ? "time" : "disconnect";
}

export function headBytes(headers: ResponseHeaders): number {
  let bytes = 0;
  for (const [name, value] of Object.entries(headers)) bytes += name.length + String(value).length;
  return bytes;
}

/** An answer had begun, so its connection was not stale: this error must not cause a retry. */
function brokenOff(error: Error): NetError {
  const { code, message } = toFailure(error);
  return new NetError(code, message, error);
}

export function headTooLarge(): NetError {
  return new NetError("SCRAPE_SITE_ERROR", "The header of the site's response is too large");
}
