// Webhook deliveries, of the whole team or of one job; each can be sent again.
import { call } from "../api/call.ts";
import { useChange, useRead } from "../api/queries.ts";
import { Badge, Time } from "./common-parts.tsx";
import { Listed } from "./data-table.tsx";
import { ChangeProblem, Empty } from "./states.tsx";

const path = "/v2/team/webhooks";

export function Deliveries({ jobId }: { jobId?: string }) {
  const asked = new URLSearchParams({ limit: "100", ...(jobId ? { jobId } : {}) });
  const deliveries = useRead<"listDeliveries">(`${path}?${asked}`, { everyMs: 5_000 });
  const again = useChange<string, "redeliver">((id) => call("POST", `${path}/${id}/redeliver`, {}), [path]);
  return (
    <>
      <ChangeProblem error={again.error} />
      <Listed
        of={deliveries}
        rows={({ deliveries: list }) => list}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No deliveries">
            {jobId
              ? "This request named no webhook, or its events are older than a day."
              : "Jobs with a webhook report here."}
          </Empty>
        }
        columns={[
          { name: "Event", cell: ({ event }) => event },
          { name: "Channel", cell: ({ channel }) => channel ?? "webhook" },
          {
            name: "URL",
            cell: ({ url, lastError }) => (
              <>
                <span className="cut">{url}</span>
                {lastError ? <span className="cut faint">{lastError}</span> : null}
              </>
            ),
          },
          { name: "Status", cell: ({ status }) => <Badge state={status} /> },
          { name: "Attempts", kind: "number", cell: ({ attempts }) => attempts },
          { name: "At", cell: ({ at }) => <Time at={at} /> },
          { action: "Redeliver", onClick: ({ id }) => again.mutate(id) },
        ]}
      />
    </>
  );
}
