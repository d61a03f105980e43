// One request of the activity list: what was asked, what came of it, its steps and its errors.
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { type AnswerOf, useRead } from "../api/queries.ts";
import { Badge, Card, SectionHead, Time } from "../parts/common-parts.tsx";
import { Deliveries } from "../parts/deliveries.tsx";
import { DocumentTabs, JsonText, Timeline } from "../parts/result.tsx";
import { Empty, Failure, Loaded, Loading } from "../parts/states.tsx";
import { Tabs } from "../parts/tabs.tsx";

/** Where the result of a request can be read. */
const paths: Readonly<Record<string, string>> = {
  scrape: "/v2/scrape/",
  crawl: "/v2/crawl/",
  batch_scrape: "/v2/batch/scrape/",
  extract: "/v2/extract/",
  agent: "/v2/agent/",
  search: "/v2/search/",
};

interface Result {
  status?: string;
  createdAt?: string;
  error?: string;
  data?: unknown;
}

export function JobSection() {
  const { endpoint, id } = useParams({ strict: false }) as { endpoint: string; id: string };
  const [tab, setTab] = useState("Result");
  const path = paths[endpoint];
  // The shape depends on the endpoint; what is common to all of them is shown here.
  const result = useRead<"readScrape">(`${path}${id}`, { isOff: path === undefined });
  const request = useRead<"readRequest">(`/dashboard/api/requests/${id}`);
  const trace = useRead<"readTrace">(`/v2/jobs/${id}/trace`);
  const isJob = endpoint === "crawl" || endpoint === "batch_scrape";
  const errors = useRead<"listCrawlErrors">(`${path}${id}/errors`, { isOff: !isJob });
  const shown = result.data as Result | undefined;

  return (
    <>
      <SectionHead title={`Activity: ${endpoint}`} about={<span className="mono">{id}</span>}>
        {shown?.status ? <Badge state={shown.status} /> : null}
      </SectionHead>
      <div className="stack">
        {shown?.createdAt ? (
          <p className="faint">
            Started <Time at={shown.createdAt} />
          </p>
        ) : null}
        <Card>
          <Tabs
            label="Parts of the request"
            chosen={tab}
            onChoose={setTab}
            tabs={[
              {
                name: "Result",
                panel:
                  path === undefined ? (
                    <Empty title="No result is kept">Results of such requests are not stored.</Empty>
                  ) : (
                    <Loaded of={result}>{(data) => <ResultOf endpoint={endpoint} data={data} />}</Loaded>
                  ),
              },
              {
                name: "Request",
                panel: <Loaded of={request}>{(data) => <RequestOf request={data} />}</Loaded>,
              },
              {
                name: "Trace",
                panel: trace.error ? (
                  <Empty title="No trace">Only requests that were sent with trace: true have one.</Empty>
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
        </Card>
      </div>
    </>
  );
}

function ResultOf({ endpoint, data }: { endpoint: string; data: unknown }) {
  const document = (data as { data?: unknown }).data;
  if (endpoint === "scrape" && typeof document === "object" && document !== null) {
    return <DocumentTabs document={document as Record<string, unknown>} />;
  }
  return <JsonText value={data} />;
}

function RequestOf({ request: { target, apiVersion, key, at, options } }: { request: AnswerOf<"readRequest"> }) {
  return (
    <div className="stack">
      <dl className="facts">
        <dt>Target</dt>
        <dd>{target}</dd>
        <dt>Key</dt>
        <dd>{key ?? "none (dashboard or open mode)"}</dd>
        <dt>API</dt>
        <dd>{apiVersion}</dd>
        <dt>At</dt>
        <dd>
          <Time at={at} />
        </dd>
      </dl>
      {options ? <JsonText value={options} /> : null}
    </div>
  );
}
