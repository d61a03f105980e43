// Credits: by month, by day, by key and by endpoint.
import { useRead } from "../api/queries.ts";
import { Chart, Shares } from "../parts/chart.tsx";
import { Card, count, SectionHead, Stat } from "../parts/common-parts.tsx";
import { Empty, Loaded } from "../parts/states.tsx";

/** What the API says where there is no allowance. */
const unlimited = 1_000_000_000;

export function UsageSection() {
  const balance = useRead<"readCreditUsage">("/v2/team/credit-usage");
  const months = useRead<"readCreditHistory">("/v2/team/credit-usage/historical");
  const overview = useRead<"readOverview">("/dashboard/api/overview?range=30d");
  return (
    <>
      <SectionHead title="Usage" about="What this team has used, in credits. A page usually costs one.">
        <a className="button" href="/dashboard/api/usage.csv" download>
          Download CSV
        </a>
      </SectionHead>
      <div className="stack">
        <Loaded of={balance}>
          {({ data }) => (
            <dl className="stats">
              <Stat
                name="Left this month"
                value={data.remainingCredits >= unlimited ? "unlimited" : count(data.remainingCredits)}
              />
              <Stat
                name="Allowance a month"
                value={data.planCredits >= unlimited ? "none set" : count(data.planCredits)}
              />
              <Stat name="Last 30 days" value={overview.data ? count(overview.data.total.credits) : "…"} />
            </dl>
          )}
        </Loaded>
        <div className="grid halves">
          <Card title="Credits by day">
            <div className="card-body">
              <Loaded of={overview}>
                {({ steps }) => (
                  <Chart
                    title="Credits by day"
                    kind="bars"
                    names={["credits"]}
                    steps={steps.map(({ at, credits }) => ({ at, values: [credits] }))}
                  />
                )}
              </Loaded>
            </div>
          </Card>
          <Card title="Credits by month">
            <div className="card-body">
              <Loaded of={months}>
                {({ periods }) => (
                  <Chart
                    title="Credits by month"
                    kind="bars"
                    names={["credits"]}
                    steps={periods
                      .slice(-12)
                      .map(({ startDate, totalCredits }) => ({ at: startDate, values: [totalCredits] }))}
                  />
                )}
              </Loaded>
            </div>
          </Card>
          <Card title="Credits by key, 30 days">
            <Loaded of={overview}>{({ keys }) => <Parts list={keys} />}</Loaded>
          </Card>
          <Card title="Credits by endpoint, 30 days">
            <Loaded of={overview}>{({ endpoints }) => <Parts list={endpoints} />}</Loaded>
          </Card>
        </div>
      </div>
    </>
  );
}

function Parts({ list }: { list: readonly { name: string; credits: number }[] }) {
  const used = list.filter(({ credits }) => credits > 0);
  if (used.length === 0) return <Empty title="Nothing used yet" />;
  return (
    <div className="card-body">
      <Shares list={used.map(({ name, credits }) => ({ name, value: credits }))} />
    </div>
  );
}
