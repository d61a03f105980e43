// Metrics for Prometheus: those of the process, every request by route and status, and what the parts of the service measure.
// No team, key, target or query appears.
import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { type Measure, onStage } from "../base/index.ts";

export function createMetrics(measures: readonly Measure[]) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "trawl_" });
  const requests = new Histogram({
    name: "trawl_http_request_duration_seconds",
    help: "Time from the arrival of a request to the end of its response",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60],
    registers: [registry],
  });
  const stages = new Histogram({
    name: "trawl_stage_duration_seconds",
    help: "Time that the stages of a page take: cache, fetch, content, store and others",
    labelNames: ["stage"],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60],
    registers: [registry],
  });
  const lookups = new Counter({
    name: "trawl_page_cache_lookups_total",
    help: "Lookups in the page cache: a document hit, a page hit, or a miss",
    labelNames: ["outcome"],
    registers: [registry],
  });
  const stop = onStage(({ stage, seconds, outcome }) => {
    stages.observe({ stage }, seconds);
    if (stage === "cache") lookups.inc({ outcome });
  });
  for (const measure of measures) publish(registry, measure);

  return {
    observe(app: FastifyInstance): void {
      app.addHook("onClose", async () => stop());
      app.addHook("onResponse", (request, reply, done) => {
        const route = request.routeOptions.url ?? "none";
        requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
        done();
      });
    },
    contentType: registry.contentType,
    read: () => registry.metrics(),
  };
}

/** Read when the metrics are asked for. One that cannot be read then, such as a count of the store, is left out. */
function publish(registry: Registry, { name, help, kind, labelNames = [], read }: Measure): void {
  const Metric = kind === "counter" ? Counter : Gauge;
  const metric: Counter | Gauge = new Metric({
    name: `trawl_${name}`,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    async collect() {
      const readings = await Promise.resolve(read()).catch(() => []);
      metric.reset();
      for (const { labels = {}, value } of readings) metric.inc(labels, value);
    },
  });
}
