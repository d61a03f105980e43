// Deliveries of the last day, each of which can be sent again.
import { call } from "../api/call.ts";
import { useChange, useRead } from "../api/queries.ts";
import { Badge, Card, SectionHead, Time } from "../parts/page.tsx";
import { ChangeProblem, Empty, Loaded } from "../parts/states.tsx";

const path = "/v2/team/webhooks";

export function WebhooksSection() {
  const deliveries = useRead<"listDeliveries">(`${path}?limit=100`, { everyMs: 5_000 });
  const settings = useRead<"listSettings">("/dashboard/api/settings");
  const secret = settings.data?.sections
    .flatMap((section) => section.settings)
    .find(({ name }) => name === "WEBHOOK_SECRET");
  const again = useChange<string, "redeliver">((id) => call("POST", `${path}/${id}/redeliver`, {}), [path]);
  return (
    <>
      <SectionHead title="Webhooks" about="Events of jobs and monitors, delivered at least once and in order." />
      <div className="stack">
        {secret ? (
          <p className="notice">
            {secret.isSet
              ? "Deliveries are signed with WEBHOOK_SECRET: compare X-Webhook-Signature."
              : "Deliveries are not signed: set WEBHOOK_SECRET on the server."}
          </p>
        ) : null}
        <ChangeProblem error={again.error} />
        <Card title="Deliveries of the last 24 hours">
          <Loaded of={deliveries}>
            {({ deliveries: list }) =>
              list.length === 0 ? (
                <Empty title="No deliveries">Jobs with a webhook report here.</Empty>
              ) : (
                <div className="table-wrap">
                  <table className="table">
                    <thead>
                      <tr>
                        <th scope="col">Event</th>
                        <th scope="col">URL</th>
                        <th scope="col">Status</th>
                        <th scope="col" className="number">
                          Attempts
                        </th>
                        <th scope="col">At</th>
                        <th scope="col">
                          <span className="visually-hidden">Actions</span>
                        </th>
                      </tr>
                    </thead>
                    <tbody>
                      {list.map((delivery) => (
                        <tr key={delivery.id}>
                          <td>{delivery.event}</td>
                          <td>
                            <span className="cut">{delivery.url}</span>
                            {delivery.lastError ? <span className="cut faint">{delivery.lastError}</span> : null}
                          </td>
                          <td>
                            <Badge state={delivery.status} />
                          </td>
                          <td className="number">{delivery.attempts}</td>
                          <td>
                            <Time at={delivery.at} />
                          </td>
                          <td className="end">
                            <button type="button" className="button small" onClick={() => again.mutate(delivery.id)}>
                              Redeliver
                            </button>
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
              )
            }
          </Loaded>
        </Card>
      </div>
    </>
  );
}
