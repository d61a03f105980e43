// The metrics of a server: their names, and that the dashboard and the alerts ask for nothing else.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startApp } from "../support/app.ts";
import { anyEngine, bystanders } from "../support/engines.ts";
import { startSite } from "../support/fixture-site.ts";

const deploy = join(import.meta.dirname, "../../deploy");

/** What every queue, pool, cache, lease, breaker and stage is called. */
const names = [
  "trawl_queue_tasks",
  "trawl_queue_jobs",
  "trawl_queue_webhook_events",
  "trawl_pool_active",
  "trawl_pool_waiting",
  "trawl_page_cache_lookups_total",
  "trawl_leases_held",
  "trawl_leases_limit",
  "trawl_leases_lost_total",
  "trawl_lease_elected",
  "trawl_bell_heard",
  "trawl_paused_hosts",
  "trawl_resting_proxies",
  "trawl_search_source_requests_total",
  "trawl_search_source_failures_total",
  "trawl_search_source_rests_total",
  "trawl_blob_place_resting",
  "trawl_blob_operations_total",
  "trawl_trace_spans_total",
  "trawl_stage_duration_seconds",
  "trawl_http_request_duration_seconds",
];

/** By the line that declares each: `# TYPE name kind`. */
function declared(text: string): Map<string, string> {
  return new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", kind = ""]) => [name, kind]));
}

describe.each(bystanders)("metrics on $name", (engine) => {
  it("tell of every queue, pool, cache, lease, breaker and stage", async () => {
    const site = await startSite({ "/": "<title>Page</title><main><h1>Page</h1><p>Some words.</p></main>" });
    onTestFinished(() => site.close());
    const app = await startApp(engine, { ALLOWED_PRIVATE_HOSTS: "127.0.0.1" });
    for (let count = 0; count < 2; count += 1)
      await app.call("POST", "/v2/scrape", { body: { url: site.url, maxAge: 3_600_000 } });
    const { text } = await app.get("/metrics");
    const found = declared(text);
    expect([...found.keys()]).toEqual(expect.arrayContaining(names));
    for (const [name, kind] of found) {
      if (!names.includes(name)) continue;
      expect(name.endsWith("_total"), name).toBe(kind === "counter");
    }
    expect(text).toMatch(/trawl_page_cache_lookups_total\{outcome="page hit"\} 1/);
    for (const stage of ["cache", "fetch", "content", "store"])
      expect(text).toMatch(new RegExp(`trawl_stage_duration_seconds_count\\{stage="${stage}"\\} [1-9]`));
    expect(text).toMatch(/trawl_queue_tasks\{state="waiting"\} 0/);
    for (const pool of ["database", "requests", "browser", "content", "files"])
      expect(text).toContain(`trawl_pool_active{pool="${pool}"}`);
    expect(text).toMatch(/trawl_lease_elected 1/);
  });
});

describe("the files of deploy/observe", () => {
  it("name only metrics that there are", async () => {
    const app = await startApp(anyEngine);
    const found = declared((await app.get("/metrics")).text);
    const files = readdirSync(join(deploy, "observe"));
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      const text = readFileSync(join(deploy, "observe", file), "utf8");
      const used = [...text.matchAll(/\btrawl_[a-z0-9_]+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, ""));
      expect(used.length, file).toBeGreaterThan(3);
      for (const name of used) expect([...found.keys()], `${file} names ${name}`).toContain(name);
    }
  });
});
