// Apps that people of the team have connected: what each may do, when it was last used, and how it ends.
import { useState } from "react";
import { call } from "../api/call.ts";
import { type AnswerOf, useChange, useRead, useSession } from "../api/queries.ts";
import { Card, Confirm, SectionHead, Time } from "../parts/common-parts.tsx";
import { Listed } from "../parts/data-table.tsx";
import { ActionButton } from "../parts/form-parts.tsx";
import { ChangeProblem, Empty } from "../parts/states.tsx";

const path = "/dashboard/api/apps";
type App = AnswerOf<"listApps">["apps"][number];

export function ConnectedAppsSection() {
  const apps = useRead<"listApps">(path);
  const isOwner = useSession().data?.role === "owner";
  const [revoking, setRevoking] = useState<App | null>(null);
  const revoke = useChange<string, "revokeApp">((id) => call("DELETE", `${path}/${id}`), [path]);
  return (
    <>
      <SectionHead
        title="Connected apps"
        about={`Programs that ${isOwner ? "people of this team" : "you"} let use this server, without a key. Names are what the apps call themselves.`}
      />
      <div className="stack">
        <Card>
          <Listed
            of={apps}
            rows={({ apps: list }) => list}
            keyOf={({ id }) => id}
            empty={
              <Empty title="No apps yet">
                Add this server to claude.ai, ChatGPT or another app by its URL: it asks you here for access.
              </Empty>
            }
            columns={[
              { name: "App", cell: ({ client }) => <span className="cut">{client.name}</span> },
              { name: "Host", kind: "mono", cell: ({ client }) => <span className="cut">{client.host}</span> },
              { name: "Person", cell: ({ person }) => <span className="cut">{person.name}</span> },
              { name: "May use", kind: "faint", cell: ({ scopes }) => scopes.join(", ") },
              { name: "Connected", cell: ({ createdAt }) => <Time at={createdAt} /> },
              { name: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
              {
                name: "Actions",
                kind: "actions",
                cell: (app) => (
                  <ActionButton kind="small danger" onClick={() => setRevoking(app)}>
                    Revoke
                  </ActionButton>
                ),
              },
            ]}
          />
        </Card>
        <ChangeProblem error={revoke.error} />
      </div>
      {revoking ? (
        <Confirm
          title="Revoke this app?"
          text={`${revoking.client.name} loses its access at once. ${revoking.person.name} can connect it again.`}
          action="Revoke app"
          isBusy={revoke.isPending}
          onConfirm={() => revoke.mutate(revoking.id, { onSettled: () => setRevoking(null) })}
          onClose={() => setRevoking(null)}
        />
      ) : null}
    </>
  );
}
