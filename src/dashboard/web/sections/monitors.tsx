// Monitors: what is watched, when, what the last checks found, and each change side by side.
import { useState } from "react";
import { call } from "../api/call.ts";
import { type AnswerOf, useChange, useRead } from "../api/queries.ts";
import { Sides } from "../parts/before-and-after.tsx";
import { Badge, Card, SectionHead, Time } from "../parts/common-parts.tsx";
import { Listed } from "../parts/data-table.tsx";
import { ActionButton, InputField, SubmitForm } from "../parts/form-parts.tsx";
import { ChangeProblem, Empty, Loaded } from "../parts/states.tsx";
import { ListFeeds } from "./list-feeds-card.tsx";

const path = "/v2/monitor";
type Monitor = AnswerOf<"listMonitors">["data"][number];

export function MonitorsSection() {
  const monitors = useRead<"listMonitors">(`${path}?limit=100`, { everyMs: 5_000 });
  const run = useChange<string, "runMonitor">((id) => call("POST", `${path}/${id}/run`, {}), [path]);
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <>
      <SectionHead
        title="Monitors"
        about="Pages, sites and searches that are checked on a schedule; only real changes are reported."
      />
      <div className="stack">
        <NewMonitor />
        <Card title="All monitors">
          <ChangeProblem error={run.error} />
          <Listed
            of={monitors}
            rows={({ data }) => data}
            keyOf={({ id }) => id}
            empty={<Empty title="No monitors yet">Watch a page above.</Empty>}
            columns={[
              { name: "Name", cell: ({ name }) => <span className="cut">{name}</span> },
              {
                name: "Status",
                cell: (monitor) => <Badge state={monitor.currentCheckId ? "running" : monitor.status} />,
              },
              {
                name: "Schedule",
                cell: ({ schedule }) => (
                  <span title={`${schedule.cron} ${schedule.timezone}`}>{inWords(schedule)}</span>
                ),
              },
              { name: "Next check", cell: ({ nextRunAt }) => <Time at={nextRunAt} none="not planned" /> },
              { name: "Last check", cell: (monitor) => <LastCheck monitor={monitor} /> },
              {
                name: "Actions",
                kind: "actions",
                cell: ({ id }) => (
                  <div className="row">
                    <ActionButton kind="small" onClick={() => run.mutate(id)}>
                      Run now
                    </ActionButton>
                    <ActionButton kind="small" aria-expanded={chosen === id} onClick={() => setChosen(id)}>
                      Checks
                    </ActionButton>
                  </div>
                ),
              },
            ]}
          />
        </Card>
        {chosen ? <Checks id={chosen} /> : null}
        <ListFeeds />
      </div>
    </>
  );
}

function LastCheck({ monitor: { lastRunAt, lastCheckSummary } }: { monitor: Monitor }) {
  return (
    <>
      <Time at={lastRunAt} />{" "}
      {lastCheckSummary ? <span className="faint">{lastCheckSummary.changed} changed</span> : null}
    </>
  );
}

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** The usual schedules in words; any other stays as it is written. */
function inWords({ cron, timezone }: Monitor["schedule"]): string {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = cron.trim().split(/\s+/);
  const isEvery = (part: string) => part === "*";
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")} ${timezone}`;
  const step = /^\*\/(\d+)$/.exec(minute)?.[1];
  if (step && [hour, day, month, weekday].every(isEvery)) return `every ${step} minutes`;
  if (/^\d+$/.test(minute) && [hour, day, month, weekday].every(isEvery)) return "every hour";
  const hours = /^(?:\*|\d+(?:-23)?)\/(\d+)$/.exec(hour)?.[1];
  if (hours && [day, month, weekday].every(isEvery)) return `every ${hours} hours`;
  if (!/^\d+$/.test(hour) || !/^\d+$/.test(minute)) return cron;
  if ([day, month, weekday].every(isEvery)) return `every day at ${time}`;
  if (isEvery(day) && isEvery(month) && /^[0-6]$/.test(weekday)) return `every ${days[Number(weekday)]} at ${time}`;
  return cron;
}

function NewMonitor() {
  const create = useChange<object, "createMonitor">((body) => call("POST", path, body), [path]);
  function send(text: (name: string) => string, reset: () => void) {
    const targets = [{ type: "scrape", urls: [text("url")] }];
    create.mutate({ name: text("name"), schedule: { text: text("schedule") }, targets }, { onSuccess: reset });
  }
  return (
    <Card title="Watch a page">
      <SubmitForm action="Create monitor" isBusy={create.isPending} error={create.error} onSend={send}>
        <div className="grid halves">
          <InputField label="Name" name="name" required maxLength={100} />
          <InputField label="URL" name="url" type="url" required placeholder="https://example.com" />
          <InputField
            label="Schedule"
            hint="In words: every 30 minutes, daily at 09:00, every monday at 8:00"
            name="schedule"
            required
            defaultValue="hourly"
          />
        </div>
      </SubmitForm>
    </Card>
  );
}

function Checks({ id }: { id: string }) {
  const checks = useRead<"listMonitorChecks">(`${path}/${id}/checks?limit=25`, { everyMs: 5_000 });
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <>
      <Card title="Last checks">
        <Listed
          of={checks}
          rows={({ data }) => data}
          keyOf={(check) => check.id}
          empty={<Empty title="No checks yet">Run the monitor, or wait for its schedule.</Empty>}
          isBare
          columns={[
            { name: "At", cell: ({ createdAt }) => <Time at={createdAt} /> },
            { name: "Status", cell: ({ status }) => <Badge state={status} /> },
            { action: "Changes", onClick: (check) => setChosen(check.id) },
          ]}
        />
      </Card>
      {chosen ? <Changes path={`${path}/${id}/checks/${chosen}`} /> : null}
    </>
  );
}

function Changes({ path: checkPath }: { path: string }) {
  const check = useRead<"readMonitorCheck">(checkPath);
  return (
    <Card title="Pages of the check">
      <Loaded of={check}>
        {({ data: { pages } }) => (
          <div className="card-body stack">
            {pages.length === 0 ? <Empty title="No pages" /> : null}
            {pages.map((page) => (
              <div key={page.id} className="stack">
                <div className="row">
                  <Badge state={page.status} /> <span className="cut">{page.url}</span>
                </div>
                {page.error ? <p className="notice bad">{page.error}</p> : null}
                {page.diff?.text ? <Sides diff={page.diff.text} /> : null}
              </div>
            ))}
          </div>
        )}
      </Loaded>
    </Card>
  );
}
