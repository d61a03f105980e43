// Hosts that were asked of late: their pace, how they are reached, what came back.
import { useRead } from "../api/queries.ts";
import { Badge, Card, count, SectionHead, Time } from "../parts/page.tsx";
import { Empty, Loaded } from "../parts/states.tsx";

export function HostsSection() {
  const hosts = useRead<"listHosts">("/v2/team/hosts", { everyMs: 5_000 });
  return (
    <>
      <SectionHead
        title="Hosts"
        about="How each host is treated: the delay between requests, the rung of the ladder that reaches it, and the last verdicts."
      />
      <Card>
        <Loaded of={hosts}>
          {({ hosts: list }) =>
            list.length === 0 ? (
              <Empty title="No hosts yet">Hosts appear once pages of them were read.</Empty>
            ) : (
              <div className="table-wrap">
                <table className="table">
                  <thead>
                    <tr>
                      <th scope="col">Host</th>
                      <th scope="col" className="number">
                        Delay
                      </th>
                      <th scope="col" className="number">
                        In work
                      </th>
                      <th scope="col">robots.txt</th>
                      <th scope="col">Rung</th>
                      <th scope="col">Last verdicts</th>
                      <th scope="col">Last 429</th>
                    </tr>
                  </thead>
                  <tbody>
                    {list.map((host) => (
                      <tr key={host.host}>
                        <td>
                          <span className="cut">{host.host}</span>
                        </td>
                        <td className="number">{count(Math.round(host.delayMs))} ms</td>
                        <td className="number">{count(host.inFlight)}</td>
                        <td className="faint">{host.robots ?? "not read"}</td>
                        <td className="faint">{host.rung ? `${host.rung.engine}, ${host.rung.proxy}` : "plain"}</td>
                        <td>
                          <div className="row">
                            {(host.verdicts ?? []).map((verdict, index) => (
                              <Badge key={index} state={verdict === "content" ? "ok" : "plain"}>
                                {verdict}
                              </Badge>
                            ))}
                          </div>
                        </td>
                        <td>
                          <Time at={host.last429At} />
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
    </>
  );
}
