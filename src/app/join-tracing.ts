// Traces as configured: null where no collector is set, and then nothing of them is loaded.

import { hostname } from "node:os";
import { loadTracing, type SpanExporter } from "../adapters/index.ts";
import { createTraceStart, type StartTrace } from "../base/index.ts";
import type { Config } from "../config.ts";
import type { Net } from "../net/index.ts";

export interface Tracing {
  startTrace: StartTrace;
  counts: SpanExporter["counts"];
  close(): Promise<void>;
}

export async function joinTracing(config: Config, net: Pick<Net, "fetch">, version: string): Promise<Tracing | null> {
  const { otelEndpoint, otelTracesEndpoint, otelDisabled } = config;
  const url = otelTracesEndpoint ?? (otelEndpoint === null ? null : `${otelEndpoint}/v1/traces`);
  if (url === null || otelDisabled) return null;
  const { createSpanExporter, createTracer } = await loadTracing();
  const exporter = createSpanExporter(
    { net },
    {
      url,
      headers: config.otelHeaders,
      timeoutMs: config.otelTimeoutMs,
      intervalMs: config.otelDelayMs,
      resource: {
        "host.name": hostname(),
        "service.instance.id": `${hostname()}-${process.pid}`,
        "service.version": version,
        ...config.otelResource,
        "service.name": config.otelServiceName ?? "trawl",
      },
    },
  );
  const tracer = createTracer(exporter, { sampler: config.otelSampler, ratio: config.otelRatio });
  return { startTrace: createTraceStart(tracer), counts: exporter.counts, close: exporter.close };
}
