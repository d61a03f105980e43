// Your passkeys: added by the device in front of you, listed, removed.
import { useState } from "react";
import { call } from "../api/call.ts";
import { addPasskey, hasPasskeys } from "../api/passkeys.ts";
import { type AnswerOf, useChange, useRead } from "../api/queries.ts";
import { Card, Confirm, Time } from "../parts/common-parts.tsx";
import { Listed } from "../parts/data-table.tsx";
import { InputField, SubmitForm } from "../parts/form-parts.tsx";
import { ChangeProblem, Empty } from "../parts/states.tsx";

const path = "/dashboard/api/passkeys";
type Passkey = AnswerOf<"listPasskeys">["passkeys"][number];

export function PasskeysCard() {
  const passkeys = useRead<"listPasskeys">(path);
  const remove = useChange<string, "removePasskey">((id) => call("DELETE", `${path}/${id}`), [path]);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  return (
    <Card title="Your passkeys">
      <ChangeProblem error={remove.error} />
      <Listed
        of={passkeys}
        rows={({ passkeys: list }) => list}
        keyOf={({ id }) => id}
        empty={<Empty title="No passkeys yet">A passkey signs you in with your device, without a password.</Empty>}
        columns={[
          { name: "Device", cell: ({ name }) => <span className="cut">{name}</span> },
          { name: "Added", cell: ({ createdAt }) => <Time at={createdAt} /> },
          { name: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
          { action: "Remove", isDangerous: true, onClick: (passkey) => setRemoving(passkey) },
        ]}
      />
      {hasPasskeys ? <NewPasskey /> : <NoPasskeysHere />}
      {removing ? (
        <Confirm
          title="Remove this passkey?"
          text={`${removing.name} will no longer sign you in.`}
          action="Remove passkey"
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate(removing.id, { onSettled: () => setRemoving(null) })}
          onClose={() => setRemoving(null)}
        />
      ) : null}
    </Card>
  );
}

function NewPasskey() {
  const add = useChange<string, "addPasskey">(addPasskey, [path]);
  return (
    <SubmitForm
      action="Add passkey"
      isPrimary={false}
      isBusy={add.isPending}
      error={add.error}
      onSend={(text, reset) => add.mutate(text("device"), { onSuccess: reset })}
    >
      <InputField
        label="Device"
        hint="What you call it: laptop, phone, key"
        name="device"
        required
        maxLength={64}
        autoComplete="off"
      />
    </SubmitForm>
  );
}

function NoPasskeysHere() {
  const { protocol, port } = window.location;
  const place = `${protocol}//localhost${port ? `:${port}` : ""}/dashboard`;
  return (
    <div className="card-body">
      <p className="notice">
        Passkeys need a hostname and a secure page. On the server's own machine, open <code>{place}</code>; elsewhere,
        use a hostname with HTTPS.
      </p>
    </div>
  );
}
