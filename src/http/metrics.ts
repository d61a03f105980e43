// Metrics for Prometheus: those of the process, every request by route and status, and how often search sources were asked. No
// team, key, target or query appears.
import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Histogram, Registry } from "prom-client";

/** Since the process started, by source. */
export type ReadSourceCounts = () => ReadonlyMap<string, Readonly<Record<"requests" | "failures" | "rests", number>>>;

export function createMetrics(readSourceCounts: ReadSourceCounts) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "trawl_" });
  const requests = new Histogram({
    name: "trawl_http_request_duration_seconds",
    help: "Time from the arrival of a request to the end of its response",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60],
    registers: [registry],
  });

  for (const what of ["requests", "failures", "rests"] as const) {
    new Counter({
      name: `trawl_search_source_${what}_total`,
      help: `${what} of open search sources`,
      labelNames: ["source"],
      registers: [registry],
      collect() {
        this.reset();
        for (const [source, counts] of readSourceCounts()) this.inc({ source }, counts[what]);
      },
    });
  }

  return {
    observe(app: FastifyInstance): void {
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
