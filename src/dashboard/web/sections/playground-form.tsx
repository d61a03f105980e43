// A form for one operation, made from the fields that the contract describes.
import { useState } from "react";
import type { AnswerOf } from "../api/queries.ts";
import { CheckBox, Field, InputField, TextField } from "../parts/form-parts.tsx";
import { type Body, parsed } from "./playground-request.ts";

export type FormShape = AnswerOf<"readForm">;

interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  description?: string;
  default?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
}

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
  if (schema.type === "object" && schema.properties && Object.keys(schema.properties).length > 0)
    return <Group {...props} />;
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
  rows?: number;
  value: unknown;
  onChange(value: unknown): void;
}

/** Anything else, as JSON. What is not JSON yet is kept here and not sent. */
function JsonField({ value, onChange, rows = 2, ...ids }: JsonFieldProps) {
  const [text, setText] = useState(value === undefined ? "" : JSON.stringify(value, null, 1));
  const isBroken = text.trim() !== "" && parsed(text) === undefined;
  return (
    <textarea
      {...ids}
      className="input mono"
      placeholder="JSON"
      rows={rows}
      aria-invalid={isBroken}
      value={text}
      onChange={(event) => {
        setText(event.target.value);
        onChange(parsed(event.target.value));
      }}
    />
  );
}

type Format = string | ({ type: string } & Body);

const nameOf = (format: Format) => (typeof format === "string" ? format : format.type);

/** The options of each format, in the order of the contract. */
function formatOptions(schema: Schema): Map<string, Schema> {
  const objects = (schema.items?.anyOf ?? []).flatMap(({ oneOf = [] }) => oneOf);
  return new Map(objects.map((each) => [String(each.properties?.type?.const ?? ""), each]));
}

/** Every format that the contract has, with its options while it is chosen. */
function Formats({ schema, value, onChange }: FieldProps) {
  const list = Array.isArray(value) ? (value as Format[]) : ["markdown"];
  const formats = formatOptions(schema);
  const replace = (name: string, next: Format | null) => {
    const place = list.findIndex((each) => nameOf(each) === name);
    if (place < 0) return onChange(next === null ? list : [...list, next]);
    onChange(list.flatMap((each, at) => (at !== place ? [each] : next === null ? [] : [next])));
  };
  return (
    <fieldset className="field">
      <legend className="label">formats</legend>
      <div className="checks">
        {[...formats].map(([name, format]) => (
          <CheckBox
            key={name}
            label={name}
            isOn={list.some((each) => nameOf(each) === name)}
            onToggle={(isOn) => replace(name, isOn ? plainFormat(name, format) : null)}
          />
        ))}
      </div>
      {list.map((each) => (
        <FormatOptions
          key={nameOf(each)}
          format={each}
          schema={formats.get(nameOf(each)) ?? {}}
          onChange={(next) => replace(nameOf(each), next)}
        />
      ))}
    </fieldset>
  );
}

/** A bare name where nothing has to be said. Data comes with its evidence, which shows where on the page it was found. */
function plainFormat(name: string, { required = [], properties = {} }: Schema): Format {
  if ("evidence" in properties) return { type: name, evidence: true };
  return required.length > 1 ? { type: name } : name;
}

interface FormatOptionsProps {
  format: Format;
  schema: Schema;
  onChange(next: Format): void;
}

function FormatOptions({ format, schema: { properties = {}, required = [] }, onChange }: FormatOptionsProps) {
  const { type, ...options }: Body = typeof format === "string" ? { type: format } : format;
  const names = Object.keys(properties).filter((name) => name !== "type");
  if (names.length === 0) return null;
  const change = (name: string, value: unknown) => {
    const next = withField(options, name, value);
    onChange(Object.keys(next).length === 0 && required.length < 2 ? String(type) : { type: String(type), ...next });
  };
  return (
    <details className="options-of" open={required.length > 1 || type === "json"}>
      <summary>Options of {String(type)}</summary>
      <div className="stack">
        {names.map((name) => (
          <FormField
            key={name}
            name={name}
            schema={properties[name] ?? {}}
            isRequired={required.includes(name)}
            value={options[name]}
            onChange={(value) => change(name, value)}
          />
        ))}
      </div>
    </details>
  );
}

/** The fields of an object, one by one. */
function Group({ name, schema: { properties = {}, required = [], description }, value, onChange }: FieldProps) {
  const body = (value ?? {}) as Body;
  const change = (field: string, next: unknown) => {
    const all = withField(body, field, next);
    onChange(Object.keys(all).length === 0 ? undefined : all);
  };
  return (
    <details className="options-of">
      <summary>{name}</summary>
      <div className="stack">
        {description ? <p className="hint">{description}</p> : null}
        {Object.entries(properties).map(([field, schema]) => (
          <FormField
            key={field}
            name={field}
            schema={schema}
            isRequired={required.includes(field) && value !== undefined}
            value={body[field]}
            onChange={(next) => change(field, next)}
          />
        ))}
      </div>
    </details>
  );
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** For requests that have no form. */
export function AnyRequestForm({ body, onChange }: Pick<FormProps, "body" | "onChange">) {
  const { method, path, body: sent } = body;
  return (
    <div className="stack">
      <Field label="Method">
        {(ids) => (
          <select
            {...ids}
            className="input"
            value={String(method)}
            onChange={(event) => onChange({ ...body, method: event.target.value })}
          >
            {methods.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        )}
      </Field>
      <InputField
        label="Path"
        required
        pattern="/.*"
        placeholder="/v2/scrape"
        value={String(path ?? "")}
        onChange={(event) => onChange({ ...body, path: event.target.value })}
      />
      {method === "GET" ? null : (
        <Field label="Body" hint="JSON, as the API reference describes it">
          {(ids) => (
            <JsonField {...ids} rows={12} value={sent} onChange={(next) => onChange({ ...body, body: next })} />
          )}
        </Field>
      )}
    </div>
  );
}
