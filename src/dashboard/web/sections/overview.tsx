// What is going on: the figures of a day, a week or a month, what runs now, and whether everything is well.
import { useState } from "react";
import { type AnswerOf, useRead } from "../api/queries.ts";
import { ChartCard, SharesCard } from "../parts/chart.tsx";
import { Badge, Card, count, countOf, duration, SectionHead, Stat } from "../parts/common-parts.tsx";
import { CrawlState, CrawlUrl, pagesOfCrawl } from "../parts/crawl-cells.tsx";
import { Listed } from "../parts/data-table.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { Segments } from "../parts/tabs.tsx";
import { FirstRun } from "./first-run.tsx";

const ranges = ["24h", "7d", "30d"] as const;
type Overview = AnswerOf<"readOverview">;

export function OverviewSection() {
  const [range, setRange] = useState<(typeof ranges)[number]>("24h");
  const overview = useRead<"readOverview">(`/dashboard/api/overview?range=${range}`, { everyMs: 15_000 });
  // Nothing today: whether there has ever been anything.
  const month = useRead<"readOverview">("/dashboard/api/overview?range=30d", {
    isOff: overview.data?.total.requests !== 0,
    everyMs: 15_000,
  });
  const isNew = overview.data?.total.requests === 0 && month.data?.total.requests === 0;
  return (
    <>
      <SectionHead
        title="Overview"
        about={
          isNew
            ? "This server is ready. Nothing has been asked of it yet."
            : "Requests of this team. Status calls are not counted."
        }
      >
        {isNew ? null : <Segments label="Time" values={ranges} chosen={range} onChoose={(next) => setRange(next)} />}
      </SectionHead>
      <div className="stack">
        {isNew ? <FirstRun /> : null}
        {isNew ? null : <Loaded of={overview}>{(data) => <Figures data={data} />}</Loaded>}
        <div className="grid halves">
          <RunningJobs />
          <Health />
        </div>
      </div>
    </>
  );
}

function Figures({ data: { total, steps, endpoints, causes } }: { data: Overview }) {
  const rate = total.requests === 0 ? null : 1 - total.failed / total.requests;
  const read = endpoints
    .map(({ name, pages }) => ({ name, value: pages }))
    .filter(({ value }) => value > 0)
    .sort((one, other) => other.value - one.value);
  const hits = total.pages === 0 ? null : total.cacheHits / total.pages;
  return (
    <>
      <dl className="stats">
        <Stat name="Requests" value={count(total.requests)} />
        <Stat name="Pages" value={count(total.pages)} />
        <Stat name="Credits" value={count(total.credits)} />
        <Stat name="Success rate" value={percent(rate)} />
        <Stat name="Latency p50" value={duration(total.p50Ms)} />
        <Stat name="Latency p95" value={duration(total.p95Ms)} />
        <Stat name="Cache hits" value={percent(hits)} note={total.pages > 0 ? countOf(total.cacheHits, "page") : ""} />
      </dl>
      <div className="grid halves">
        <ChartCard
          heading="Requests"
          names={["succeeded", "failed"]}
          steps={steps.map(({ at, requests, failed }) => ({ at, values: [requests - failed, failed] }))}
          actions={
            <div className="legend">
              <span>succeeded</span>
              <span className="failed">failed</span>
            </div>
          }
        />
        <ChartCard
          heading="Latency"
          kind="lines"
          names={["p50", "p95"]}
          steps={steps.map(({ at, p50Ms, p95Ms }) => ({ at, values: [p50Ms, p95Ms] }))}
          format={duration}
          actions={
            <div className="legend">
              <span>p50</span>
              <span className="second">p95</span>
            </div>
          }
        />
        <ChartCard heading="Pages" names={["pages"]} steps={steps.map(({ at, pages }) => ({ at, values: [pages] }))} />
        <ChartCard
          heading="Credits"
          names={["credits"]}
          steps={steps.map(({ at, credits }) => ({ at, values: [credits] }))}
        />
        <SharesCard
          title="Errors by cause"
          isBad
          list={causes.map(({ name, requests }) => ({ name, value: requests }))}
          empty={<Empty title="No errors">Failed requests are listed here by their code.</Empty>}
        />
        <SharesCard
          title="Pages by endpoint"
          list={read}
          empty={<Empty title="No pages yet">Try something in the playground.</Empty>}
        />
      </div>
    </>
  );
}

function RunningJobs() {
  const crawls = useRead<"listCrawls">("/v2/crawl?status=scraping&limit=20", { everyMs: 3_000 });
  const queue = useRead<"readQueueStatus">("/v2/team/queue-status", { everyMs: 3_000 });
  return (
    <Card
      title="Running now"
      actions={
        queue.data ? (
          <span className="faint">
            {count(queue.data.activeJobsInQueue)} pages in progress, {count(queue.data.waitingJobsInQueue)} waiting
          </span>
        ) : null
      }
    >
      <Listed
        of={crawls}
        rows={({ crawls: list }) => list}
        keyOf={({ id }) => id}
        empty={<Empty title="No crawl is running">Running crawls appear here.</Empty>}
        isBare
        columns={[
          { name: "URL", cell: (crawl) => <CrawlUrl crawl={crawl} /> },
          { name: "Pages", kind: "number", cell: pagesOfCrawl },
          { name: "Status", kind: "actions", cell: (crawl) => <CrawlState crawl={crawl} /> },
        ]}
      />
    </Card>
  );
}

function Health() {
  const health = useRead<"checkServer">("/dashboard/api/health?quick=true", { everyMs: 60_000 });
  return (
    <Card title="Health">
      <Listed
        of={health}
        rows={({ findings }) => findings}
        keyOf={({ subject }) => subject}
        empty={<Empty title="Nothing to check" />}
        isBare
        columns={[
          { name: "Part", cell: ({ subject }) => subject },
          { name: "Finding", kind: "faint", cell: ({ message }) => message },
          { name: "State", kind: "actions", cell: ({ state }) => <Badge state={state} /> },
        ]}
      />
    </Card>
  );
}

function percent(part: number | null): string {
  return part === null ? "–" : `${(part * 100).toLocaleString(undefined, { maximumFractionDigits: 1 })} %`;
}
