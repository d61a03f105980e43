// API keys: made with a name and limits, shown once, revoked.
import { useState } from "react";
import { call } from "../api/call.ts";
import { type AnswerOf, useChange, useRead, useSession } from "../api/queries.ts";
import { Badge, Card, Confirm, count, countOf, SectionHead, ShownOnce, Time } from "../parts/common-parts.tsx";
import { Listed } from "../parts/data-table.tsx";
import { ActionButton, InputField, SubmitForm } from "../parts/form-parts.tsx";
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
                    <ActionButton kind="small danger" onClick={() => setRevoking(key)}>
                      Revoke
                    </ActionButton>
                  ) : null,
              },
            ]}
          />
        </Card>
        <ChangeProblem error={revoke.error} />
      </div>
      {made === null ? null : (
        <ShownOnce
          title="Your new key"
          about="Copy it now. It is shown only once."
          text={made}
          onClose={() => setMade(null)}
        />
      )}
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
    requestsPerMinute === null ? null : `${count(requestsPerMinute)} requests per minute`,
    creditsPerMonth === null ? null : `${countOf(creditsPerMonth, "credit")} per month`,
  ];
  return parts.filter(Boolean).join(", ") || "Team limits";
}

function NewKey({ onMade }: { onMade(key: string): void }) {
  const create = useChange<object, "createApiKey">((body) => call("POST", path, body), [path]);
  function send(text: (name: string) => string, reset: () => void) {
    const limit = (name: string) => (text(name) ? Number(text(name)) : null);
    const body = { name: text("name"), requestsPerMinute: limit("requests"), creditsPerMonth: limit("credits") };
    create.mutate(body, {
      onSuccess: ({ key }) => {
        reset();
        onMade(key);
      },
    });
  }
  const figure = { type: "number", min: 1, inputMode: "numeric" } as const;
  return (
    <Card title="New key">
      <SubmitForm action="Create key" isBusy={create.isPending} error={create.error} onSend={send}>
        <div className="grid thirds">
          <InputField
            label="Name"
            hint="What uses it: laptop, n8n, nightly crawl"
            name="name"
            required
            maxLength={64}
            autoComplete="off"
          />
          <InputField label="Requests per minute" hint="Leave empty for the team's limit" name="requests" {...figure} />
          <InputField
            label="Credits per month"
            hint="Leave empty for the team's allowance"
            name="credits"
            {...figure}
          />
        </div>
      </SubmitForm>
    </Card>
  );
}
