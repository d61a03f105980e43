// A channel for notices, new or changed. Its fields are those of the API's own schema.
import { type ComponentProps, useState } from "react";
import { type AnswerOf, useRead } from "../api/queries.ts";
import { ActionButton, Choice, Field, InputField, SubmitForm, TextField } from "../parts/form-parts.tsx";

export type Entry = AnswerOf<"listNotify">["notify"][number] & Record<string, unknown>;

interface FieldSchema {
  type?: string;
  description?: string;
  default?: unknown;
  const?: string;
  enum?: string[];
  properties?: Record<string, FieldSchema>;
  required?: string[];
  items?: FieldSchema & { anyOf?: FieldSchema[]; oneOf?: FieldSchema[] };
}

type Given = (name: string) => string;

interface NoticeFormProps extends Pick<ComponentProps<typeof SubmitForm>, "isBusy" | "error"> {
  /** Null for a new one. */
  edited: Entry | null;
  onSave(entry: object, reset: () => void): void;
  onCancel(): void;
}

const ownNames = ["channel", "id"];
const examples: Readonly<Record<string, string>> = { from: "22:00", to: "07:00" };
/** Until another one is typed. */
const first: Readonly<Record<string, string>> = { timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone };

export function NoticeForm({ edited, onSave, onCancel, isBusy, error }: NoticeFormProps) {
  const form = useRead<"readForm">("/dashboard/api/forms/replaceNotify");
  const { items } = (form.data?.fields.notify ?? {}) as FieldSchema;
  const variants = items?.oneOf ?? items?.anyOf ?? [];
  const names = variants.map(({ properties }) => properties?.channel?.const ?? "");
  const [chosen, setChosen] = useState(edited?.channel ?? "slack");
  const { properties = {}, required = [] } = variants[names.indexOf(chosen)] ?? {};
  const fields = Object.entries(properties).filter(([name]) => !ownNames.includes(name));
  return (
    <SubmitForm
      action={edited ? "Save channel" : "Add channel"}
      isBusy={isBusy}
      error={error}
      onSend={(text, reset) => onSave({ channel: chosen, ...givenValues(fields, text, "") }, reset)}
    >
      {edited ? (
        <div className="row">
          <span className="cut">Change {edited.channel}</span>
          <ActionButton kind="small" onClick={onCancel}>
            Cancel
          </ActionButton>
        </div>
      ) : (
        <Choice label="Channel" values={names} chosen={chosen} onChoose={setChosen} />
      )}
      {fields.map(([name, schema]) => (
        <EntryField
          key={`${chosen} ${name}`}
          name={name}
          label={name}
          schema={schema}
          isRequired={required.includes(name)}
          value={edited?.[name]}
        />
      ))}
    </SubmitForm>
  );
}

interface EntryFieldProps {
  /** In the form, where a part of a field has the name of the field before its own. */
  name: string;
  label: string;
  schema: FieldSchema;
  isRequired: boolean;
  value: unknown;
}

function EntryField({ name, label, schema, isRequired, value }: EntryFieldProps) {
  const { description: hint, items, properties } = schema;
  const shared = { label, hint, name, defaultValue: textOf(value) ?? first[label] };
  if (items?.enum || properties)
    return (
      <fieldset className="field">
        <legend className="label">{label}</legend>
        <div className={properties ? "grid halves" : "checks"}>
          {items?.enum?.map((each) => (
            <label key={each} className="check">
              <input
                type="checkbox"
                name={`${name}.${each}`}
                defaultChecked={Array.isArray(value) && value.includes(each)}
              />
              {each}
            </label>
          ))}
          {Object.entries(properties ?? {}).map(([part, of]) => (
            <EntryField
              key={part}
              name={`${name}.${part}`}
              label={part}
              schema={of}
              isRequired={false}
              value={(value as Record<string, unknown> | undefined)?.[part]}
            />
          ))}
        </div>
        <span className="hint">{hint}</span>
      </fieldset>
    );
  if (schema.enum)
    return (
      <Field label={label} hint={hint}>
        {(ids) => (
          <select className="input" name={name} defaultValue={shared.defaultValue} {...ids}>
            <option value="">–</option>
            {schema.enum?.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        )}
      </Field>
    );
  if (schema.type === "object") return <TextField {...shared} placeholder="Name: value" />;
  if (label === "template") return <TextField {...shared} />;
  return (
    <InputField
      {...shared}
      type={schema.type === "integer" ? "number" : "text"}
      required={isRequired}
      autoComplete="off"
      placeholder={examples[label] ?? textOf(schema.default)}
    />
  );
}

/** Without the fields that are left empty. */
function givenValues(fields: readonly [string, FieldSchema][], text: Given, before: string): Record<string, unknown> {
  const given = fields.map(([name, schema]) => [name, givenValue(`${before}${name}`, schema, text)] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function givenValue(name: string, { type, items, properties, required = [] }: FieldSchema, text: Given): unknown {
  if (items?.enum) {
    const chosen = items.enum.filter((each) => text(`${name}.${each}`) !== "");
    return chosen.length > 0 ? chosen : undefined;
  }
  if (properties) {
    const parts = givenValues(Object.entries(properties), text, `${name}.`);
    return required.some((part) => part in parts) ? parts : undefined;
  }
  const typed = text(name).trim();
  if (typed === "") return undefined;
  if (type === "integer") return Number(typed);
  if (type === "array") return typed.split(/[\s,]+/).filter(Boolean);
  if (type !== "object") return typed;
  return Object.fromEntries(
    typed.split("\n").map((line) => {
      const [header = "", ...value] = line.split(":");
      return [header.trim(), value.join(":").trim()];
    }),
  );
}

/** As it is typed. */
function textOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value !== "object") return String(value);
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${one}`)
    .join("\n");
}
