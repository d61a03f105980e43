// The channels that are told what happens: listed, tried, added and removed. Their fields are those of the API's own schema.
import { useState } from "react";
import { call } from "../api/call.ts";
import { type AnswerOf, useChange, useRead } from "../api/queries.ts";
import { Badge, Card } from "../parts/common-parts.tsx";
import { Listed } from "../parts/data-table.tsx";
import { Choice, InputField, SubmitForm, TextField } from "../parts/form-parts.tsx";
import { ChangeProblem, Empty } from "../parts/states.tsx";

const path = "/v2/team/notify";

interface FieldSchema {
  type?: string;
  description?: string;
  const?: string;
  enum?: string[];
  properties?: Record<string, FieldSchema>;
  required?: string[];
  items?: FieldSchema & { anyOf?: FieldSchema[]; oneOf?: FieldSchema[] };
}
type Entry = AnswerOf<"listNotify">["notify"][number] & Record<string, unknown>;

/** Set through the API. */
const unlisted = ["channel", "id", "events", "quietHours"];

export function NoticeChannels() {
  const entries = useRead<"listNotify">(path);
  const [tried, setTried] = useState<Entry | null>(null);
  const list = (entries.data?.notify ?? []) as Entry[];
  const save = useChange<object[], "replaceNotify">((notify) => call("PUT", path, { notify }), [path]);
  const test = useChange<string, "testNotify">((id) => call("POST", `${path}/${id}/test`, {}), []);
  const tryOut = (entry: Entry) => {
    setTried(entry);
    test.mutate(entry.id);
  };
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
          { name: "When", cell: ({ digest }) => (typeof digest === "string" ? digest : "at once") },
          { action: "Test", onClick: tryOut },
          { action: "Remove", onClick: ({ id }) => save.mutate(list.filter((entry) => entry.id !== id)) },
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
      <NewChannel onSave={(entry) => save.mutate([...list, entry])} isBusy={save.isPending} error={save.error} />
    </Card>
  );
}

interface NewChannelProps extends Pick<Parameters<typeof SubmitForm>[0], "isBusy" | "error"> {
  onSave(entry: object): void;
}

function NewChannel({ onSave, isBusy, error }: NewChannelProps) {
  const form = useRead<"readForm">("/dashboard/api/forms/replaceNotify");
  const { items } = (form.data?.fields.notify ?? {}) as FieldSchema;
  const variants = items?.oneOf ?? items?.anyOf ?? [];
  const names = variants.map(({ properties }) => properties?.channel?.const ?? "");
  const [chosen, setChosen] = useState("slack");
  const variant = variants[names.indexOf(chosen)];
  const fields = Object.entries(variant?.properties ?? {}).filter(([name]) => !unlisted.includes(name));
  return (
    <SubmitForm
      action="Add channel"
      isBusy={isBusy}
      error={error}
      onSend={(text, reset) => {
        const given = fields.flatMap(([name, schema]) => {
          const value = typedValue(schema, text(name).trim());
          return value === undefined ? [] : [[name, value]];
        });
        onSave({ channel: chosen, ...Object.fromEntries(given) });
        reset();
      }}
    >
      <Choice label="Channel" values={names} chosen={chosen} onChoose={setChosen} />
      {fields.map(([name, schema]) => (
        <EntryField
          key={`${chosen} ${name}`}
          name={name}
          schema={schema}
          isRequired={variant?.required?.includes(name)}
        />
      ))}
    </SubmitForm>
  );
}

function EntryField({
  name,
  schema,
  isRequired,
}: {
  name: string;
  schema: FieldSchema;
  isRequired?: boolean | undefined;
}) {
  const shared = { label: name, hint: schema.description, name };
  if (schema.enum) return <InputField {...shared} list={`${name}-values`} placeholder={schema.enum.join(", ")} />;
  if (schema.type === "object") return <TextField {...shared} placeholder="Name: value" />;
  if (name === "template") return <TextField {...shared} />;
  const type = schema.type === "integer" ? "number" : "text";
  return <InputField {...shared} type={type} required={isRequired} autoComplete="off" />;
}

/** Undefined for a field that is left empty. */
function typedValue({ type }: FieldSchema, text: string): unknown {
  if (text === "") return undefined;
  if (type === "integer") return Number(text);
  if (type === "array") return text.split(/[\s,]+/).filter(Boolean);
  if (type !== "object") return text;
  return Object.fromEntries(
    text.split("\n").map((line) => {
      const [name = "", ...value] = line.split(":");
      return [name.trim(), value.join(":").trim()];
    }),
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
