// The team's crawls, and a form for a new one.
import { useNavigate } from "@tanstack/react-router";
import { call } from "../api/call.ts";
import { useChange, useRead } from "../api/queries.ts";
import { Card, count, SectionHead, Time } from "../parts/common-parts.tsx";
import { CrawlState, CrawlUrl, pagesOfCrawl } from "../parts/crawl-cells.tsx";
import { Listed } from "../parts/data-table.tsx";
import { InputField, SubmitForm } from "../parts/form-parts.tsx";
import { Empty } from "../parts/states.tsx";

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
  const send = (text: (name: string) => string) =>
    start.mutate(
      { url: text("url"), limit: Number(text("limit")), origin: "dashboard" },
      {
        onSuccess: (started) => {
          if ("id" in started) void navigate({ to: "/crawls/$id", params: { id: started.id } });
        },
      },
    );
  return (
    <Card title="New crawl">
      <SubmitForm action="Start crawl" isBusy={start.isPending} error={start.error} onSend={send}>
        <div className="grid halves">
          <InputField label="URL" name="url" type="url" required placeholder="https://example.com" />
          <InputField label="Maximum pages" name="limit" type="number" min={1} defaultValue={100} required />
        </div>
      </SubmitForm>
    </Card>
  );
}
