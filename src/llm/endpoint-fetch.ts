// What the provider packages call instead of fetch: it goes through net, reaches nothing but the endpoint's own origin, throws
// for every bad status, and hands a stream of events on while it arrives.
import type { FetchSuccess, Net, ResponseHeaders } from "../net/index.ts";
import {
  type CallFailure,
  EndpointError,
  failureOf,
  isGood,
  type ModelEndpoint,
  maxAnswerBytes,
} from "./model-endpoint.ts";

export type EndpointFetch = typeof globalThis.fetch;

/** For one call. */
export interface EndpointCall {
  fetch: EndpointFetch;
  /** What ended a stream that had begun. The stream itself just ends, as an error would take back what has come. */
  brokenBy(): CallFailure | null;
}

const eventStream = "text/event-stream";

export function openEndpointCall({ net }: { net: Pick<Net, "fetch"> }, endpoint: ModelEndpoint): EndpointCall {
  let failureOfStream: CallFailure | null = null;
  const fetch: EndpointFetch = (input, init) =>
    new Promise((resolve, reject) => {
      const waiting = follow(init?.signal ?? null);
      let events: ReadableStreamDefaultController<Uint8Array> | null = null;

      function receive(status: number, headers: ResponseHeaders): ((piece: Buffer) => void) | null {
        if (!isGood(status) || !String(headers["content-type"]).includes(eventStream)) return null;
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            events = controller;
          },
          cancel() {
            events = null;
            waiting.stop();
          },
        });
        resolve(new Response(body, { headers: { "content-type": eventStream } }));
        return (piece) => events?.enqueue(piece);
      }

      const asked = net.fetch({
        url: String(input),
        allowOrigin: endpoint.baseUrl,
        method: "POST",
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: String(init?.body),
        signal: waiting.signal,
        limits: { wireBytes: maxAnswerBytes, decodedBytes: maxAnswerBytes },
        followRedirects: false,
        receive,
        // A model may read for minutes before it writes, after its service has sent the head of the answer.
        idleMs: 0,
      });
      asked
        .then((outcome) => {
          waiting.forget();
          const failure = failureOf(endpoint, outcome);
          if (events !== null) {
            failureOfStream = failure;
            events.close();
          } else if (failure !== null) reject(new EndpointError(failure));
          else if (outcome.ok) resolve(wholeAnswer(outcome));
        })
        .catch(reject);
    });
  return { fetch, brokenBy: () => failureOfStream };
}

/** Services that name the kind of their answer wrongly are known by how it begins. */
function wholeAnswer({ body }: FetchSuccess): Response {
  const text = body.toString("utf8");
  const contentType = /^\s*(?:data|event):/.test(text) ? eventStream : "application/json";
  return new Response(text, { headers: { "content-type": contentType } });
}

export function isEventStream(response: Response): boolean {
  return response.headers.get("content-type") === eventStream;
}

/** A signal that ends with another one, or when it is stopped. */
function follow(other: AbortSignal | null) {
  const controller = new AbortController();
  const end = () => controller.abort(other?.reason);
  if (other?.aborted) end();
  other?.addEventListener("abort", end, { once: true });
  return {
    signal: controller.signal,
    stop: () => controller.abort(),
    forget: () => other?.removeEventListener("abort", end),
  };
}
