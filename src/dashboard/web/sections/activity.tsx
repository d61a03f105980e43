// The requests of the last 24 hours, and the page of each.
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type CallError, call } from "../api/call.ts";
import type { AnswerOf } from "../api/queries.ts";
import { Card, SectionHead, Time } from "../parts/common-parts.tsx";
import { ActionButton, Choice, SearchBox } from "../parts/form-parts.tsx";
import { LongTable } from "../parts/long-table.tsx";
import { Empty, Failure, Loading } from "../parts/states.tsx";

const endpoints = ["scrape", "crawl", "batch_scrape", "search", "extract", "map", "agent", "browser", "interact"];
type Activity = AnswerOf<"listActivity">;

export function ActivitySection() {
  const [endpoint, setEndpoint] = useState("");
  const [text, setText] = useState("");
  const list = useInfiniteQuery<Activity, CallError, Activity[], string[], string | null>({
    queryKey: ["/v2/team/activity", endpoint],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ limit: "100" });
      if (endpoint) query.set("endpoint", endpoint);
      if (pageParam) query.set("cursor", pageParam);
      return call<Activity>("GET", `/v2/team/activity?${query}`, undefined, signal);
    },
    initialPageParam: null,
    getNextPageParam: ({ cursor }) => cursor,
    select: ({ pages }) => pages,
    // Reading many pages again and again would use up the team's own requests.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : 10_000),
  });
  const rows = (list.data ?? [])
    .flatMap(({ data }) => data)
    .filter(({ target }) => target.toLowerCase().includes(text.toLowerCase()));

  return (
    <>
      <SectionHead title="Activity" about="Requests of the last 24 hours, newest first." />
      <Card
        actions={
          <div className="row">
            <SearchBox label="Filter by target" text={text} onType={setText} />
            <Choice label="Endpoint" values={endpoints} chosen={endpoint} onChoose={setEndpoint} all="All endpoints" />
          </div>
        }
        title="Requests"
      >
        {list.error ? <Failure error={list.error} retry={() => void list.refetch()} /> : null}
        {list.isPending ? <Loading /> : null}
        {list.data && rows.length === 0 ? (
          <Empty title="No requests">Requests appear here as they are made. Try one in the playground.</Empty>
        ) : null}
        {rows.length > 0 ? (
          <LongTable
            label="Requests"
            rows={rows}
            keyOf={(row) => `${row.id} ${row.created_at}`}
            columns={[
              { name: "Endpoint", width: "minmax(80px, 110px)", isFaint: true, cell: ({ endpoint: name }) => name },
              {
                name: "Target",
                width: "minmax(0, 1fr)",
                cell: (row) => (
                  <Link to="/activity/$endpoint/$id" params={{ endpoint: row.endpoint, id: row.id }}>
                    {row.target || row.id}
                  </Link>
                ),
              },
              { name: "At", width: "minmax(96px, 160px)", isFaint: true, cell: (row) => <Time at={row.created_at} /> },
            ]}
          />
        ) : null}
        {list.hasNextPage ? (
          <div className="card-body">
            <ActionButton disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              Load older requests
            </ActionButton>
          </div>
        ) : null}
      </Card>
    </>
  );
}
