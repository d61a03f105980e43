// The team's crawls, and a form for a new one.
import { Link, useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { call } from "../api/call.ts";
import { useChange, useRead } from "../api/queries.ts";
import { Badge, Card, count, Field, SectionHead, Time } from "../parts/page.tsx";
import { ChangeProblem, Empty, Loaded } from "../parts/states.tsx";

const path = "/v2/crawl";

export function CrawlsSection() {
  const crawls = useRead<"listCrawls">(`${path}?limit=100`, { everyMs: 3_000 });
  return (
    <>
      <SectionHead title="Crawls" about="Whole sites, page by page. Results stay readable for a day after the end." />
      <div className="stack">
        <NewCrawl />
        <Card title="All crawls">
          <Loaded of={crawls}>
            {({ crawls: list }) =>
              list.length === 0 ? (
                <Empty title="No crawls yet">Start one above.</Empty>
              ) : (
                <div className="table-wrap">
                  <table className="table">
                    <thead>
                      <tr>
                        <th scope="col">URL</th>
                        <th scope="col">Status</th>
                        <th scope="col" className="number">
                          Pages
                        </th>
                        <th scope="col" className="number">
                          Credits
                        </th>
                        <th scope="col">Started</th>
                      </tr>
                    </thead>
                    <tbody>
                      {list.map((crawl) => (
                        <tr key={crawl.id}>
                          <td>
                            <Link to="/crawls/$id" params={{ id: crawl.id }} className="cut">
                              {crawl.url}
                            </Link>
                          </td>
                          <td>
                            <Badge state={crawl.paused ? "paused" : crawl.status} />
                          </td>
                          <td className="number">
                            {count(crawl.completed)} of {count(crawl.total)}
                          </td>
                          <td className="number">{count(crawl.creditsUsed)}</td>
                          <td>
                            <Time at={crawl.created_at} />
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
              )
            }
          </Loaded>
        </Card>
      </div>
    </>
  );
}

function NewCrawl() {
  const navigate = useNavigate();
  const start = useChange<object, "startCrawl">((body) => call("POST", path, body), [path]);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const body = { url: String(data.get("url")), limit: Number(data.get("limit")), origin: "dashboard" };
    start.mutate(body, {
      onSuccess: (started) => {
        if ("id" in started) void navigate({ to: "/crawls/$id", params: { id: started.id } });
      },
    });
  }
  return (
    <Card title="New crawl">
      <form className="card-body stack" onSubmit={submit}>
        <div className="grid halves">
          <Field label="URL">
            {(ids) => (
              <input {...ids} name="url" className="input" type="url" required placeholder="https://example.com" />
            )}
          </Field>
          <Field label="Most pages">
            {(ids) => (
              <input {...ids} name="limit" className="input" type="number" min={1} defaultValue={100} required />
            )}
          </Field>
        </div>
        <ChangeProblem error={start.error} />
        <div>
          <button type="submit" className="button primary" disabled={start.isPending}>
            Start crawl
          </button>
        </div>
      </form>
    </Card>
  );
}
