// A form for one operation, made from the fields that the contract describes.
import { useState } from "react";
import type { AnswerOf } from "../api/queries.ts";
import { CheckBox, Field, InputField, TextField } from "../parts/form-parts.tsx";

export type FormShape = AnswerOf<"readForm">;
export type Body = Record<string, unknown>;

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  description?: string;
  default?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  minimum?: number;
  maximum?: number;
}

/** Formats without required options. */
const plainFormats = ["markdown", "html", "rawHtml", "links", "images", "summary", "screenshot"];
const labels: Readonly<Record<string, string>> = { url: "URL", urls: "URLs" };

interface FormProps {
  form: FormShape;
  /** Shown first, in this order. */
  common: readonly string[];
  body: Body;
  onChange(body: Body): void;
}

export function RequestForm({ form, common, body, onChange }: FormProps) {
  const [text, setText] = useState("");
  const names = Object.keys(form.fields);
  const first = common.filter((name) => names.includes(name));
  const others = names.filter((name) => !first.includes(name));
  const wanted = text.trim().toLowerCase();
  const found = others.filter((name) => {
    const { description = "" } = form.fields[name] as Schema;
    return `${name} ${description}`.toLowerCase().includes(wanted);
  });
  const fieldOf = (name: string) => (
    <FormField
      key={name}
      name={name}
      schema={form.fields[name] as Schema}
      isRequired={form.required.includes(name)}
      value={body[name]}
      onChange={(value) => onChange(withField(body, name, value))}
    />
  );
  return (
    <div className="stack">
      {first.map(fieldOf)}
      <details>
        <summary>More options ({others.length})</summary>
        <div className="stack more-options">
          <InputField
            label="Find an option"
            type="search"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          {found.map(fieldOf)}
        </div>
      </details>
    </div>
  );
}

function withField(body: Body, name: string, value: unknown): Body {
  const { [name]: _, ...rest } = body;
  return value === undefined || value === "" ? rest : { ...rest, [name]: value };
}

interface FieldProps {
  name: string;
  schema: Schema;
  isRequired: boolean;
  value: unknown;
  onChange(value: unknown): void;
}

function FormField(props: FieldProps) {
  const { name, schema, isRequired, value, onChange } = props;
  const label = { label: labels[name] ?? name, hint: schema.description };
  if (name === "formats") return <Formats {...props} />;
  if (schema.type === "boolean") {
    return (
      <div className="field">
        <CheckBox label={label.label} isOn={Boolean(value ?? schema.default)} onToggle={onChange} />
        {label.hint ? <span className="hint">{label.hint}</span> : null}
      </div>
    );
  }
  if (schema.enum) return <Field {...label}>{(ids) => <Select ids={ids} {...props} />}</Field>;
  if (schema.type === "integer" || schema.type === "number") {
    return (
      <InputField
        {...label}
        type="number"
        min={schema.minimum}
        max={schema.maximum}
        placeholder={schema.default === undefined ? "" : String(schema.default)}
        value={value === undefined ? "" : Number(value)}
        onChange={(event) => onChange(event.target.value === "" ? undefined : Number(event.target.value))}
      />
    );
  }
  if (schema.type === "array" && isText(schema.items)) {
    return (
      <TextField
        {...label}
        className="input mono"
        placeholder="One a line"
        value={Array.isArray(value) ? value.join("\n") : ""}
        onChange={(event) => onChange(event.target.value === "" ? undefined : event.target.value.split("\n"))}
      />
    );
  }
  if (!isText(schema))
    return <Field {...label}>{(ids) => <JsonField {...ids} value={value} onChange={onChange} />}</Field>;
  const typed = { ...label, required: isRequired, value: String(value ?? "") };
  if (name === "prompt" || name === "query")
    return <TextField {...typed} onChange={(event) => onChange(event.target.value)} />;
  const kind = name === "url" ? { type: "url", placeholder: "https://example.com" } : { type: "text" };
  return <InputField {...typed} {...kind} onChange={(event) => onChange(event.target.value)} />;
}

function Select({ ids, schema, value, onChange }: FieldProps & { ids: object }) {
  return (
    <select {...ids} className="input" value={String(value ?? "")} onChange={(event) => onChange(event.target.value)}>
      <option value="">{schema.default === undefined ? "not set" : `${String(schema.default)} (default)`}</option>
      {schema.enum?.map((each) => (
        <option key={String(each)}>{String(each)}</option>
      ))}
    </select>
  );
}

function isText(schema: Schema | undefined): boolean {
  return schema?.type === "string" && !schema.enum;
}

interface JsonFieldProps {
  id: string;
  "aria-describedby"?: string;
  value: unknown;
  onChange(value: unknown): void;
}

/** Anything else, as JSON. What is not JSON yet is kept here and not sent. */
function JsonField({ value, onChange, ...ids }: JsonFieldProps) {
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value, null, 1));
  const isBroken = text.trim() !== "" && parsed(text) === undefined;
  return (
    <textarea
      {...ids}
      className="input mono"
      placeholder="JSON"
      rows={2}
      aria-invalid={isBroken}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        onChange(parsed(event.target.value));
      }}
    />
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface JsonFormat {
  type: "json";
  prompt?: string;
  schema?: unknown;
  evidence?: boolean;
}

function isJsonFormat(each: unknown): each is JsonFormat {
  return typeof each === "object" && each !== null && (each as JsonFormat).type === "json";
}

/** The usual formats to tick, and data with its prompt and schema. */
function Formats({ value, onChange }: FieldProps) {
  const list: unknown[] = Array.isArray(value) ? value : ["markdown"];
  const json = list.find(isJsonFormat);
  const toggle = (name: string, isOn: boolean) =>
    onChange(isOn ? [...list, name] : list.filter((each) => each !== name));
  const setJson = (next: JsonFormat | null) => {
    const rest = list.filter((each) => !isJsonFormat(each));
    onChange(next ? [...rest, next] : rest);
  };
  return (
    <fieldset className="field">
      <legend className="label">formats</legend>
      <div className="checks">
        {plainFormats.map((name) => (
          <CheckBox key={name} label={name} isOn={list.includes(name)} onToggle={(isOn) => toggle(name, isOn)} />
        ))}
        <CheckBox
          label="json"
          isOn={json !== undefined}
          onToggle={(isOn) => setJson(isOn ? { type: "json", evidence: true } : null)}
        />
      </div>
      {json ? (
        <>
          <TextField
            label="What to extract"
            value={json.prompt ?? ""}
            onChange={(event) => setJson(withoutEmpty({ ...json, prompt: event.target.value }))}
          />
          <Field label="JSON Schema">
            {(ids) => (
              <JsonField
                {...ids}
                value={json.schema}
                onChange={(schema) => setJson(withoutEmpty({ ...json, schema }))}
              />
            )}
          </Field>
        </>
      ) : null}
    </fieldset>
  );
}

function withoutEmpty({ schema, prompt, ...rest }: JsonFormat): JsonFormat {
  return { ...rest, ...(schema === undefined ? {} : { schema }), ...(prompt ? { prompt } : {}) };
}
