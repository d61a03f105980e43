// Traces, by the variables of the OpenTelemetry standard.
import { flag, httpUrl, oneOf, setting, splitList, text, wholeNumber } from "../base/index.ts";

const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

const ratio = {
  takes: "a number from 0 to 1",
  read: (value: string) => {
    const number = Number(value);
    return value.trim() !== "" && number >= 0 && number <= 1 ? number : undefined;
  },
};

const pairs = {
  takes: "a comma-separated list of name=value",
  read: (value: string): Readonly<Record<string, string>> | undefined => {
    const entries = splitList(value).map((pair) => /^([^=\s]+)\s*=\s*(.*)$/.exec(pair));
    if (entries.some((entry) => entry === null)) return undefined;
    try {
      return Object.fromEntries(entries.map((entry) => [entry?.[1] ?? "", decodeURIComponent(entry?.[2] ?? "")]));
    } catch {
      return undefined;
    }
  },
};

export const telemetrySettings = {
  otelEndpoint: setting(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    httpUrl,
    null,
    "URL of an OpenTelemetry collector (OTLP over HTTP), usually port 4318. Traces go to `/v1/traces` there; without it, no traces are sent.",
  ),
  otelTracesEndpoint: setting(
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    httpUrl,
    null,
    "The whole URL for traces, instead of the one above.",
  ),
  otelHeaders: setting(
    "OTEL_EXPORTER_OTLP_HEADERS",
    pairs,
    {},
    "Headers of requests to the collector, such as a key.",
    "none",
  ),
  otelProtocol: setting(
    "OTEL_EXPORTER_OTLP_PROTOCOL",
    oneOf(["http/json"]),
    "http/json",
    "How spans are sent.",
    "http/json",
  ),
  otelTimeoutMs: setting(
    "OTEL_EXPORTER_OTLP_TIMEOUT",
    wholeNumber(100, 300_000),
    10_000,
    "Longest time that one request to the collector may take, in milliseconds.",
  ),
  otelDelayMs: setting(
    "OTEL_BSP_SCHEDULE_DELAY",
    wholeNumber(50, 300_000),
    5000,
    "Spans are sent this often, in milliseconds.",
  ),
  otelServiceName: setting("OTEL_SERVICE_NAME", text, "trawl", "The name of this service in traces."),
  otelResource: setting(
    "OTEL_RESOURCE_ATTRIBUTES",
    pairs,
    {},
    "What else describes this server in traces, such as deployment.environment.name=production.",
    "none",
  ),
  otelSampler: setting("OTEL_TRACES_SAMPLER", oneOf(samplers), "parentbased_always_on", "Which traces are kept."),
  otelRatio: setting("OTEL_TRACES_SAMPLER_ARG", ratio, 1, "The share of traces that the ratio samplers keep."),
  otelDisabled: setting("OTEL_SDK_DISABLED", flag, false, "`true` turns traces off.", "`false`"),
};
