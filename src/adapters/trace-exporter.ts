// Sends ended spans to the operator's collector: OTLP over HTTP as JSON, many at a time. What cannot be sent is dropped and
// counted: telemetry never delays the work, and its memory is bounded.
import { type Repetition, repeat, type SpanFacts, type SpanPlace, type SpanStart } from "../base/index.ts";
import type { Net } from "../net/index.ts";

export interface EndedSpan extends SpanPlace {
  parentSpanId: string | null;
  name: string;
  kind: SpanStart["kind"];
  startedAt: number;
  durationMs: number;
  facts: SpanFacts;
  error?: string;
}

export interface SpanExporterOptions {
  /** The whole URL for traces. */
  url: string;
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** Spans are sent this often. */
  intervalMs: number;
  /** Describes this process. */
  resource: Readonly<Record<string, string>>;
}

export type SpanExporter = ReturnType<typeof createSpanExporter>;

const mostWaiting = 4096;
const batch = 512;
const kinds = { internal: 1, server: 2, consumer: 5 } as const;

export function createSpanExporter(
  { net }: { net: Pick<Net, "fetch"> },
  { url, headers, timeoutMs, intervalMs, resource }: SpanExporterOptions,
) {
  let waiting: EndedSpan[] = [];
  let sent = 0;
  let dropped = 0;

  async function send(spans: readonly EndedSpan[]): Promise<void> {
    const outcome = await net.fetch({
      url,
      allowOrigin: new URL(url).origin,
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(toOtlp(spans, resource)),
      followRedirects: false,
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (outcome.ok && outcome.status < 300) sent += spans.length;
    else dropped += spans.length;
  }

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const spans = waiting.slice(0, batch);
      waiting = waiting.slice(batch);
      await send(spans);
    }
  }

  const sending: Repetition = repeat(intervalMs, flush, () => undefined);
  return {
    add(span: EndedSpan): void {
      if (waiting.length >= mostWaiting) dropped += 1;
      else waiting.push(span);
    },
    counts: (): { outcome: "sent" | "dropped"; count: number }[] => [
      { outcome: "sent", count: sent },
      { outcome: "dropped", count: dropped },
    ],
    /** Sends what is left. */
    async close(): Promise<void> {
      await sending.stop();
      await flush();
    },
  };
}

function toOtlp(spans: readonly EndedSpan[], resource: Readonly<Record<string, string>>): object {
  const scopeSpans = [{ scope: { name: "trawl" }, spans: spans.map(toOtlpSpan) }];
  return { resourceSpans: [{ resource: { attributes: attributesOf(resource) }, scopeSpans }] };
}

function toOtlpSpan({ traceId, spanId, parentSpanId, name, kind, startedAt, durationMs, facts, error }: EndedSpan) {
  const startNano = BigInt(startedAt) * 1_000_000n;
  return {
    traceId,
    spanId,
    ...(parentSpanId === null ? {} : { parentSpanId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: String(startNano),
    endTimeUnixNano: String(startNano + BigInt(Math.round(durationMs * 1_000_000))),
    attributes: attributesOf(error === undefined ? facts : { ...facts, "error.type": error }),
    status: error === undefined ? {} : { code: 2, message: error },
  };
}

function attributesOf(facts: SpanFacts): object[] {
  return Object.entries(facts).map(([key, value]) => ({ key, value: otlpValue(value) }));
}

function otlpValue(value: string | number | boolean): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
