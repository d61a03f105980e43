// What flows may type, by name: stored, listed, deleted. Values are never shown.
import { useState } from "react";
import { call } from "../api/call.ts";
import { type AnswerOf, useChange, useRead } from "../api/queries.ts";
import { Card, Confirm, Time } from "../parts/common-parts.tsx";
import { Listed } from "../parts/data-table.tsx";
import { CheckBox, InputField, SubmitForm } from "../parts/form-parts.tsx";
import { ChangeProblem, Empty } from "../parts/states.tsx";

const path = "/v2/team/secrets";
type Secret = AnswerOf<"listSecrets">["secrets"][number];

export function SecretsCard() {
  const secrets = useRead<"listSecrets">(path);
  const remove = useChange<string, "deleteSecret">(
    (name) => call("DELETE", `${path}/${encodeURIComponent(name)}`),
    [path],
  );
  const [removing, setRemoving] = useState<Secret | null>(null);
  return (
    <Card title="Secrets">
      <ChangeProblem error={remove.error} />
      <Listed
        of={secrets}
        rows={({ secrets: list }) => list}
        keyOf={({ name }) => name}
        empty={
          <Empty title="No secrets yet">Flows type them where you allow it, and nothing shows their values.</Empty>
        }
        columns={[
          { name: "Name", kind: "mono", cell: ({ name }) => <span className="cut">{name}</span> },
          { name: "Type", cell: ({ type }) => (type === "totp" ? "One-time codes" : "Text") },
          { name: "Hosts", cell: ({ hosts }) => <span className="cut">{hosts.join(", ")}</span> },
          { name: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
          { action: "Delete", isDangerous: true, onClick: (secret) => setRemoving(secret) },
        ]}
      />
      <NewSecret />
      {removing ? (
        <Confirm
          title="Delete this secret?"
          text={`Flows that type ${removing.name} will fail.`}
          action="Delete secret"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(removing.name, { onSettled: () => setRemoving(null) })}
          onClose={() => setRemoving(null)}
        />
      ) : null}
    </Card>
  );
}

function NewSecret() {
  const [isCode, setIsCode] = useState(false);
  const put = useChange<object, "putSecret">((body) => call("POST", path, body), [path]);
  return (
    <SubmitForm
      action="Store secret"
      isPrimary={false}
      isBusy={put.isPending}
      error={put.error}
      onSend={(text, reset) =>
        put.mutate(
          {
            name: text("secret"),
            type: isCode ? "totp" : "text",
            value: text("value"),
            hosts: text("hosts")
              .split(/[\s,]+/)
              .filter(Boolean),
          },
          { onSuccess: reset },
        )
      }
    >
      <InputField
        label="Secret"
        hint="Its name; one of the same name is replaced"
        name="secret"
        required
        maxLength={64}
        autoComplete="off"
      />
      <InputField
        label="Value"
        hint={isCode ? "The key in base32, or the otpauth:// URI" : "Never shown again"}
        name="value"
        type="password"
        required
        maxLength={4096}
        autoComplete="new-password"
      />
      <InputField
        label="Hosts"
        hint="Where it may be typed, separated by commas: example.com, login.example.com:8443"
        name="hosts"
        required
        autoComplete="off"
      />
      <CheckBox label="Key of one-time codes" isOn={isCode} onToggle={setIsCode} />
    </SubmitForm>
  );
}
