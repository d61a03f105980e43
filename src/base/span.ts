// What is under way, as a tree of timed spans that a tracer keeps. A span knows its parent by the flow of the program, so that no
// function has to hand it on. Without a tracer nothing is kept.
import { AsyncLocalStorage } from "node:async_hooks";

/** A span as other processes are told of it. */
export interface SpanPlace {
  /** 32 hexadecimal digits. */
  traceId: string;
  /** 16 of them. */
  spanId: string;
  isSampled: boolean;
}

export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

export interface SpanStart {
  name: string;
  kind: "internal" | "server" | "consumer";
  parent: SpanPlace | null;
  facts: SpanFacts;
}

export interface OpenSpan {
  place: SpanPlace;
  /** `error`: what went wrong, as a code. */
  end(facts: SpanFacts, error?: string): void;
}

export interface Tracer {
  start(span: SpanStart): OpenSpan;
}

export interface TraceStart {
  name: string;
  kind: "server" | "consumer";
  /** The caller's, as W3C Trace Context defines it; anything else is ignored. */
  traceparent?: string | null | undefined;
  facts: SpanFacts;
  /** Said in every line that is logged meanwhile. */
  ids: Readonly<Record<string, string>>;
}

/** The first span of this process for a request or a task. */
export interface OpenTrace {
  run<Result>(work: () => Result): Result;
  end(facts: SpanFacts, error?: string): void;
}

export type StartTrace = (start: TraceStart) => OpenTrace;

interface Active {
  tracer: Tracer;
  place: SpanPlace;
  ids: Readonly<Record<string, string>>;
}

const active = new AsyncLocalStorage<Active>();

export function createTraceStart(tracer: Tracer): StartTrace {
  return ({ name, kind, traceparent, facts, ids }) => {
    const { place, end } = tracer.start({ name, kind, parent: readTraceparent(traceparent), facts });
    return { run: (work) => active.run({ tracer, place, ids }, work), end };
  };
}

/** Runs work as a part of what is under way. */
export async function inSpan<Result>(
  name: string,
  work: () => Promise<Result>,
  describe: (result: Result) => SpanFacts = () => ({}),
): Promise<Result> {
  const around = active.getStore();
  if (around === undefined) return work();
  const { tracer, place: parent, ids } = around;
  const { place, end } = tracer.start({ name, kind: "internal", parent, facts: {} });
  try {
    const result = await active.run({ tracer, place, ids }, work);
    end(describe(result));
    return result;
  } catch (error) {
    end({}, (error as { code?: string }).code ?? "failed");
    throw error;
  }
}

/** For the log: which trace a line belongs to, and which request or job. */
export function activeIds(): Readonly<Record<string, string>> {
  const around = active.getStore();
  return around === undefined ? {} : { ...around.ids, traceId: around.place.traceId, spanId: around.place.spanId };
}

/** What another process needs to go on with the trace; undefined without a tracer. */
export function activeTraceparent(): string | undefined {
  const place = active.getStore()?.place;
  return place && `00-${place.traceId}-${place.spanId}-${place.isSampled ? "01" : "00"}`;
}

const traceparentForm = /^[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

function readTraceparent(text: string | null | undefined): SpanPlace | null {
  const [, traceId, spanId, flags = "0"] = traceparentForm.exec(text ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || text?.startsWith("ff")) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
