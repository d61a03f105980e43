// What a new server shows: three things to try, and what it can do beyond them once it is set up.
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { call } from "../api/call.ts";
import { useChange, useRead } from "../api/queries.ts";
import { Card } from "../parts/common-parts.tsx";
import { InputField, SubmitForm } from "../parts/form-parts.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { type PlayRequest, playState } from "./playground-request.ts";

const exampleUrl = "https://example.com";

export function FirstRun() {
  return (
    <>
      <div className="grid thirds">
        <TryScrape />
        <TryCrawl />
        <TrySearch />
      </div>
      <SetUp />
    </>
  );
}

/** Opens the playground, which sends it. */
function useRun() {
  const navigate = useNavigate();
  return (request: PlayRequest) =>
    void navigate({ to: "/playground", state: playState({ ...request, isRun: true }) as never });
}

function TryScrape() {
  const run = useRun();
  const send = (text: (name: string) => string) =>
    run({ operation: "scrape", body: { url: text("url"), formats: ["markdown", "links"] } });
  return (
    <Try title="Scrape a page" about="Its text as markdown, and its links.">
      <SubmitForm action="Scrape this" className="" isBusy={false} error={null} onSend={send}>
        <InputField label="Page" name="url" type="url" required defaultValue={exampleUrl} />
      </SubmitForm>
    </Try>
  );
}

function TryCrawl() {
  const navigate = useNavigate();
  const start = useChange<string, "startCrawl">(
    (url) => call("POST", "/v2/crawl", { url, limit: 25, origin: "dashboard" }),
    ["/v2/crawl", "/dashboard/api/overview"],
  );
  const send = (text: (name: string) => string) =>
    start.mutate(text("url"), {
      onSuccess: (started) => {
        if ("id" in started) void navigate({ to: "/crawls/$id", params: { id: started.id } });
      },
    });
  return (
    <Try title="Crawl a site" about="Up to 25 of its pages, as they come in.">
      <SubmitForm action="Crawl that" className="" isBusy={start.isPending} error={start.error} onSend={send}>
        <InputField label="Site" name="url" type="url" required defaultValue={exampleUrl} />
      </SubmitForm>
    </Try>
  );
}

function TrySearch() {
  const run = useRun();
  const send = (text: (name: string) => string) =>
    run({ operation: "search", body: { query: text("query"), limit: 5 } });
  return (
    <Try title="Search" about="Pages that this server has read, and the search sources of its settings.">
      <SubmitForm action="Search" className="" isBusy={false} error={null} onSend={send}>
        <InputField label="Words" name="query" type="search" required defaultValue="web scraping" />
      </SubmitForm>
    </Try>
  );
}

function Try({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  return (
    <Card title={title}>
      <div className="card-body stack">
        <p className="faint">{about}</p>
        {children}
      </div>
    </Card>
  );
}

/** What the server does without, and what that costs. */
function SetUp() {
  const health = useRead<"checkServer">("/dashboard/api/health?quick=true");
  return (
    <Card title="Not set up yet">
      <Loaded of={health}>
        {({ findings }) => {
          const absent = findings.filter(({ state }) => state !== "ok");
          if (absent.length === 0) return <Empty title="Everything is set up" />;
          return (
            <ul className="found">
              {absent.map(({ subject, message, fix }) => (
                <li key={subject}>
                  <strong>{subject}</strong>
                  <span>{message}</span>
                  {fix ? <span className="faint">{fix}</span> : null}
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Card>
  );
}
