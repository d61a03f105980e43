// The requests of the last 24 hours, live, and the page of each.
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { type CallError, call } from "../api/call.ts";
import { type AnswerOf, useRead } from "../api/queries.ts";
import { Badge, Card, count, duration, SectionHead, Time } from "../parts/common-parts.tsx";
import { ActionButton, Choice, SearchBox } from "../parts/form-parts.tsx";
import { LongTable } from "../parts/long-table.tsx";
import { Empty, Failure, Loading } from "../parts/states.tsx";

type Activity = AnswerOf<"listActivity">;
type Row = Activity["data"][number];

const endpoints = [
  "scrape",
  "crawl",
  "batch_scrape",
  "search",
  "extract",
  "map",
  "agent",
  "browser",
  "interact",
  "deep_research",
  "llmstxt",
] as const;
const states = ["running", "succeeded", "failed"] as const;
/** Of requests without a key. */
const keyless = "dashboard";

export function ActivitySection() {
  const [endpoint, setEndpoint] = useState("");
  const [status, setStatus] = useState("");
  const [apiKey, setApiKey] = useState("");
  const [text, setText] = useState("");
  const [isLive, setLive] = useState(true);
  const keys = useRead<"listApiKeys">("/dashboard/api/keys");
  const names = [...new Set([...(keys.data?.keys ?? []).map(({ name }) => name), keyless])];
  const chosen = Object.entries({ endpoint, status, apiKey }).filter(([, value]) => value !== "");
  const query = new URLSearchParams([["limit", "100"], ...chosen]).toString();
  return (
    <>
      <SectionHead title="Activity" about="Requests of the last 24 hours, newest first.">
        <ActionButton aria-pressed={isLive} kind={isLive ? "live" : undefined} onClick={() => setLive(!isLive)}>
          Live
        </ActionButton>
      </SectionHead>
      <Card>
        <search className="filters">
          <SearchBox label="Filter by target" text={text} onType={setText} />
          <Choice
            label="Endpoint"
            values={endpoints}
            chosen={endpoint as ""}
            onChoose={setEndpoint}
            all="All endpoints"
          />
          <Choice label="Status" values={states} chosen={status as ""} onChoose={setStatus} all="Any status" />
          <Choice label="Key" values={names} chosen={apiKey} onChoose={setApiKey} all="All keys" />
        </search>
        <Requests key={query} query={query} text={text} isLive={isLive} />
      </Card>
    </>
  );
}

const liveMs = 2_000;

/** `text` is looked for in what was loaded. */
function Requests({ query, text, isLive }: { query: string; text: string; isLive: boolean }) {
  const path = `/v2/team/activity?${query}`;
  const newest = useRead<"listActivity">(path, isLive ? { everyMs: liveMs } : {});
  const { rows, cursor, add } = useRows(newest.data);
  const older = useMutation<Activity, CallError, string>({
    mutationFn: (from) => call("GET", `${path}&cursor=${encodeURIComponent(from)}`),
    onSuccess: add,
  });
  const wanted = text.toLowerCase();
  const shown = rows.filter(({ target }) => target.toLowerCase().includes(wanted));
  if (newest.isPending) return <Loading />;
  if (newest.error && rows.length === 0) return <Failure error={newest.error} retry={() => void newest.refetch()} />;
  if (shown.length === 0) {
    return (
      <Empty title="No requests">
        {query.includes("&") || wanted ? "No request matches the filters." : "Requests appear here as they are made. "}
        {query.includes("&") || wanted ? null : <Link to="/playground">Try one in the playground</Link>}
      </Empty>
    );
  }
  return (
    <>
      <LongTable
        label="Requests"
        rows={shown}
        keyOf={keyOf}
        columns={[
          { name: "Status", width: "98px", cell: (row) => <Badge state={row.status} /> },
          { name: "Endpoint", width: "104px", isFaint: true, isWide: true, cell: (row) => row.endpoint },
          { name: "Target", width: "minmax(0, 1fr)", cell: (row) => <Target row={row} /> },
          { name: "Cache", width: "52px", isFaint: true, isWide: true, cell: ({ cacheState = "–" }) => cacheState },
          { name: "Credits", width: "60px", isNumber: true, isWide: true, cell: (row) => count(row.creditsUsed) },
          { name: "Duration", width: "68px", isNumber: true, cell: (row) => duration(row.durationMs) },
          {
            name: "Key",
            width: "minmax(0, 110px)",
            isFaint: true,
            isWide: true,
            cell: ({ apiKey = keyless }) => apiKey,
          },
          {
            name: "At",
            width: "92px",
            isFaint: true,
            isWide: true,
            cell: (row) => <Time at={row.created_at} isShort />,
          },
        ]}
      />
      {cursor === null ? null : (
        <div className="card-body">
          <ActionButton disabled={older.isPending} onClick={() => older.mutate(cursor)}>
            Load older requests
          </ActionButton>
        </div>
      )}
    </>
  );
}

function Target({ row: { endpoint, id, target, error } }: { row: Row }) {
  return (
    <>
      <Link to="/activity/$endpoint/$id" params={{ endpoint, id }}>
        {target || id}
      </Link>
      {error?.code ? <span className="faint"> {error.code}</span> : null}
    </>
  );
}

/** One request may be listed several times under the id of its job. */
const keyOf = ({ id, created_at, endpoint }: Row) => `${created_at} ${id} ${endpoint}`;

interface Loaded {
  rows: readonly Row[];
  /** Of the rows after these; null after the last one. */
  cursor: string | null;
}

/** What was loaded, with the newest as it is now. */
function useRows(newest: Activity | undefined) {
  const [loaded, setLoaded] = useState<Loaded>({ rows: [], cursor: null });
  useEffect(() => {
    if (!newest) return;
    setLoaded((before) => {
      const known = new Map(before.rows.map((row) => [keyOf(row), row]));
      // More have come since than one page holds: what lies between is not known.
      const hasGap = before.rows.length > 0 && newest.has_more && !newest.data.some((row) => known.has(keyOf(row)));
      if (before.rows.length === 0 || hasGap) return { rows: newest.data, cursor: newest.cursor };
      for (const row of newest.data) known.set(keyOf(row), row);
      return { ...before, rows: sorted(known.values()) };
    });
  }, [newest]);
  const add = ({ data, cursor }: Activity) =>
    setLoaded(({ rows }) => ({
      rows: sorted(new Map([...data, ...rows].map((row) => [keyOf(row), row])).values()),
      cursor,
    }));
  return { ...loaded, add };
}

function sorted(rows: Iterable<Row>): Row[] {
  return [...rows].sort((one, other) => (one.created_at < other.created_at ? 1 : -1));
}
