// The local index: its size and hosts, a query and why its pages rank, a site to add, hosts to remove.
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { call } from "../api/call.ts";
import { useChange, useRead } from "../api/queries.ts";
import { SafeLink } from "../parts/markdown.tsx";
import { Card, count, Field, SectionHead } from "../parts/page.tsx";
import { ChangeProblem, Empty, Loaded } from "../parts/states.tsx";

const path = "/dashboard/api/index";

interface Found {
  url?: string;
  title?: string;
  description?: string;
  [name: string]: unknown;
}

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
              <div className="stat">
                <dt>Pages</dt>
                <dd>{isOn ? count(pages) : "off"}</dd>
              </div>
              <div className="stat">
                <dt>Hosts</dt>
                <dd>{count(hosts.length)}</dd>
              </div>
              <div className="stat">
                <dt>Text</dt>
                <dd>{(bytes / 1_000_000).toLocaleString(undefined, { maximumFractionDigits: 1 })} MB</dd>
              </div>
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

function TryQuery() {
  const search = useChange<string, "search">(
    (query) => call("POST", "/v2/search", { query, limit: 20, trace: true, origin: "dashboard" }),
    [],
  );
  const results = ((search.data as { data?: { web?: Found[] } } | undefined)?.data?.web ?? []) as Found[];
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    search.mutate(String(new FormData(event.currentTarget).get("query")));
  }
  return (
    <Card title="Try a query">
      <form className="card-body stack" onSubmit={submit}>
        <Field label="Query" hint={'Words, "phrases", -without, site:example.com, intitle:word, filetype:pdf'}>
          {(ids) => <input {...ids} name="query" className="input" type="search" required />}
        </Field>
        <ChangeProblem error={search.error} />
        {search.data && results.length === 0 ? <Empty title="No page fits" /> : null}
        <ol className="stack">
          {results.map((found, place) => (
            <li key={`${found.url} ${place}`}>
              <p>
                <SafeLink href={found.url ?? ""}>{found.title || found.url}</SafeLink>
              </p>
              <p className="faint">{found.description}</p>
              <p className="faint">
                Place {place + 1}
                {Object.entries(found)
                  .filter(([name, value]) => typeof value === "number" && name !== "position")
                  .map(([name, value]) => ` · ${name} ${value}`)}
              </p>
            </li>
          ))}
        </ol>
      </form>
    </Card>
  );
}

function AddSite() {
  const add = useChange<object, "startCrawl">((body) => call("POST", "/v2/crawl", body), ["/v2/crawl"]);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    add.mutate({ url: String(data.get("url")), limit: Number(data.get("limit")), origin: "dashboard" });
  }
  return (
    <Card title="Add a site">
      <form className="card-body stack" onSubmit={submit}>
        <Field label="Site" hint="It is crawled, and every page that is read goes into the index.">
          {(ids) => (
            <input {...ids} name="url" className="input" type="url" required placeholder="https://example.com" />
          )}
        </Field>
        <Field label="Most pages">
          {(ids) => <input {...ids} name="limit" className="input" type="number" min={1} defaultValue={200} required />}
        </Field>
        <ChangeProblem error={add.error} />
        {add.data && "id" in add.data ? (
          <p className="notice good">
            <Link to="/crawls/$id" params={{ id: add.data.id }}>
              Watch the crawl
            </Link>
          </p>
        ) : null}
        <div>
          <button type="submit" className="button" disabled={add.isPending}>
            Add site
          </button>
        </div>
      </form>
    </Card>
  );
}

function IndexedHosts({ hosts }: { hosts: readonly { host: string; pages: number }[] }) {
  const [last, setLast] = useState<string | null>(null);
  const remove = useChange<string, "removeFromIndex">(
    (place) => call("DELETE", `${path}?${new URLSearchParams({ place })}`),
    [path],
  );
  if (hosts.length === 0) return <Empty title="The index is empty">Scrape or crawl something first.</Empty>;
  return (
    <>
      {remove.data && last ? (
        <p className="notice">
          Removed {count(remove.data.removed)} pages of {last}.
        </p>
      ) : null}
      <ChangeProblem error={remove.error} />
      <table className="table">
        <tbody>
          {hosts.map(({ host, pages }) => (
            <tr key={host}>
              <td>
                <span className="cut">{host}</span>
              </td>
              <td className="number">{count(pages)}</td>
              <td className="end">
                <button
                  type="button"
                  className="button small danger"
                  aria-label={`Remove ${host}`}
                  onClick={() => {
                    setLast(host);
                    remove.mutate(host);
                  }}
                >
                  Remove
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
