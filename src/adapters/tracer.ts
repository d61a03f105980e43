// Makes spans, decides once for each trace whether it is kept (OTEL_TRACES_SAMPLER), and hands ended ones to the exporter.
import { randomBytes } from "node:crypto";
import type { SpanPlace, SpanStart, Tracer } from "../base/index.ts";
import type { EndedSpan, SpanExporter } from "./trace-exporter.ts";

export interface Sampling {
  /** The names of the standard. */
  sampler: string;
  /** The share of traces that begin here and are kept, from 0 to 1. */
  ratio: number;
}

export function createTracer(exporter: Pick<SpanExporter, "add">, sampling: Sampling): Tracer {
  return {
    start(start: SpanStart) {
      const { parent } = start;
      const traceId = parent?.traceId ?? randomBytes(16).toString("hex");
      const isSampled = decide(sampling, start, traceId);
      const place: SpanPlace = { traceId, spanId: randomBytes(8).toString("hex"), isSampled };
      // The wall clock gives the time, the monotonic clock the duration.
      const startedAt = Date.now();
      const begun = performance.now();
      return {
        place,
        end(facts, error) {
          if (!isSampled) return;
          const { name, kind } = start;
          const parentSpanId = parent?.spanId ?? null;
          const times = { startedAt, durationMs: performance.now() - begun };
          const span: EndedSpan = { ...place, parentSpanId, name, kind, ...times, facts: { ...start.facts, ...facts } };
          exporter.add(error === undefined ? span : { ...span, error });
        },
      };
    },
  };
}

/** Within this process a trace is kept whole or not at all; the sampler decides where it enters. */
function decide({ sampler, ratio }: Sampling, { parent, kind }: SpanStart, traceId: string): boolean {
  if (kind === "internal" && parent !== null) return parent.isSampled;
  const [, isParentBased, rule] = /^(parentbased_)?(.+)$/.exec(sampler) ?? [];
  if (isParentBased && parent !== null) return parent.isSampled;
  if (rule === "always_off") return false;
  if (rule === "traceidratio") return Number.parseInt(traceId.slice(-13), 16) < ratio * 2 ** 52;
  return true;
}
