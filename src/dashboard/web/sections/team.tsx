// The people of the team, their roles, and invitations.
import { useState } from "react";
import { call } from "../api/call.ts";
import { useChange, useRead, useSession } from "../api/queries.ts";
import { Card, Code, Dialog, SectionHead, Time } from "../parts/common-parts.tsx";
import { Listed } from "../parts/data-table.tsx";
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
            <select
              className="input"
              aria-label="Role of the invited person"
              value={role}
              onChange={(event) => setRole(event.target.value as (typeof roles)[number])}
            >
              {roles.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
            <button
              type="button"
              className="button primary"
              disabled={invite.isPending}
              onClick={() => invite.mutate(undefined, { onSuccess: ({ url }) => setLink(url) })}
            >
              Invite
            </button>
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
            empty={<Empty title="No one has signed in">In open mode there is no sign-in.</Empty>}
            columns={[
              { name: "Name", cell: ({ name }) => <span className="cut">{name}</span> },
              { name: "Signs in as", kind: "faint", cell: ({ signInName }) => signInName ?? "links and passkeys" },
              {
                name: "Role",
                cell: (person) =>
                  isOwner ? (
                    <select
                      className="input"
                      aria-label={`Role of ${person.name}`}
                      value={person.role}
                      onChange={(event) => change.mutate({ id: person.id, role: event.target.value })}
                    >
                      {roles.map((each) => (
                        <option key={each}>{each}</option>
                      ))}
                    </select>
                  ) : (
                    person.role
                  ),
              },
              { name: "Since", cell: ({ since }) => <Time at={since} /> },
              {
                name: "Actions",
                kind: "actions",
                cell: ({ id }) =>
                  isOwner && id !== session?.person?.id ? (
                    <button type="button" className="button small danger" onClick={() => remove.mutate(id)}>
                      Remove
                    </button>
                  ) : null,
              },
            ]}
          />
        </Card>
      </div>
      {link ? (
        <Dialog title="Invitation" onClose={() => setLink(null)}>
          <div className="dialog-body">
            <h2>Invitation</h2>
            <p>Send this link to one person. It works once, for seven days.</p>
            <Code text={link} />
            <div className="dialog-foot">
              <button type="button" className="button primary" onClick={() => setLink(null)}>
                Done
              </button>
            </div>
          </div>
        </Dialog>
      ) : null}
    </>
  );
}
