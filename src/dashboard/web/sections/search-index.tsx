// The local index: its size and hosts, a query and why its pages rank, a site to add, hosts to remove.
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../api/call.ts";
import { useChange, useRead } from "../api/queries.ts";
import { Card, count, countOf, SectionHead, Stat } from "../parts/common-parts.tsx";
import { Table } from "../parts/data-table.tsx";
import { ActionButton, InputField, SubmitForm } from "../parts/form-parts.tsx";
import { ChangeProblem, Empty, Loaded } from "../parts/states.tsx";
import { TryQuery } from "./search-index-query.tsx";

const path = "/dashboard/api/index";

export function SearchIndexSection() {
  const index = useRead<"readIndex">(path);
  return (
    <>
      <SectionHead
        title="Search index"
        about="Every page this team has read, searchable without asking another service."
      />
      <div className="stack">
        <Loaded of={index}>
          {({ isOn, pages, bytes, hosts }) => (
            <dl className="stats">
              <Stat name="Pages" value={isOn ? count(pages) : "off"} />
              <Stat name="Hosts" value={count(hosts.length)} />
              <Stat name="Text" value={sizeOf(bytes)} />
            </dl>
          )}
        </Loaded>
        <TryQuery />
        <div className="grid halves">
          <AddSite />
          <Card title="Hosts">
            <Loaded of={index}>{({ hosts }) => <IndexedHosts hosts={hosts} />}</Loaded>
          </Card>
        </div>
      </div>
    </>
  );
}

function AddSite() {
  const add = useChange<object, "startCrawl">((body) => call("POST", "/v2/crawl", body), ["/v2/crawl"]);
  return (
    <Card title="Add a site">
      <SubmitForm
        action="Add site"
        isPrimary={false}
        isBusy={add.isPending}
        error={add.error}
        onSend={(text) => add.mutate({ url: text("url"), limit: Number(text("limit")), origin: "dashboard" })}
      >
        <InputField
          label="Site"
          hint="The site is crawled, and each page that is read is indexed."
          name="url"
          type="url"
          required
          placeholder="https://example.com"
        />
        <InputField label="Maximum pages" name="limit" type="number" min={1} defaultValue={200} required />
        {add.data && "id" in add.data ? (
          <p className="notice good">
            <Link to="/crawls/$id" params={{ id: add.data.id }}>
              Watch the crawl
            </Link>
          </p>
        ) : null}
      </SubmitForm>
    </Card>
  );
}

function IndexedHosts({ hosts }: { hosts: readonly { host: string; pages: number }[] }) {
  const [last, setLast] = useState<string | null>(null);
  const remove = useChange<string, "removeFromIndex">(
    (place) => call("DELETE", `${path}?${new URLSearchParams({ place })}`),
    [path],
  );
  return (
    <>
      {remove.data && last ? (
        <p className="notice">
          Removed {countOf(remove.data.removed, "page")} of {last}.
        </p>
      ) : null}
      <ChangeProblem error={remove.error} />
      {hosts.length === 0 ? (
        <Empty title="The index is empty">Scrape or crawl something first.</Empty>
      ) : (
        <Table
          rows={hosts}
          keyOf={({ host }) => host}
          isBare
          columns={[
            { name: "Host", cell: ({ host }) => <span className="cut">{host}</span> },
            { name: "Pages", kind: "number", cell: ({ pages }) => countOf(pages, "page") },
            {
              name: "Actions",
              kind: "actions",
              cell: ({ host }) => (
                <ActionButton
                  kind="small danger"
                  aria-label={`Remove ${host}`}
                  onClick={() => {
                    setLast(host);
                    remove.mutate(host);
                  }}
                >
                  Remove
                </ActionButton>
              ),
            },
          ]}
        />
      )}
    </>
  );
}

function sizeOf(bytes: number): string {
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1000, "KB"] : [bytes / 1_000_000, "MB"];
  return `${size.toLocaleString(undefined, { maximumFractionDigits: 1 })} ${unit}`;
}
