// What the parts measure, by the names under which it is published: every queue, pool, lease, breaker and place of blobs. Caches
// and stages are measured where metrics are published.
import type { Measure } from "../base/index.ts";
import type { ContentPool } from "../content/index.ts";
import type { BrowserEngine } from "../engines/index.ts";
import type { Jobs } from "../jobs/index.ts";
import type { Net } from "../net/index.ts";
import type { Pages } from "../pages/index.ts";
import type { Store } from "../store/index.ts";
import type { BackgroundWork } from "./background-work.ts";
import type { SearchPart } from "./join-search.ts";
import type { Tracing } from "./join-tracing.ts";
import type { ScheduledBackups } from "./scheduled-backups.ts";

export interface MeasuredParts {
  store: Store;
  search: SearchPart;
  jobs: Pick<Jobs, "signals">;
  work: Pick<BackgroundWork, "load">;
  net: Pick<Net, "load">;
  browser: Pick<BrowserEngine, "load">;
  pools: { content: Pick<ContentPool, "load">; files: Pick<Pages["files"], "load"> };
  tracing: Pick<Tracing, "counts"> | null;
  /** Null where the server makes none. */
  backups: Pick<ScheduledBackups, "state"> | null;
}

interface Load {
  active: number;
  waiting: number;
}

export function joinMeasures(parts: MeasuredParts, isElected: () => boolean): Measure[] {
  return [
    ...queueMeasures(parts),
    ...poolMeasures(parts),
    ...leaseMeasures(parts, isElected),
    ...breakerMeasures(parts),
    ...sourceMeasures(parts.search),
    ...blobMeasures(parts.store),
    spanMeasure(parts.tracing),
    ...backupMeasures(parts),
  ];
}

function backupMeasures({ backups }: MeasuredParts): Measure[] {
  if (backups === null) return [];
  return [
    gauge(
      "backup_last_success_seconds",
      "Time of the last whole backup, in seconds since 1970; 0 before the first",
      () => Math.floor((backups.state()?.lastSuccessAt ?? 0) / 1000),
    ),
    gauge("backup_failing", "1 when the last backup failed", () => Number((backups.state()?.error ?? null) !== null)),
  ];
}

/** A measure with one value, or with a value for each label. */
function gauge(name: string, help: string, read: () => number | Promise<number>): Measure {
  return { name, help, kind: "gauge", read: async () => [{ value: await read() }] };
}

function queueMeasures({ store }: MeasuredParts): Measure[] {
  return [
    {
      name: "queue_tasks",
      help: "Tasks of running jobs over all servers: waiting, or active under a lease",
      kind: "gauge",
      labelNames: ["state"],
      async read() {
        const { waiting, active } = await store.jobs.countTasks();
        return [
          { labels: { state: "waiting" }, value: waiting },
          { labels: { state: "leased" }, value: active },
        ];
      },
    },
    gauge("queue_jobs", "Jobs that run, over all servers", async () => (await store.jobs.countTasks()).jobs),
    gauge("queue_webhook_events", "Webhook events that wait to be delivered, over all servers", () =>
      store.webhooks.countPending(),
    ),
  ];
}

/** Each pool by its name: what is in use, and what waits for a place. */
function poolMeasures({ store, net, browser, pools }: MeasuredParts): Measure[] {
  const loads: Record<string, () => Load> = {
    database: store.load,
    requests: net.load,
    browser: browser.load,
    content: pools.content.load,
    files: pools.files.load,
  };
  const measure = (what: keyof Load, help: string): Measure => ({
    name: `pool_${what}`,
    help,
    kind: "gauge",
    labelNames: ["pool"],
    read: () => Object.entries(loads).map(([pool, load]) => ({ labels: { pool }, value: load()[what] })),
  });
  return [
    measure("active", "Places in use: database connections, requests to pages, browser pages, content threads, files"),
    measure("waiting", "What waits for a place of a pool"),
  ];
}

function leaseMeasures({ jobs, work }: MeasuredParts, isElected: () => boolean): Measure[] {
  return [
    gauge("leases_held", "Tasks that this process performs", () => work.load().held),
    gauge("leases_limit", "Tasks that this process takes at most", () => work.load().limit),
    {
      ...gauge(
        "leases_lost_total",
        "Tasks whose lease ran out or whose process ended, taken back by this process",
        () => work.load().lost,
      ),
      kind: "counter",
    },
    gauge("lease_elected", "1 in the process that starts checks and purges", () => Number(isElected())),
    gauge("bell_heard", "1 while this process receives notifications from others by LISTEN", () =>
      Number(jobs.signals.isConnected()),
    ),
  ];
}

function breakerMeasures({ net }: MeasuredParts): Measure[] {
  return [
    gauge(
      "paused_hosts",
      "Hosts that asked for a pause (429, 503) and are not asked just now",
      () => net.load().paused,
    ),
    gauge("resting_proxies", "Proxies that failed and are left alone just now", () => net.load().restingProxies),
  ];
}

function sourceMeasures({ sourceCounts }: SearchPart): Measure[] {
  return (["requests", "failures", "rests"] as const).map((what) => ({
    name: `search_source_${what}_total`,
    help: `${what} of open search sources`,
    kind: "counter",
    labelNames: ["source"],
    read: () => [...sourceCounts()].map(([source, counts]) => ({ labels: { source }, value: counts[what] })),
  }));
}

function blobMeasures({ outside }: Store): Measure[] {
  return [
    {
      name: "blob_place_resting",
      help: "1 while a place outside of the database that failed is left alone",
      kind: "gauge",
      labelNames: ["place"],
      read: () => outside.resting().map(({ place, isResting }) => ({ labels: { place }, value: Number(isResting) })),
    },
    {
      name: "blob_operations_total",
      help: "Blobs written to, read from and removed from where they lie outside of the database, by outcome",
      kind: "counter",
      labelNames: ["place", "operation", "outcome"],
      read: () =>
        outside.counts().map(({ place, operation, outcome, count }) => ({
          labels: { place, operation, outcome },
          value: count,
        })),
    },
  ];
}

function spanMeasure(tracing: MeasuredParts["tracing"]): Measure {
  return {
    name: "trace_spans_total",
    help: "Spans that were sent to the collector, and those that were dropped",
    kind: "counter",
    labelNames: ["outcome"],
    read: () => (tracing?.counts() ?? []).map(({ outcome, count }) => ({ labels: { outcome }, value: count })),
  };
}
