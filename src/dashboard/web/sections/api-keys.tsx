// API keys: made with a name and limits, shown once, revoked.
import { type FormEvent, useState } from "react";
import { call } from "../api/call.ts";
import { type AnswerOf, useChange, useRead, useSession } from "../api/queries.ts";
import {
  Badge,
  Card,
  Code,
  Confirm,
  count,
  countOf,
  Dialog,
  Field,
  SectionHead,
  Time,
} from "../parts/common-parts.tsx";
import { Listed } from "../parts/data-table.tsx";
import { ChangeProblem, Empty } from "../parts/states.tsx";

const path = "/dashboard/api/keys";
type Key = AnswerOf<"listApiKeys">["keys"][number];

export function ApiKeysSection() {
  const keys = useRead<"listApiKeys">(path);
  const isOwner = useSession().data?.role === "owner";
  const [revoking, setRevoking] = useState<Key | null>(null);
  const [made, setMade] = useState<string | null>(null);
  const revoke = useChange<string, "revokeApiKey">((id) => call("DELETE", `${path}/${id}`), [path]);

  return (
    <>
      <SectionHead
        title="API keys"
        about="Programs send a key with each request. Each key belongs to this team and has its own limits."
      />
      <div className="stack">
        {isOwner ? <NewKey onMade={setMade} /> : null}
        <Card>
          <Listed
            of={keys}
            rows={({ keys: list }) => [...list].reverse()}
            keyOf={({ id }) => id}
            empty={<Empty title="No keys yet">Create one above, then use it with any Firecrawl client or curl.</Empty>}
            columns={[
              { name: "Name", cell: (key) => <span className="cut">{key.name}</span> },
              { name: "Key", kind: "mono", cell: (key) => `…${key.lastFour}` },
              { name: "Limits", kind: "faint", cell: limitsOf },
              { name: "Created", cell: (key) => <Time at={key.createdAt} /> },
              { name: "Last used", cell: (key) => <Time at={key.lastUsedAt} /> },
              {
                name: "Actions",
                kind: "actions",
                cell: (key) =>
                  key.revokedAt ? (
                    <Badge state="cancelled">revoked</Badge>
                  ) : isOwner ? (
                    <button type="button" className="button small danger" onClick={() => setRevoking(key)}>
                      Revoke
                    </button>
                  ) : null,
              },
            ]}
          />
        </Card>
        <ChangeProblem error={revoke.error} />
      </div>
      {made === null ? null : <MadeKey value={made} onClose={() => setMade(null)} />}
      {revoking ? (
        <Confirm
          title="Revoke this key?"
          text={`Requests with the key ${revoking.name} (…${revoking.lastFour}) are refused from now on. This cannot be undone.`}
          action="Revoke key"
          isBusy={revoke.isPending}
          onConfirm={() => revoke.mutate(revoking.id, { onSettled: () => setRevoking(null) })}
          onClose={() => setRevoking(null)}
        />
      ) : null}
    </>
  );
}

function limitsOf({ requestsPerMinute, creditsPerMonth }: Key): string {
  const parts = [
    requestsPerMinute === null ? null : `${count(requestsPerMinute)} requests a minute`,
    creditsPerMonth === null ? null : `${countOf(creditsPerMonth, "credit")} a month`,
  ];
  return parts.filter(Boolean).join(", ") || "Team limits";
}

function NewKey({ onMade }: { onMade(key: string): void }) {
  const create = useChange<object, "createApiKey">((body) => call("POST", path, body), [path]);
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const limit = (name: string) => (data.get(name) ? Number(data.get(name)) : null);
    const body = {
      name: String(data.get("name")),
      requestsPerMinute: limit("requests"),
      creditsPerMonth: limit("credits"),
    };
    create.mutate(body, {
      onSuccess: ({ key }) => {
        form.reset();
        onMade(key);
      },
    });
  }
  return (
    <Card title="New key">
      <form className="card-body stack" onSubmit={submit}>
        <div className="grid thirds">
          <Field label="Name" hint="What uses it: laptop, n8n, nightly crawl">
            {(ids) => <input {...ids} name="name" className="input" required maxLength={64} autoComplete="off" />}
          </Field>
          <Field label="Requests a minute" hint="Leave empty for the team's limit">
            {(ids) => <input {...ids} name="requests" className="input" type="number" min={1} inputMode="numeric" />}
          </Field>
          <Field label="Credits a month" hint="Leave empty for the team's allowance">
            {(ids) => <input {...ids} name="credits" className="input" type="number" min={1} inputMode="numeric" />}
          </Field>
        </div>
        <ChangeProblem error={create.error} />
        <div>
          <button type="submit" className="button primary" disabled={create.isPending}>
            Create key
          </button>
        </div>
      </form>
    </Card>
  );
}

function MadeKey({ value, onClose }: { value: string; onClose(): void }) {
  return (
    <Dialog title="Your new key" onClose={onClose}>
      <div className="dialog-body">
        <h2>Your new key</h2>
        <p>Copy it now. It is shown only once.</p>
        <Code text={value} />
        <div className="dialog-foot">
          <button type="button" className="button primary" onClick={onClose}>
            Done
          </button>
        </div>
      </div>
    </Dialog>
  );
}
