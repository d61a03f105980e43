// What is configured, whether it works, and how you sign in.
import { useState } from "react";
import { call } from "../api/call.ts";
import { type AnswerOf, type Session, useChange, useRead, useSession } from "../api/queries.ts";
import { Badge, Card, SectionHead } from "../parts/common-parts.tsx";
import { Listed, Table } from "../parts/data-table.tsx";
import { ActionButton, InputField, SearchBox, SubmitForm } from "../parts/form-parts.tsx";
import { ChangeProblem, Empty } from "../parts/states.tsx";
import { PasskeysCard } from "./settings-passkeys.tsx";
import { SecretsCard } from "./settings-secrets.tsx";

type Finding = AnswerOf<"checkServer">["findings"][number];

export function SettingsSection() {
  const session = useSession();
  const isOwner = session.data?.role === "owner";
  return (
    <>
      <SectionHead
        title="Settings"
        about="Settings come from the server's environment. This page shows the values in effect and checks them."
      />
      <div className="stack">
        <Checks />
        <SecretsCard />
        {session.data?.person ? <PasskeysCard /> : null}
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
      <Table
        rows={subjects}
        keyOf={(subject) => subject}
        isBare
        columns={[
          { name: "Part", cell: (subject) => subject },
          {
            name: "Finding",
            kind: "faint",
            cell: (subject) =>
              check.isPending && check.variables === subject
                ? "Checking …"
                : !found[subject]
                  ? "Not checked yet"
                  : found[subject].map(({ message, fix, state }) => (
                      <p key={message}>
                        <Badge state={state} /> {message} {fix}
                      </p>
                    )),
          },
          {
            name: "Actions",
            kind: "actions",
            cell: (subject) => (
              <ActionButton
                kind="small"
                disabled={check.isPending}
                aria-label={`Check ${subject}`}
                onClick={() => run(subject)}
              >
                Check
              </ActionButton>
            ),
          },
        ]}
      />
      <ChangeProblem error={check.error} />
    </Card>
  );
}

function Password({ person }: { person: NonNullable<Session["person"]> }) {
  const [isSet, setSet] = useState(false);
  const change = useChange<object, "setPassword">((body) => call("PUT", "/dashboard/api/password", body), ["session"]);
  function send(text: (name: string) => string, reset: () => void) {
    const current = text("current");
    const body = { signInName: text("signInName"), password: text("password"), ...(current ? { current } : {}) };
    setSet(false);
    change.mutate(body, {
      onSuccess: () => {
        reset();
        setSet(true);
      },
    });
  }
  return (
    <Card title={person.hasPassword ? "Change your password" : "Set a password"}>
      <SubmitForm action="Set password" isBusy={change.isPending} error={change.error} onSend={send}>
        <div className="grid halves">
          <InputField
            label="Name or email to sign in with"
            name="signInName"
            required
            maxLength={64}
            autoComplete="username"
            defaultValue={person.signInName ?? ""}
          />
          {person.hasPassword ? (
            <InputField
              label="Current password"
              name="current"
              type="password"
              required
              autoComplete="current-password"
            />
          ) : null}
          <InputField
            label="New password"
            hint="At least 12 characters"
            name="password"
            type="password"
            required
            minLength={12}
            autoComplete="new-password"
          />
        </div>
        {isSet ? (
          <p className="notice good" role="status">
            The password is set. Your other sessions have ended.
          </p>
        ) : null}
      </SubmitForm>
    </Card>
  );
}

function Configured() {
  const settings = useRead<"listSettings">("/dashboard/api/settings");
  const [text, setText] = useState("");
  const wanted = text.trim().toLowerCase();
  return (
    <Card title="What is configured" actions={<SearchBox label="Find a setting" text={text} onType={setText} />}>
      <Listed
        of={settings}
        rows={({ sections }) =>
          sections
            .flatMap(({ settings: list }) => list)
            .filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(wanted))
        }
        keyOf={({ name }) => name}
        empty={<Empty title="No setting matches" />}
        columns={[
          { name: "Setting", kind: "mono", cell: ({ name }) => name },
          {
            name: "In effect",
            cell: ({ value, isSet }) => <span className="cut">{value ?? (isSet ? "set, not shown" : "not set")}</span>,
          },
          { name: "What it does", kind: "faint", cell: ({ description }) => description },
        ]}
      />
    </Card>
  );
}
