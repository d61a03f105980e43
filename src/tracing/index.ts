export { createSpanExporter, type SpanExporter, type SpanExporterOptions } from "./exporter.ts";
export { createTracer } from "./tracer.ts";
