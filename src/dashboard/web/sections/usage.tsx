// Credits: by month, by day, by key and by endpoint.
import { useRead } from "../api/queries.ts";
import { ChartCard, SharesCard } from "../parts/chart.tsx";
import { count, SectionHead, Stat } from "../parts/common-parts.tsx";
import { Empty, Loaded } from "../parts/states.tsx";

/** What the API says where there is no allowance. */
const unlimited = 1_000_000_000;

export function UsageSection() {
  const balance = useRead<"readCreditUsage">("/v2/team/credit-usage");
  const months = useRead<"readCreditHistory">("/v2/team/credit-usage/historical");
  const overview = useRead<"readOverview">("/dashboard/api/overview?range=30d", { everyMs: 30_000 });
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
                name="Monthly allowance"
                value={data.planCredits >= unlimited ? "none set" : count(data.planCredits)}
              />
              <Stat name="Last 30 days" value={overview.data ? count(overview.data.total.credits) : "…"} />
            </dl>
          )}
        </Loaded>
        <div className="grid halves">
          <Loaded of={overview}>
            {({ steps }) => (
              <ChartCard
                heading="Credits by day"
                title="Credits by day"
                names={["credits"]}
                steps={steps.map(({ at, credits }) => ({ at, values: [credits] }))}
              />
            )}
          </Loaded>
          <Loaded of={months}>
            {({ periods }) => (
              <ChartCard
                heading="Credits by month"
                title="Credits by month"
                names={["credits"]}
                steps={periods
                  .slice(-12)
                  .map(({ startDate, totalCredits }) => ({ at: startDate, values: [totalCredits] }))}
              />
            )}
          </Loaded>
          <Loaded of={overview}>{({ keys }) => <Credits title="Credits by key, 30 days" list={keys} />}</Loaded>
          <Loaded of={overview}>
            {({ endpoints }) => <Credits title="Credits by endpoint, 30 days" list={endpoints} />}
          </Loaded>
        </div>
      </div>
    </>
  );
}

function Credits({ title, list }: { title: string; list: readonly { name: string; credits: number }[] }) {
  const used = list.flatMap(({ name, credits }) => (credits > 0 ? [{ name, value: credits }] : []));
  return <SharesCard title={title} list={used} empty={<Empty title="Nothing used yet" />} />;
}
