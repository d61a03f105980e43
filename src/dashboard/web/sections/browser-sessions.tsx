// Browsers that run for the team: watch one, take part, end it.
import { call } from "../api/call.ts";
import { type AnswerOf, useChange, useRead } from "../api/queries.ts";
import { Badge, Card, SectionHead, Time } from "../parts/page.tsx";
import { ChangeProblem, Empty, Loaded } from "../parts/states.tsx";

const path = "/v2/browser";
type BrowserSession = AnswerOf<"listSessions">["sessions"][number];

export function BrowserSessionsSection() {
  const sessions = useRead<"listSessions">(path, { everyMs: 3_000 });
  const open = useChange<void, "createSession">(() => call("POST", path, {}), [path]);
  const end = useChange<string, "deleteSession">((id) => call("DELETE", `${path}/${id}`), [path]);
  return (
    <>
      <SectionHead title="Browser sessions" about="Each session has its own Chromium, driven by a program or by hand.">
        <button type="button" className="button primary" disabled={open.isPending} onClick={() => open.mutate()}>
          New session
        </button>
      </SectionHead>
      <div className="stack">
        <ChangeProblem error={open.error ?? end.error} />
        <Card>
          <Loaded of={sessions}>
            {({ sessions: list }) =>
              list.length === 0 ? (
                <Empty title="No sessions">Start one here, or with POST /v2/browser.</Empty>
              ) : (
                <div className="table-wrap">
                  <table className="table">
                    <thead>
                      <tr>
                        <th scope="col">Session</th>
                        <th scope="col">Status</th>
                        <th scope="col">Started</th>
                        <th scope="col">Last activity</th>
                        <th scope="col">
                          <span className="visually-hidden">Actions</span>
                        </th>
                      </tr>
                    </thead>
                    <tbody>
                      {list.map((session) => (
                        <tr key={session.id}>
                          <td className="mono" title={session.id}>
                            {session.id.slice(0, 8)}
                          </td>
                          <td>
                            <Badge state={session.status === "destroyed" ? "cancelled" : session.status}>
                              {session.status === "destroyed" ? "ended" : session.status}
                            </Badge>
                          </td>
                          <td>
                            <Time at={session.createdAt} />
                          </td>
                          <td>
                            <Time at={session.lastActivity} />
                          </td>
                          <td className="end">
                            {session.status === "active" ? (
                              <Actions session={session} onEnd={() => end.mutate(session.id)} />
                            ) : null}
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

function Actions({ session, onEnd }: { session: BrowserSession; onEnd(): void }) {
  const views = { "Live view": session.liveViewUrl, Interactive: session.interactiveLiveViewUrl };
  return (
    <div className="row">
      {Object.entries(views).map(([name, url]) =>
        url ? (
          <a key={name} className="button small" href={url} target="_blank" rel="noopener noreferrer">
            {name}
          </a>
        ) : null,
      )}
      <button type="button" className="button small danger" onClick={onEnd}>
        End
      </button>
    </div>
  );
}
