// Services that an operator may configure. Each is loaded only if it is configured, which keeps other servers small.
export { createMailer, mailPortOf } from "./mailer.ts";
export type { SpanExporter } from "./trace-exporter.ts";

// Loaded where BLOBS names a bucket.
export const loadS3 = () => import("./s3-place.ts");

// Loaded where an identity provider is set.
export const loadIdentityProvider = () => import("./identity-provider.ts");

// Loaded where a collector is set.
export const loadTracing = async () => ({
  ...(await import("./trace-exporter.ts")),
  ...(await import("./tracer.ts")),
});
