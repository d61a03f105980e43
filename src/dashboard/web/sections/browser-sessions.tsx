// Browsers that run for the team: watch one, take part, end it.
import { useState } from "react";
import { call } from "../api/call.ts";
import { type AnswerOf, useChange, useRead } from "../api/queries.ts";
import { Badge, Card, SectionHead, Time } from "../parts/common-parts.tsx";
import { Listed } from "../parts/data-table.tsx";
import { ActionButton } from "../parts/form-parts.tsx";
import { ChangeProblem, Empty } from "../parts/states.tsx";

const path = "/v2/browser";
type BrowserSession = AnswerOf<"listSessions">["sessions"][number];

interface View {
  id: string;
  name: string;
  url: string;
}

export function BrowserSessionsSection() {
  const sessions = useRead<"listSessions">(path, { everyMs: 3_000 });
  const open = useChange<void, "createSession">(() => call("POST", path, {}), [path]);
  const end = useChange<string, "deleteSession">((id) => call("DELETE", `${path}/${id}`), [path]);
  const [view, setView] = useState<View | null>(null);
  const isLive = sessions.data?.sessions.some(({ id, status }) => id === view?.id && status === "active");
  return (
    <>
      <SectionHead title="Browser sessions" about="Each session has its own Chromium, driven by a program or by hand.">
        <ActionButton kind="primary" disabled={open.isPending} onClick={() => open.mutate()}>
          New session
        </ActionButton>
      </SectionHead>
      <div className="stack">
        <ChangeProblem error={open.error ?? end.error} />
        {view && isLive ? <LiveView view={view} onClose={() => setView(null)} /> : null}
        <Card>
          <Listed
            of={sessions}
            rows={({ sessions: list }) => list}
            keyOf={({ id }) => id}
            empty={<Empty title="No sessions">Start one here, or with POST /v2/browser.</Empty>}
            columns={[
              { name: "Session", kind: "mono", cell: ({ id }) => <span title={id}>{id.slice(0, 8)}</span> },
              { name: "Status", cell: ({ status }) => <Status status={status} /> },
              { name: "Started", cell: ({ createdAt }) => <Time at={createdAt} /> },
              { name: "Last activity", cell: ({ lastActivity }) => <Time at={lastActivity} /> },
              {
                name: "Actions",
                kind: "actions",
                cell: (session) =>
                  session.status === "active" ? (
                    <Actions session={session} onView={setView} onEnd={() => end.mutate(session.id)} />
                  ) : null,
              },
            ]}
          />
        </Card>
      </div>
    </>
  );
}

function Status({ status }: Pick<BrowserSession, "status">) {
  return status === "destroyed" ? <Badge state="cancelled">ended</Badge> : <Badge state={status} />;
}

interface ActionsProps {
  session: BrowserSession;
  onView(view: View): void;
  onEnd(): void;
}

function Actions({ session, onView, onEnd }: ActionsProps) {
  const views = { "Live view": session.liveViewUrl, Interactive: session.interactiveLiveViewUrl };
  return (
    <div className="row">
      {Object.entries(views).map(([name, url]) =>
        url ? (
          <ActionButton key={name} kind="small" onClick={() => onView({ id: session.id, name, url })}>
            {name}
          </ActionButton>
        ) : null,
      )}
      <ActionButton kind="small danger" onClick={onEnd}>
        End
      </ActionButton>
    </div>
  );
}

/** In a frame that may run its own script and nothing else: it reaches neither this page nor its session. */
function LiveView({ view: { id, name, url }, onClose }: { view: View; onClose(): void }) {
  const { pathname, search } = new URL(url);
  return (
    <Card
      title={`${name} of ${id.slice(0, 8)}`}
      actions={
        <div className="row">
          <a className="button small" href={url} target="_blank" rel="noopener noreferrer">
            Open in a tab
          </a>
          <ActionButton kind="small" onClick={onClose}>
            Close
          </ActionButton>
        </div>
      }
    >
      <iframe
        key={url}
        className="live-view"
        title={`${name} of ${id.slice(0, 8)}`}
        sandbox="allow-scripts"
        src={`${pathname}${search}`}
      />
    </Card>
  );
}
