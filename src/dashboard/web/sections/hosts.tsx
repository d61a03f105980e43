// Hosts that were asked of late: their pace, how they are reached, what came back.
import { useRead } from "../api/queries.ts";
import { Badge, Card, count, SectionHead, Time } from "../parts/common-parts.tsx";
import { Listed } from "../parts/data-table.tsx";
import { Empty } from "../parts/states.tsx";

export function HostsSection() {
  const hosts = useRead<"listHosts">("/v2/team/hosts", { everyMs: 5_000 });
  return (
    <>
      <SectionHead
        title="Hosts"
        about="How each host is treated: the delay between requests, the attempt that reaches it, and the last verdicts."
      />
      <Card>
        <Listed
          of={hosts}
          rows={({ hosts: list }) => list}
          keyOf={({ host }) => host}
          empty={<Empty title="No hosts yet">Hosts appear once their pages have been read.</Empty>}
          columns={[
            { name: "Host", cell: ({ host }) => <span className="cut">{host}</span> },
            { name: "Delay", kind: "number", cell: ({ delayMs }) => `${count(Math.round(delayMs))} ms` },
            { name: "In progress", kind: "number", cell: ({ inFlight }) => count(inFlight) },
            { name: "robots.txt", kind: "faint", cell: ({ robots }) => robots ?? "not read" },
            {
              name: "Attempt",
              kind: "faint",
              cell: ({ rung: attempt }) => (attempt ? `${attempt.engine}, ${attempt.proxy}` : "plain"),
            },
            { name: "Last verdicts", cell: ({ verdicts }) => <Verdicts list={verdicts ?? []} /> },
            { name: "Last 429", cell: ({ last429At }) => <Time at={last429At} /> },
          ]}
        />
      </Card>
    </>
  );
}

function Verdicts({ list }: { list: readonly string[] }) {
  return (
    <div className="row">
      {list.map((verdict, index) => (
        <Badge key={index} state={verdict === "content" ? "ok" : "plain"}>
          {verdict}
        </Badge>
      ))}
    </div>
  );
}
