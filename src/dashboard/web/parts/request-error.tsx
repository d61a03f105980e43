// A request that failed, as a result: what was said, what it means, what was tried, and what a person can do.
import { useNavigate } from "@tanstack/react-router";
import { type CallError, call } from "../api/call.ts";
import { type AnswerOf, useChange, useRead } from "../api/queries.ts";
import { Badge } from "./common-parts.tsx";
import { Table } from "./data-table.tsx";
import { ActionButton } from "./form-parts.tsx";
import { Markdown } from "./rendered-markdown.tsx";
import { ChangeProblem } from "./states.tsx";

export interface ShownError {
  code?: string | undefined;
  message: string;
  details?: unknown;
}

interface Attempt {
  engine: string;
  proxy: string;
  status: number;
  verdict: string;
}

interface HandOff {
  url: string;
  profile: { name: string; saveChanges: boolean };
}

interface Details {
  rungs?: readonly Attempt[];
  handoff?: HandOff;
}

export function RequestError({ error: { code, message, details } }: { error: ShownError }) {
  const { rungs: attempts = [], handoff } = (Array.isArray(details) ? {} : (details ?? {})) as Details;
  const issues = Array.isArray(details) ? (details as { path?: unknown[]; message?: string }[]) : [];
  return (
    <div className="stack" role="alert">
      <div className="row">
        <Badge state="failed" />
        {code ? <code>{code}</code> : null}
      </div>
      <p>{message}</p>
      {issues.length > 0 ? (
        <dl className="facts">
          {issues.map(({ path = [], message: words = "" }, place) => (
            <div key={place} className="fact">
              <dt className="mono">{path.join(".") || "body"}</dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      {handoff ? <HandOffButton handoff={handoff} /> : null}
      {attempts.length > 0 ? <Attempts attempts={attempts} /> : null}
      {code ? <Help code={code} /> : null}
    </div>
  );
}

function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  return (
    <section className="stack tight">
      <h3>Attempts</h3>
      <Table
        rows={attempts.map((attempt, place) => ({ ...attempt, place: place + 1 }))}
        keyOf={({ place }) => place}
        columns={[
          { name: "Attempt", kind: "number", cell: ({ place }) => place },
          { name: "Engine", cell: ({ engine }) => engine },
          { name: "Proxy", cell: ({ proxy }) => proxy },
          { name: "Status", cell: ({ status }) => status },
          { name: "Verdict", cell: ({ verdict }) => verdict },
        ]}
      />
    </section>
  );
}

/** Its entry on the page of errors; nothing where that cannot be read. */
function Help({ code }: { code: string }) {
  const { data } = useRead<"explainError">(`/dashboard/api/errors/${encodeURIComponent(code)}`);
  if (!data) return null;
  return (
    <dl className="help">
      <dt>What happened</dt>
      <dd>
        <Markdown text={data.happened} />
      </dd>
      <dt>Usual causes</dt>
      <dd>
        <Markdown text={data.causes.map((cause) => `- ${cause}`).join("\n")} />
      </dd>
      <dt>What to do</dt>
      <dd>
        <Markdown text={data.fix} />
      </dd>
      <dt>Credits</dt>
      <dd>{data.charge}</dd>
      <dt>More</dt>
      <dd>
        <a href={`/docs/errors#${code.toLowerCase()}`}>{code} in the documentation</a>
      </dd>
    </dl>
  );
}

/** A person passes in a session what no attempt passed; its profile keeps that for later scrapes. */
function HandOffButton({ handoff: { url, profile } }: { handoff: HandOff }) {
  const navigate = useNavigate();
  const open = useChange<void, "createSession">(async () => {
    const session = await call<AnswerOf<"createSession">>("POST", "/v2/browser", { profile });
    await call("POST", `/v2/browser/${session.id}/execute`, { code: `await page.goto(${JSON.stringify(url)})` });
    return session;
  }, ["/v2/browser"]);
  const onSuccess = ({ id }: AnswerOf<"createSession">) =>
    void navigate({
      to: "/sessions",
      search: { view: id, profile: profile.name, url } as never,
    });
  return (
    <div className="stack tight">
      <div>
        <ActionButton kind="primary" disabled={open.isPending} onClick={() => open.mutate(undefined, { onSuccess })}>
          {open.isPending ? "Opening …" : "Open in a session"}
        </ActionButton>
      </div>
      <p className="hint">
        Opens the page in a browser session with the profile “{profile.name}”. Pass the test or sign in there, then end
        the session: the profile keeps it.
      </p>
      <ChangeProblem error={open.error as CallError | null} />
    </div>
  );
}
