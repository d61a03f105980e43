// The channels that are told what happens: listed, tried, added, changed and removed.
import { useState } from "react";
import { call } from "../api/call.ts";
import { useChange, useRead } from "../api/queries.ts";
import { Badge, Card } from "../parts/common-parts.tsx";
import { Listed } from "../parts/data-table.tsx";
import { ActionButton } from "../parts/form-parts.tsx";
import { ChangeProblem, Empty } from "../parts/states.tsx";
import { type Entry, NoticeForm } from "./notice-form.tsx";

const path = "/v2/team/notify";

export function NoticeChannels() {
  const entries = useRead<"listNotify">(path);
  const [tried, setTried] = useState<Entry | null>(null);
  const [edited, setEdited] = useState<Entry | null>(null);
  const list = (entries.data?.notify ?? []) as Entry[];
  const save = useChange<object[], "replaceNotify">((notify) => call("PUT", path, { notify }), [path]);
  const test = useChange<string, "testNotify">((id) => call("POST", `${path}/${id}/test`, {}), []);
  const tryOut = (entry: Entry) => {
    setTried(entry);
    test.mutate(entry.id);
  };
  const remove = (entry: Entry) => {
    setEdited(null);
    save.mutate(list.filter(({ id }) => id !== entry.id));
  };
  function send(given: object, reset: () => void) {
    const id = edited?.id;
    const changed = list.map((entry) => (entry.id === id ? { ...given, id } : entry));
    const end = () => {
      setEdited(null);
      reset();
    };
    save.mutate(edited ? changed : [...list, given], { onSuccess: end });
  }
  return (
    <Card title="Notices">
      <Listed
        of={entries}
        rows={({ notify }) => notify as Entry[]}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No channels">
            Add one below: it is told what monitors find, what fails, and what is wrong with the server.
          </Empty>
        }
        columns={[
          { name: "Channel", cell: ({ channel }) => channel },
          { name: "To", cell: (entry) => <span className="cut">{placeOf(entry)}</span> },
          { name: "Tells of", cell: ({ events }) => (Array.isArray(events) ? events.join(", ") : "everything") },
          { name: "When", cell: timesOf },
          {
            name: "Actions",
            kind: "actions",
            cell: (entry) => (
              <div className="row">
                <ActionButton kind="small" onClick={() => tryOut(entry)}>
                  Test
                </ActionButton>
                <ActionButton kind="small" aria-pressed={edited?.id === entry.id} onClick={() => setEdited(entry)}>
                  Edit
                </ActionButton>
                <ActionButton kind="small danger" onClick={() => remove(entry)}>
                  Remove
                </ActionButton>
              </div>
            ),
          },
        ]}
      />
      <ChangeProblem error={test.error} />
      {test.data && tried ? (
        <p className="notice" role="status">
          <Badge state={test.data.delivered ? "delivered" : "failed"} />{" "}
          {test.data.delivered
            ? `${tried.channel} took the test notice${test.data.status === null ? "" : ` (${test.data.status})`}.`
            : `${tried.channel}: ${test.data.error}`}
        </p>
      ) : null}
      <NoticeForm
        key={edited?.id ?? "new"}
        edited={edited}
        onSave={send}
        onCancel={() => setEdited(null)}
        isBusy={save.isPending}
        error={save.error}
      />
    </Card>
  );
}

/** What of an entry says where it leads. */
function placeOf({ to, room, chatId, url, topic }: Entry): string {
  const [place] = [
    Array.isArray(to) ? to.join(", ") || "members of the team" : undefined,
    room,
    chatId,
    url,
    topic,
  ].filter((each) => typeof each === "string" && each !== "");
  return String(place ?? "");
}

function timesOf({ digest, quietHours }: Entry): string {
  const times = typeof digest === "string" ? digest : "at once";
  const { from, to } = (quietHours ?? {}) as { from?: string; to?: string };
  return from === undefined ? times : `${times}, not ${from}–${to}`;
}
