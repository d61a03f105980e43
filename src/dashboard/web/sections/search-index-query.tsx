// A query of the local index alone, and why each page has its rank.
import { type FormEvent, useState } from "react";
import { type AnswerOf, useRead } from "../api/queries.ts";
import { Card, Time } from "../parts/common-parts.tsx";
import { Table } from "../parts/data-table.tsx";
import { InputField } from "../parts/form-parts.tsx";
import { SafeLink } from "../parts/rendered-markdown.tsx";
import { Empty, Loaded } from "../parts/states.tsx";

type Found = AnswerOf<"searchIndex">["pages"][number];
type Reason = NonNullable<Found["reason"]>;

const path = "/dashboard/api/index/search";

export function TryQuery() {
  const [query, setQuery] = useState("");
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setQuery(String(new FormData(event.currentTarget).get("query")).trim());
  }
  return (
    <Card title="Try a query">
      <form className="card-body" onSubmit={submit}>
        <InputField
          label="Query"
          hint={'Words, "phrases", -without, site:example.com, intitle:word, filetype:pdf. Press Enter.'}
          name="query"
          type="search"
          required
          maxLength={500}
        />
      </form>
      {query === "" ? null : <Results query={query} />}
    </Card>
  );
}

function Results({ query }: { query: string }) {
  const found = useRead<"searchIndex">(`${path}?${new URLSearchParams({ query })}`);
  return (
    <Loaded of={found}>
      {({ pages }) =>
        pages.length === 0 ? (
          <Empty title="No page matches">The index holds the pages that this team has read.</Empty>
        ) : (
          <ol className="found">
            {pages.map((page) => (
              <FoundPage key={page.url} page={page} />
            ))}
          </ol>
        )
      }
    </Loaded>
  );
}

function FoundPage({ page: { url, title, description, date, reason } }: { page: Found }) {
  return (
    <li>
      <p>
        <SafeLink href={url}>{title || url}</SafeLink>
      </p>
      <p className="faint cut">
        {url} · <Time at={date} />
      </p>
      <p>{description}</p>
      {reason ? (
        <details>
          <summary>Why here: {percent(reason.total)} of the best score</summary>
          <Why reason={reason} />
        </details>
      ) : (
        <p className="faint">Not ranked by its text. Such pages come last, in the order of the index.</p>
      )}
    </li>
  );
}

function Why({ reason }: { reason: Reason }) {
  const { words, closeness, hasAllWords, title, authority, linkHosts, likeness } = reason;
  const facts = [
    hasAllWords ? "It contains all words of the query." : "It does not contain all words of the query.",
    closeness > 0 ? `Words that are close together add ${figure(closeness)}.` : null,
    title > 1 ? `Words of the query in its title multiply its score by ${figure(title)}.` : null,
    linkHosts > 0 ? `Links from ${linkHosts} other hosts multiply its score by ${figure(authority)}.` : null,
    likeness > 0 ? `Likeness to the first few pages adds ${percent(likeness)}.` : null,
    "At most two pages of a host rank before pages of other hosts.",
  ];
  return (
    <div className="stack">
      <Table
        rows={words}
        keyOf={({ word }) => word}
        columns={[
          { name: "Word", kind: "mono", cell: ({ word }) => word },
          { name: "Found in", cell: ({ fields }) => placesOf(fields) },
          { name: "Score", kind: "number", cell: ({ score }) => figure(score) },
        ]}
      />
      <p className="faint">{facts.filter(Boolean).join(" ")}</p>
    </div>
  );
}

function placesOf(fields: Record<string, number>): string {
  const places = Object.entries(fields).map(([name, times]) => `${name} ${times} ×`);
  return places.join(", ") || "nowhere";
}

function figure(value: number): string {
  return value.toLocaleString(undefined, { maximumFractionDigits: 2 });
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}
