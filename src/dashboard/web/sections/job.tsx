// One request of the activity list: what was asked, what came of it, its steps and its errors.
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { type AnswerOf, useRead } from "../api/queries.ts";
import { AgentResult, isAgentAnswer } from "../parts/agent-result.tsx";
import { Badge, Card, count, duration, SectionHead, Stat, Time } from "../parts/common-parts.tsx";
import { Deliveries } from "../parts/deliveries.tsx";
import { RequestError } from "../parts/request-error.tsx";
import { DocumentTabs, JsonText, Timeline } from "../parts/result.tsx";
import { Empty, Failure, Loaded, Loading } from "../parts/states.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { SendAgain } from "./sent-request.tsx";

type Request = AnswerOf<"readRequest">;

/** Where the result of a request can be read. */
const paths: Readonly<Record<string, string>> = {
  scrape: "/v2/scrape/",
  crawl: "/v2/crawl/",
  batch_scrape: "/v2/batch/scrape/",
  extract: "/v2/extract/",
  agent: "/v2/agent/",
  search: "/v2/search/",
  deep_research: "/v1/deep-research/",
  llmstxt: "/v1/llmstxt/",
};

export function JobSection() {
  const { endpoint, id } = useParams({ strict: false }) as { endpoint: string; id: string };
  const request = useRead<"readRequest">(`/dashboard/api/requests/${id}?endpoint=${endpoint}`, { everyMs: 3_000 });
  const { data } = request;
  return (
    <>
      <SectionHead title={`Activity: ${endpoint}`} about={<span className="wrap">{data?.target || id}</span>}>
        {data?.sent ? <SendAgain sent={data.sent} /> : null}
      </SectionHead>
      <div className="stack">
        {data ? <Facts request={data} /> : null}
        <Card>
          <Parts endpoint={endpoint} id={id} request={data} hasRequest={!request.isPending} />
        </Card>
        {data?.sent && !data.sent.isWhole ? (
          <p className="hint">
            Secrets and files are not kept with a request. Add them in the playground to send this one again.
          </p>
        ) : null}
      </div>
    </>
  );
}

function Facts({
  request: { status, durationMs, creditsUsed, cacheState, key, apiVersion, at },
}: {
  request: Request;
}) {
  return (
    <dl className="stats small">
      <div className="stat">
        <dt>Status</dt>
        <dd>
          <Badge state={status} />
        </dd>
      </div>
      <Stat name="Duration" value={duration(durationMs)} />
      <Stat name="Credits" value={count(creditsUsed)} />
      <Stat name="Cache" value={cacheState ?? "–"} />
      <Stat name="Key" value={key ?? "none"} />
      <Stat name="API" value={apiVersion} />
      <Stat name="Started" value={<Time at={at} />} />
    </dl>
  );
}

interface PartsProps {
  endpoint: string;
  id: string;
  request: Request | undefined;
  hasRequest: boolean;
}

function Parts({ endpoint, id, request, hasRequest }: PartsProps) {
  const [tab, setTab] = useState("Result");
  const trace = useRead<"readTrace">(`/v2/jobs/${id}/trace`);
  const isJob = endpoint === "crawl" || endpoint === "batch_scrape";
  const errors = useRead<"listCrawlErrors">(`${paths[endpoint]}${id}/errors`, { isOff: !isJob });
  return (
    <Tabs
      label="Parts of the request"
      chosen={tab}
      onChoose={setTab}
      tabs={[
        {
          name: "Result",
          panel: hasRequest ? <Result endpoint={endpoint} id={id} request={request} /> : <Loading />,
        },
        { name: "Request", panel: request ? <Sent request={request} /> : <Empty title="The request is not kept" /> },
        {
          name: "Trace",
          panel: trace.error ? (
            <Empty title="No trace">Requests that failed have one, and those that were sent with trace: true.</Empty>
          ) : trace.data ? (
            <Timeline steps={trace.data.trace} />
          ) : (
            <Loading />
          ),
        },
        ...(isJob
          ? [
              {
                name: "Errors",
                panel: errors.error ? (
                  <Failure error={errors.error} />
                ) : (
                  <Loaded of={errors}>
                    {({ errors: list, robotsBlocked }) =>
                      list.length + robotsBlocked.length === 0 ? (
                        <Empty title="No errors" />
                      ) : (
                        <JsonText value={{ errors: list, robotsBlocked }} />
                      )
                    }
                  </Loaded>
                ),
              },
              { name: "Webhooks", panel: <Deliveries jobId={id} /> },
            ]
          : []),
      ]}
    />
  );
}

/** A failure is a result, too. */
function Result({ endpoint, id, request }: Omit<PartsProps, "hasRequest">) {
  const path = paths[endpoint];
  const failed = request?.error ?? null;
  const isSingle = endpoint === "scrape" || endpoint === "search";
  const isRunning = request?.status === "running";
  // The shape depends on the endpoint; what is common to all of them is shown here.
  const result = useRead<"readScrape">(`${path}${id}`, {
    isOff: path === undefined || (failed !== null && isSingle),
    ...(isRunning ? { everyMs: 3_000 } : {}),
  });
  if (failed && (isSingle || path === undefined)) return <RequestError error={failed} />;
  if (path === undefined) {
    return <Empty title="No result is kept">What such requests answer is not stored. Run it again to see it.</Empty>;
  }
  if (result.error && result.error.code !== "UNREACHABLE") return <RequestError error={result.error} />;
  return (
    <div className="stack">
      {failed ? <RequestError error={failed} /> : null}
      <Loaded of={result}>{(data) => <ResultOf endpoint={endpoint} id={id} data={data} />}</Loaded>
    </div>
  );
}

function ResultOf({ endpoint, id, data }: { endpoint: string; id: string; data: unknown }) {
  const answer = data as Record<string, unknown>;
  const document = answer.data;
  const isObject = typeof document === "object" && document !== null;
  if (endpoint === "scrape" && isObject) return <DocumentTabs document={document as Record<string, unknown>} />;
  if (endpoint === "search" && isObject) return <DocumentTabs document={{ ...answer, ...document }} />;
  if (isAgentAnswer(endpoint)) return <AgentResult answer={answer} agentId={endpoint === "agent" ? id : undefined} />;
  return <JsonText value={data} />;
}

function Sent({ request: { target, sent, options } }: { request: Request }) {
  return (
    <div className="stack">
      <dl className="facts">
        <dt>Target</dt>
        <dd>{target || "not kept"}</dd>
        {sent ? (
          <>
            <dt>Request</dt>
            <dd className="mono">
              {sent.method} {sent.path}
            </dd>
          </>
        ) : null}
      </dl>
      {sent?.body ? <JsonText value={sent.body} /> : null}
      {options ? (
        <details>
          <summary>Options of the job, with their defaults</summary>
          <div className="stack">
            <JsonText value={options} />
          </div>
        </details>
      ) : null}
    </div>
  );
}
