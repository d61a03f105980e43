// An app asks for access: what it is, where it is sent back to, and what a person may allow it. Nothing of the app is loaded.
import { useEffect, useState } from "react";
import { call } from "../api/call.ts";
import { type AnswerOf, useChange, useRead, useSession } from "../api/queries.ts";
import { signInFirst } from "../frame/return-to.ts";
import { ActionButton, CheckBox, Field } from "../parts/form-parts.tsx";
import { ChangeProblem } from "../parts/states.tsx";
import { SignedOut } from "./sign-in.tsx";

type AppRequest = AnswerOf<"readAppRequest">["request"];
type Decision = { decision: "allow"; teamId: string; scopes: string[] } | { decision: "deny" };

const requests = "/dashboard/api/oauth/requests";

export function ConsentPage() {
  const id = new URLSearchParams(window.location.search).get("request") ?? "";
  const session = useSession();
  const isSignedOut = session.error?.status === 401;
  const asked = useRead<"readAppRequest">(`${requests}/${encodeURIComponent(id)}`, { isOff: !session.data });
  useEffect(() => {
    if (isSignedOut) signInFirst();
  }, [isSignedOut]);
  const error = (isSignedOut ? null : session.error) ?? asked.error;
  if (error) {
    return (
      <SignedOut title="This app cannot be connected">
        <ChangeProblem error={error} />
        <p>Nothing was allowed. Go back to the app and connect it again.</p>
        <a href="/dashboard">Go to the dashboard</a>
      </SignedOut>
    );
  }
  const { data } = session;
  if (!data || !asked.data) {
    return (
      <SignedOut title="Connect an app">
        <p role="status">One moment.</p>
      </SignedOut>
    );
  }
  return <AskedFor request={asked.data.request} person={data.person?.name ?? ""} teamInView={data.team.id} />;
}

function AskedFor({ request, person, teamInView }: { request: AppRequest; person: string; teamInView: string }) {
  const { id, client, redirectHost, isLoopback, scopes, teams } = request;
  const [allowed, setAllowed] = useState<readonly string[]>(scopes.map(({ name }) => name));
  const [teamId, setTeam] = useState(teams.some((team) => team.id === teamInView) ? teamInView : (teams[0]?.id ?? ""));
  const decide = useChange<Decision, "decideAppRequest">((body) => call("POST", `${requests}/${id}`, body), []);
  const send = (body: Decision) =>
    decide.mutate(body, { onSuccess: ({ redirectTo }) => window.location.assign(redirectTo) });
  const isBusy = decide.isPending || decide.isSuccess;
  const toggle = (name: string, isOn: boolean) =>
    setAllowed(isOn ? [...allowed, name] : allowed.filter((each) => each !== name));
  return (
    <SignedOut title={client.name}>
      <p>
        wants to use this server as <strong>{person}</strong>. What it calls itself is not verified: only go on if you
        started this yourself, just now.
      </p>
      <dl className="facts">
        <dt>Sends you back to</dt>
        <dd>
          <code>{redirectHost}</code>
        </dd>
        <dt>App</dt>
        <dd>
          <code>{client.host}</code>
        </dd>
      </dl>
      {isLoopback ? (
        <p role="alert" className="notice bad">
          This app runs on your own computer. Any program there can call itself {client.name}: allow it only if you have
          just started it.
        </p>
      ) : null}
      {teams.length > 1 ? (
        <Field label="Team">
          {(ids) => (
            <select className="input" {...ids} value={teamId} onChange={(event) => setTeam(event.target.value)}>
              {teams.map((team) => (
                <option key={team.id} value={team.id}>
                  {team.name}
                </option>
              ))}
            </select>
          )}
        </Field>
      ) : (
        <p>
          It acts for the team <strong>{teams[0]?.name}</strong>.
        </p>
      )}
      <fieldset className="scopes">
        <legend>It may</legend>
        {scopes.map(({ name, description }) => (
          <CheckBox
            key={name}
            label={description}
            isOn={allowed.includes(name)}
            onToggle={(isOn) => toggle(name, isOn)}
          />
        ))}
      </fieldset>
      <ChangeProblem error={decide.error} />
      <div className="page-actions">
        <ActionButton
          kind="primary"
          disabled={isBusy || allowed.length === 0}
          onClick={() => send({ decision: "allow", teamId, scopes: [...allowed] })}
        >
          Allow
        </ActionButton>
        <ActionButton disabled={isBusy} onClick={() => send({ decision: "deny" })}>
          Deny
        </ActionButton>
      </div>
    </SignedOut>
  );
}
