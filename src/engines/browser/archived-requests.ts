// What a page of the browser asks for: kept for an archive, or answered out of one.
import type { BrowserContext, Request } from "playwright-core";
import type { ArchiveUse, Fetch, HeaderPair } from "../../net/index.ts";
import { pauseFor } from "./wait-until-settled.ts";

type Kept = Extract<ArchiveUse, { kind: "capture" }>;

/** Bodies that are still on their way when the page has been read. */
const lateBodiesMs = 2000;

/** At most one of them: what takes down the exchanges of the context, or what answers its requests. */
export async function useArchive(
  context: BrowserContext,
  { archive, signal }: { archive?: ArchiveUse | undefined; signal: AbortSignal },
  answerFrom: Fetch,
) {
  const kept = archive?.kind === "capture" ? keepRequests(context, archive) : null;
  const archived = archive?.kind === "replay" ? createRequestAnswers(answerFrom, archive, signal) : null;
  // Whatever no interception sees leads nowhere, too.
  if (archived !== null) await context.setOffline(true);
  return { kept, archived };
}

/** Takes down every exchange of the context; `finish` waits for those that have ended. */
function keepRequests(context: BrowserContext, { keep }: Kept): { finish(): Promise<void> } {
  const pending = new Set<Promise<void>>();
  context.on("requestfinished", (request) => {
    const noting: Promise<void> = note(request, keep)
      .catch(() => undefined)
      .finally(() => pending.delete(noting));
    pending.add(noting);
  });
  return {
    async finish() {
      await Promise.race([Promise.allSettled(pending), pauseFor(lateBodiesMs)]);
    },
  };
}

async function note(request: Request, keep: Kept["keep"]): Promise<void> {
  const url = request.url();
  const response = /^https?:/.test(url) ? await request.response() : null;
  if (response === null) return;
  const [sent, headers] = await Promise.all([request.headersArray(), response.headersArray()]);
  const status = response.status();
  // The browser keeps no body of a redirect.
  const body = status >= 300 && status < 400 ? Buffer.alloc(0) : await response.body().catch(() => null);
  const pairs = (list: readonly { name: string; value: string }[]): HeaderPair[] =>
    // What came several times is one value with lines.
    list.flatMap(({ name, value }) => value.split("\n").map((each): HeaderPair => [name, latin1(each)]));
  keep({
    at: Math.round(request.timing().startTime),
    url,
    method: request.method(),
    requestHeaders: pairs(sent),
    requestBody: request.postDataBuffer(),
    status,
    statusText: response.statusText(),
    headers: pairs(headers),
    body: body ?? Buffer.alloc(0),
    isDecoded: true,
    cut: body === null ? "length" : null,
    ip: null,
  });
}

/** Each character a byte, as headers are kept. */
function latin1(text: string): string {
  return [...text].some((each) => each.charCodeAt(0) > 0xff) ? Buffer.from(text).toString("latin1") : text;
}

export interface ArchivedReply {
  responseCode: number;
  responseHeaders: { name: string; value: string }[];
  /** Base64. */
  body: string;
}

/** Null: the archive does not have it. */
export type AnswerForRequest = (request: { url: string; method: string }) => Promise<ArchivedReply | null>;

/** Of the bytes as they lie in the archive, none of which holds for what the browser is handed. */
const ofTheWire = new Set(["content-encoding", "content-length", "transfer-encoding"]);

function createRequestAnswers(
  answerFrom: Fetch,
  archive: Extract<ArchiveUse, { kind: "replay" }>,
  signal: AbortSignal,
): { answer: AnswerForRequest; missing: Set<string> } {
  const missing = new Set<string>();
  return {
    missing,
    async answer({ url, method }) {
      const found = method === "GET" ? await answerFrom({ url, archive, signal, followRedirects: false }) : null;
      if (!found?.ok) {
        missing.add(url);
        return null;
      }
      const headers = Object.entries(found.headers).filter(([name]) => !ofTheWire.has(name));
      const responseHeaders = headers.flatMap(([name, value]) =>
        [value ?? []].flat().map((each) => ({ name, value: each })),
      );
      return { responseCode: found.status, responseHeaders, body: found.body.toString("base64") };
    },
  };
}
