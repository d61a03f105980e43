// Traces, by the variables of the OpenTelemetry standard.
import { splitList } from "../base/index.ts";
import { flag, oneOf, optionalUrl, setting, text, wholeNumber } from "./setting.ts";

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
  otelEndpoint: optionalUrl(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "URL of an OpenTelemetry collector (OTLP over HTTP), usually on port 4318. Traces are sent to `/v1/traces` there. " +
      "Without it, no traces are made.",
  ),
  otelTracesEndpoint: optionalUrl(
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "Complete URL for traces. Takes precedence over OTEL_EXPORTER_OTLP_ENDPOINT.",
  ),
  otelHeaders: setting(
    "OTEL_EXPORTER_OTLP_HEADERS",
    pairs,
    {},
    "Headers of requests to the collector, such as an API key.",
    "none",
  ),
  otelProtocol: setting(
    "OTEL_EXPORTER_OTLP_PROTOCOL",
    oneOf(["http/json"]),
    "http/json",
    "Protocol of requests to the collector.",
    "http/json",
  ),
  otelTimeoutMs: setting(
    "OTEL_EXPORTER_OTLP_TIMEOUT",
    wholeNumber(100, 300_000),
    10_000,
    "Timeout of one request to the collector, in milliseconds.",
  ),
  otelDelayMs: setting(
    "OTEL_BSP_SCHEDULE_DELAY",
    wholeNumber(50, 300_000),
    5000,
    "Interval at which spans are sent, in milliseconds.",
  ),
  otelServiceName: setting("OTEL_SERVICE_NAME", text, "trawl", "Name of this service in traces."),
  otelResource: setting(
    "OTEL_RESOURCE_ATTRIBUTES",
    pairs,
    {},
    "Further attributes of this server in traces, such as deployment.environment.name=production.",
    "none",
  ),
  otelSampler: setting("OTEL_TRACES_SAMPLER", oneOf(samplers), "parentbased_always_on", "Which traces are kept."),
  otelRatio: setting("OTEL_TRACES_SAMPLER_ARG", ratio, 1, "Share of traces that the ratio samplers keep."),
  otelDisabled: setting("OTEL_SDK_DISABLED", flag, false, "Set to `true` to turn traces off.", "`false`"),
};
