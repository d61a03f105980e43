// Browsers that run for the team: watch one, take part, end it.
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../api/call.ts";
import { type AnswerOf, useChange, useRead } from "../api/queries.ts";
import { Badge, Card, SectionHead, Time } from "../parts/common-parts.tsx";
import { Listed } from "../parts/data-table.tsx";
import { ActionButton } from "../parts/form-parts.tsx";
import { ChangeProblem, Empty } from "../parts/states.tsx";
import { playState } from "./playground-request.ts";

const path = "/v2/browser";
type BrowserSession = AnswerOf<"listSessions">["sessions"][number];

interface View {
  id: string;
  name: string;
  url: string;
}

interface HandedOver {
  /** Of the session. */
  view: string;
  profile: string;
  url: string;
}

/** From the page of a request that a person has to pass: the session that was opened for it. */
function readHandedOver(): HandedOver | null {
  const { view, profile, url } = Object.fromEntries(new URLSearchParams(window.location.search));
  return view && profile && url ? { view, profile, url } : null;
}

export function BrowserSessionsSection() {
  const sessions = useRead<"listSessions">(path, { everyMs: 3_000 });
  const open = useChange<void, "createSession">(() => call("POST", path, {}), [path]);
  const end = useChange<string, "deleteSession">((id) => call("DELETE", `${path}/${id}`), [path]);
  const [handedOver] = useState(readHandedOver);
  const [chosen, setView] = useState<View | null | undefined>(undefined);
  const list = sessions.data?.sessions ?? [];
  const given = list.find(({ id, status }) => id === handedOver?.view && status === "active");
  const view = chosen === undefined && given ? interactiveView(given) : (chosen ?? null);
  const isLive = list.some(({ id, status }) => id === view?.id && status === "active");
  return (
    <>
      <SectionHead title="Browser sessions" about="Each session has its own Chromium, driven by a program or by hand.">
        <ActionButton kind="primary" disabled={open.isPending} onClick={() => open.mutate()}>
          New session
        </ActionButton>
      </SectionHead>
      <div className="stack">
        <ChangeProblem error={open.error ?? end.error} />
        {handedOver ? <HandedOverPage handedOver={handedOver} isOpen={given !== undefined} /> : null}
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
                cell: (session) => <Actions session={session} onView={setView} onEnd={() => end.mutate(session.id)} />,
              },
            ]}
          />
        </Card>
      </div>
    </>
  );
}

function interactiveView({ id, interactiveLiveViewUrl: url }: BrowserSession): View | null {
  return url ? { id, name: "Interactive", url } : null;
}

/** What is left to do for the page that was handed over. */
function HandedOverPage({ handedOver: { profile, url }, isOpen }: { handedOver: HandedOver; isOpen: boolean }) {
  const navigate = useNavigate();
  const body = { url, profile: { name: profile, saveChanges: false } };
  const scrape = () =>
    void navigate({ to: "/playground", state: playState({ operation: "scrape", body, isRun: true }) as never });
  return (
    <div className="notice row">
      {isOpen
        ? `Pass the test or sign in below, then press End: the profile “${profile}” keeps it.`
        : `The profile “${profile}” has what the session left.`}
      {isOpen ? null : <ActionButton onClick={scrape}>Scrape with the profile</ActionButton>}
    </div>
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
  const { id, status, liveViewUrl, interactiveLiveViewUrl, replayUrl } = session;
  const isActive = status === "active";
  const views = isActive ? { "Live view": liveViewUrl, Interactive: interactiveLiveViewUrl } : {};
  return (
    <div className="row">
      {Object.entries(views).map(([name, url]) =>
        url ? (
          <ActionButton key={name} kind="small" onClick={() => onView({ id, name, url })}>
            {name}
          </ActionButton>
        ) : null,
      )}
      {replayUrl ? (
        <a className="button small" href={replayUrl} target="_blank" rel="noopener noreferrer">
          Replay
        </a>
      ) : null}
      {isActive ? (
        <ActionButton kind="small danger" onClick={onEnd}>
          End
        </ActionButton>
      ) : null}
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
