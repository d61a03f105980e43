// The people of the team, their roles, and invitations.
import { useState } from "react";
import { call } from "../api/call.ts";
import { useChange, useRead, useSession } from "../api/queries.ts";
import { Card, SectionHead, ShownOnce, Time } from "../parts/common-parts.tsx";
import { Listed } from "../parts/data-table.tsx";
import { ActionButton, Choice } from "../parts/form-parts.tsx";
import { ChangeProblem, Empty } from "../parts/states.tsx";

const path = "/dashboard/api/people";
const roles = ["owner", "member"] as const;

export function TeamSection() {
  const session = useSession().data;
  const isOwner = session?.role === "owner" && session.person !== null;
  const people = useRead<"listPeople">(path);
  const [link, setLink] = useState<string | null>(null);
  const [role, setRole] = useState<(typeof roles)[number]>("member");
  const invite = useChange<void, "createInvitation">(() => call("POST", "/dashboard/api/invitations", { role }), []);
  const change = useChange<{ id: string; role: string }, "setPersonRole">(
    ({ id, role: next }) => call("PATCH", `${path}/${id}`, { role: next }),
    [path, "session"],
  );
  const remove = useChange<string, "removePerson">((id) => call("DELETE", `${path}/${id}`), [path]);

  return (
    <>
      <SectionHead
        title="Team"
        about="Owners create keys, invite people and see the settings; members use everything else."
      >
        {isOwner ? (
          <>
            <Choice
              label="Role of the invited person"
              values={roles}
              chosen={role}
              onChoose={(next) => setRole(next)}
            />
            <ActionButton
              kind="primary"
              disabled={invite.isPending}
              onClick={() => invite.mutate(undefined, { onSuccess: ({ url }) => setLink(url) })}
            >
              Invite
            </ActionButton>
          </>
        ) : null}
      </SectionHead>
      <div className="stack">
        <ChangeProblem error={invite.error ?? change.error ?? remove.error} />
        <Card>
          <Listed
            of={people}
            rows={({ people: list }) => list}
            keyOf={({ id }) => id}
            empty={<Empty title="No members">In open mode, there is no sign-in.</Empty>}
            columns={[
              { name: "Name", cell: ({ name }) => <span className="cut">{name}</span> },
              { name: "Signs in as", kind: "faint", cell: ({ signInName }) => signInName ?? "links and passkeys" },
              {
                name: "Role",
                cell: (person) =>
                  isOwner ? (
                    <Choice
                      label={`Role of ${person.name}`}
                      values={roles}
                      chosen={person.role}
                      onChoose={(next) => change.mutate({ id: person.id, role: next })}
                    />
                  ) : (
                    person.role
                  ),
              },
              { name: "Since", cell: ({ since }) => <Time at={since} /> },
              {
                action: "Remove",
                isDangerous: true,
                isFor: ({ id }) => isOwner && id !== session?.person?.id,
                onClick: ({ id }) => remove.mutate(id),
              },
            ]}
          />
        </Card>
      </div>
      {link ? (
        <ShownOnce
          title="Invitation"
          about="Send this link to one person. It works once, for seven days."
          text={link}
          onClose={() => setLink(null)}
        />
      ) : null}
    </>
  );
}
