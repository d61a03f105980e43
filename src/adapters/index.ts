// Services that an operator may configure. Each is loaded with its setting, so that a server without it stays small.
export { createMailer, mailPortOf } from "./mailer.ts";
export type { SpanExporter } from "./trace-exporter.ts";

// Loaded where BLOBS names a bucket.
export const loadS3 = () => import("./s3-place.ts");

// Loaded where a collector is set.
export const loadTracing = async () => ({
  ...(await import("./trace-exporter.ts")),
  ...(await import("./tracer.ts")),
});
