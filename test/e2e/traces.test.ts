// OpenTelemetry traces: what a collector receives, over one process and over several.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { startApp } from "../support/app.ts";
import { environment, headers, startTree, untilCompleted } from "../support/crawl-servers.ts";
import { anyEngine } from "../support/engines.ts";
import { startSite } from "../support/fixture-site.ts";
import { startServer } from "../support/server-process.ts";

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
  status: { code?: number };
  /** Which process sent it. */
  instance: string;
  service: string;
}

/** Keeps every span that it is sent. */
async function startCollector() {
  const spans: Span[] = [];
  const asked: { path: string; key: string | undefined }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    asked.push({ path: request.url ?? "", key: request.headers["x-key"] as string | undefined });
    for (const { resource, scopeSpans } of JSON.parse(Buffer.concat(chunks).toString()).resourceSpans) {
      const told = (key: string) =>
        resource.attributes.find((each: { key: string }) => each.key === key)?.value.stringValue;
      for (const span of scopeSpans[0].spans)
        spans.push({ ...span, instance: told("service.instance.id"), service: told("service.name") });
    }
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, asked };
}

const otel = (url: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20key",
  OTEL_SERVICE_NAME: "trawl-tests",
  OTEL_BSP_SCHEDULE_DELAY: "100",
});

const traceId = "0af7651916cd43dd8448eb211c80319c";
const callersSpan = "b7ad6b7169203331";
const traceparent = `00-${traceId}-${callersSpan}-01`;

describe("traces", () => {
  it("show a scrape as a part of its caller's trace, and its log lines name it", async () => {
    const collector = await startCollector();
    const site = await startSite({ "/": "<title>Page</title><main><h1>Page</h1><p>Some words.</p></main>" });
    onTestFinished(() => site.close());
    const app = await startApp(anyEngine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1", ...otel(collector.url) });
    const answer = await app.call("POST", "/v2/scrape", { body: { url: site.url }, headers: { traceparent } });
    expect(answer.status).toBe(200);
    const named = (name: string) => collector.spans.find((span) => span.name === name);
    await expect.poll(() => named("POST /v2/scrape")).toBeDefined();

    const root = named("POST /v2/scrape");
    expect(root).toMatchObject({ traceId, parentSpanId: callersSpan, kind: 2, service: "trawl-tests" });
    expect(root?.attributes).toContainEqual({ key: "http.response.status_code", value: { intValue: "200" } });
    for (const stage of ["cache", "fetch", "content", "store"]) {
      const span = named(stage);
      expect(span, stage).toMatchObject({ traceId, parentSpanId: root?.spanId, kind: 1 });
      expect(BigInt(span?.startTimeUnixNano ?? 0)).toBeGreaterThan(0n);
      expect(BigInt(span?.endTimeUnixNano ?? 0)).toBeGreaterThanOrEqual(BigInt(span?.startTimeUnixNano ?? 0));
    }
    expect(collector.asked[0]).toEqual({ path: "/v1/traces", key: "a key" });
    expect(JSON.stringify(collector.spans)).not.toContain(new URL(site.url).port);
    const requestId = answer.headers.get("x-request-id");
    await expect
      .poll(() => app.logLines.map((line) => JSON.parse(line)).find((line) => line.requestId === requestId))
      .toMatchObject({ msg: "request", traceId, spanId: root?.spanId });
    const { text } = await app.get("/metrics");
    expect(text).toMatch(/trawl_trace_spans_total\{outcome="sent"\} [1-9]/);

    const missing = await app.call("GET", "/v2/crawl/00000000-0000-7000-8000-000000000000", {
      headers: { traceparent: "nonsense" },
    });
    expect(missing.status).toBe(404);
    await expect.poll(() => named("GET /v2/crawl/:id")?.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(named("GET /v2/crawl/:id")?.parentSpanId).toBeUndefined();
  });

  it("are kept as the sampler says", async () => {
    const collector = await startCollector();
    const app = await startApp(anyEngine, { ...otel(collector.url), OTEL_TRACES_SAMPLER: "parentbased_always_off" });
    await app.get("/v2/team/credit-usage");
    await app.get("/v2/team/credit-usage", { headers: { traceparent: traceparent.replace(/01$/, "00") } });
    await app.get("/v2/team/token-usage", { headers: { traceparent } });
    await expect.poll(() => collector.spans.length).toBeGreaterThan(0);
    expect(collector.spans.map(({ name }) => name)).toEqual(["GET /v2/team/token-usage"]);
  });

  it("harm nothing when the collector is gone", async () => {
    const app = await startApp(anyEngine, otel("http://127.0.0.1:9"));
    expect((await app.get("/v2/team/credit-usage")).status).toBe(200);
    const dropped = async () =>
      /trace_spans_total\{outcome="dropped"\} (\d+)/.exec((await app.get("/metrics")).text)?.[1];
    await expect.poll(async () => Number(await dropped())).toBeGreaterThan(0);
  });

  it("go from the server that took a job to the one that works on it", async () => {
    const collector = await startCollector();
    const site = await startTree(4, () => 0);
    const env: Record<string, string> = { ...(await environment("postgres")), ...otel(collector.url) };
    const worker = { ...env, DATA_DIR: `${env["DATA_DIR"]}-2` };
    const [api] = await Promise.all([startServer(env, "api"), startServer(worker, "worker")]);
    const answer = await fetch(`${api.url}/v2/crawl`, {
      method: "POST",
      headers: { ...headers, traceparent },
      body: JSON.stringify({ url: site.url, sitemap: "skip" }),
    });
    const { id } = (await answer.json()) as { id: string };
    await untilCompleted(api, id);
    const tasks = () => collector.spans.filter(({ name }) => name === "task page");
    await expect.poll(() => tasks().length).toBe(4);
    await expect.poll(() => collector.spans.some(({ name }) => name === "POST /v2/crawl")).toBe(true);
    const root = collector.spans.find(({ name }) => name === "POST /v2/crawl");
    expect(root).toMatchObject({ traceId, parentSpanId: callersSpan });
    for (const task of tasks()) {
      expect(task).toMatchObject({ traceId, parentSpanId: root?.spanId, kind: 5 });
      expect(task.instance).not.toBe(root?.instance);
      expect(task.attributes).toContainEqual({ key: "trawl.job.id", value: { stringValue: id } });
      const stages = collector.spans.filter(({ parentSpanId }) => parentSpanId === task.spanId);
      expect(stages.map(({ name }) => name)).toEqual(expect.arrayContaining(["fetch", "content", "store"]));
    }
  });
});
