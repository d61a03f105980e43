// The team's crawls, and a form for a new one.
import { useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { call } from "../api/call.ts";
import { useChange, useRead } from "../api/queries.ts";
import { Card, count, Field, SectionHead, Time } from "../parts/common-parts.tsx";
import { CrawlState, CrawlUrl, pagesOfCrawl } from "../parts/crawl-cells.tsx";
import { Listed } from "../parts/data-table.tsx";
import { ChangeProblem, Empty } from "../parts/states.tsx";

const path = "/v2/crawl";

export function CrawlsSection() {
  const crawls = useRead<"listCrawls">(`${path}?limit=100`, { everyMs: 3_000 });
  return (
    <>
      <SectionHead title="Crawls" about="Whole sites, page by page. Results stay readable for a day after the end." />
      <div className="stack">
        <NewCrawl />
        <Card title="All crawls">
          <Listed
            of={crawls}
            rows={({ crawls: list }) => list}
            keyOf={({ id }) => id}
            empty={<Empty title="No crawls yet">Start one above.</Empty>}
            columns={[
              { name: "URL", cell: (crawl) => <CrawlUrl crawl={crawl} /> },
              { name: "Status", cell: (crawl) => <CrawlState crawl={crawl} /> },
              { name: "Pages", kind: "number", cell: pagesOfCrawl },
              { name: "Credits", kind: "number", cell: ({ creditsUsed }) => count(creditsUsed) },
              { name: "Started", cell: ({ created_at }) => <Time at={created_at} /> },
            ]}
          />
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
