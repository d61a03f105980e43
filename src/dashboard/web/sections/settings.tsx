// What is configured, whether it works, and your own password.
import { type FormEvent, useState } from "react";
import { call } from "../api/call.ts";
import { type AnswerOf, type Session, useChange, useRead, useSession } from "../api/queries.ts";
import { Badge, Card, Field, SectionHead } from "../parts/page.tsx";
import { ChangeProblem, Loaded } from "../parts/states.tsx";

type Finding = AnswerOf<"checkServer">["findings"][number];

export function SettingsSection() {
  const session = useSession();
  const isOwner = session.data?.role === "owner";
  return (
    <>
      <SectionHead
        title="Settings"
        about="Settings come from the environment of the server; this page shows what is in effect and checks it."
      />
      <div className="stack">
        <Checks />
        {session.data?.person ? <Password person={session.data.person} /> : null}
        {isOwner ? <Configured /> : null}
      </div>
    </>
  );
}

const subjects = ["Store", "Browser", "Sandbox", "Proxy", "Language model", "Dialects", "Search", "Open search"];

function Checks() {
  const [found, setFound] = useState<Record<string, Finding[]>>({});
  const check = useChange<string, "checkServer">(
    (subject) => call("GET", `/dashboard/api/health?${new URLSearchParams({ subject })}`),
    [],
  );
  const run = (subject: string) =>
    check.mutate(subject, { onSuccess: ({ findings }) => setFound((known) => ({ ...known, [subject]: findings })) });
  return (
    <Card title="Checks">
      <div className="table-wrap">
        <table className="table">
          <tbody>
            {subjects.map((subject) => (
              <tr key={subject}>
                <td>{subject}</td>
                <td className="faint">
                  {check.isPending && check.variables === subject
                    ? "Checking …"
                    : (found[subject] ?? []).map(({ message, fix, state }) => (
                        <p key={message}>
                          <Badge state={state} /> {message} {fix}
                        </p>
                      ))}
                </td>
                <td className="end">
                  <button
                    type="button"
                    className="button small"
                    disabled={check.isPending}
                    aria-label={`Check ${subject}`}
                    onClick={() => run(subject)}
                  >
                    Check
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ChangeProblem error={check.error} />
    </Card>
  );
}

function Password({ person }: { person: NonNullable<Session["person"]> }) {
  const [isSet, setSet] = useState(false);
  const change = useChange<object, "setPassword">((body) => call("PUT", "/dashboard/api/password", body), ["session"]);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const current = String(data.get("current") ?? "");
    const body = {
      signInName: String(data.get("signInName")),
      password: String(data.get("password")),
      ...(current ? { current } : {}),
    };
    setSet(false);
    change.mutate(body, {
      onSuccess: () => {
        form.reset();
        setSet(true);
      },
    });
  }
  return (
    <Card title={person.hasPassword ? "Change your password" : "Set a password"}>
      <form className="card-body stack" onSubmit={submit}>
        <div className="grid halves">
          <Field label="Name or email to sign in with">
            {(ids) => (
              <input
                {...ids}
                name="signInName"
                className="input"
                required
                maxLength={64}
                autoComplete="username"
                defaultValue={person.signInName ?? ""}
              />
            )}
          </Field>
          {person.hasPassword ? (
            <Field label="Current password">
              {(ids) => (
                <input
                  {...ids}
                  name="current"
                  className="input"
                  type="password"
                  required
                  autoComplete="current-password"
                />
              )}
            </Field>
          ) : null}
          <Field label="New password" hint="At least 12 characters">
            {(ids) => (
              <input
                {...ids}
                name="password"
                className="input"
                type="password"
                required
                minLength={12}
                autoComplete="new-password"
              />
            )}
          </Field>
        </div>
        <ChangeProblem error={change.error} />
        {isSet ? (
          <p className="notice good" role="status">
            The password is set. Other sessions of yours have ended.
          </p>
        ) : null}
        <div>
          <button type="submit" className="button primary" disabled={change.isPending}>
            Set password
          </button>
        </div>
      </form>
    </Card>
  );
}

function Configured() {
  const settings = useRead<"listSettings">("/dashboard/api/settings");
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  return (
    <Card
      title="What is configured"
      actions={
        <input
          className="input"
          type="search"
          aria-label="Find a setting"
          placeholder="Find a setting"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      }
    >
      <Loaded of={settings}>
        {({ sections }) => (
          <div className="table-wrap">
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">Setting</th>
                  <th scope="col">In effect</th>
                  <th scope="col">What it does</th>
                </tr>
              </thead>
              <tbody>
                {sections
                  .flatMap(({ settings: list }) => list)
                  .filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(wanted))
                  .map(({ name, value, isSet, description }) => (
                    <tr key={name}>
                      <td className="mono">{name}</td>
                      <td>
                        <span className="cut">{value ?? (isSet ? "set, not shown" : "not set")}</span>
                      </td>
                      <td className="faint">{description}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
          </div>
        )}
      </Loaded>
    </Card>
  );
}
