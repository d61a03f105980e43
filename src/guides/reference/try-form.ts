// The form below a request of the reference: a field for each simple value, and JSON for the rest. A script of the page shows and
// sends it (`web/try-requests`).
import { toHtmlText } from "../pages/html-text.ts";
import { type ApiDescription, type ApiEntry, resolveSchema } from "./open-api.ts";
import { type FieldRow, schemaFields } from "./schema-tables.ts";

/** What the script makes of a field's text. */
type FieldKind = "text" | "number" | "boolean" | "choice" | "lines" | "file" | "json";

interface TryField extends FieldRow {
  place: "path" | "query" | "header" | "body";
  kind: FieldKind;
  choices: string[];
  example: unknown;
  shownDefault: string;
  about: string;
}

/** The comment of the reference's markdown that a form takes the place of. */
const marker = /^try (\w+)$/;

/** An empty text for other comments. */
export function renderTryForm(comment: string, { document, entries }: ApiDescription): string {
  const [, name] = marker.exec(comment) ?? [];
  if (name === undefined) return "";
  const entry = entries().find(({ operation }) => operation.operationId === name);
  if (!entry) return "";
  const { method, path, operation, body } = entry;
  const id = operation.operationId;
  const fields = listFields(entry, { document, entries });
  const shown = fields.filter(({ isRequired, example }) => isRequired || example !== undefined);
  const others = fields.filter((field) => !shown.includes(field));
  const simple = others.filter(({ kind, place }) => kind !== "json" || place !== "body" || bodyKind(entry) !== "json");
  const rest = others.filter((field) => !simple.includes(field));
  const isWhole = bodyKind(entry) === "json" && !fields.some(({ place }) => place === "body");
  return `<details class="try card" data-method="${method}" data-path="${toHtmlText(path)}" data-body="${bodyKind(entry)}" hidden>
<summary>Try it<span class="visually-hidden">: ${toHtmlText(operation.summary)}</span></summary>
<form class="stack" data-request>
${operation.security?.length === 0 ? "" : keyField(id)}
${shown.map((field) => renderField(id, field)).join("\n")}
${bodyKind(entry) === "raw" ? renderFile(id) : ""}
${isWhole ? jsonField(id, "Body, as JSON", "", body?.example) : ""}
${simple.length === 0 ? "" : `<details><summary>Optional fields (${simple.length})</summary><div class="stack">${simple.map((field) => renderField(id, field)).join("\n")}</div></details>`}
${rest.length === 0 ? "" : jsonField(id, "Further fields, as JSON", `An object with any of ${rest.map((field) => field.name).join(", ")}.`, undefined)}
<div class="row"><button class="button primary" type="submit">Send request</button><button class="button" type="button" data-cancel hidden>Cancel</button></div>
</form>
<div class="try-answer stack" role="region" aria-label="Response" tabindex="-1" hidden></div>
</details>
`;
}

function bodyKind({ body }: ApiEntry): "none" | "json" | "form" | "raw" {
  if (body === null) return "none";
  if (body.type === "multipart/form-data") return "form";
  return body.type === "application/json" ? "json" : "raw";
}

function listFields(entry: ApiEntry, { document }: ApiDescription): TryField[] {
  const { parameters, body } = entry;
  const examples = (typeof body?.example === "object" ? body.example : null) as Record<string, unknown> | null;
  const inBody = body && bodyKind(entry) !== "raw" ? schemaFields(body.schema, document()) : [];
  const asField = (row: FieldRow, place: TryField["place"], example: unknown): TryField => {
    const schema = { ...resolveSchema(row.schema, document()), ...row.schema };
    const shownDefault = schema.default === undefined ? "" : JSON.stringify(schema.default);
    return { ...row, place, ...kindOf(schema), example, shownDefault, about: schema.description ?? "" };
  };
  return [
    ...parameters.map(({ name, schema, required = false, example, in: place, description = "" }) =>
      asField({ name, schema: { description, ...schema }, isRequired: required }, place as TryField["place"], example),
    ),
    ...inBody.map((row) => asField(row, "body", examples?.[row.name])),
  ];
}

function kindOf(schema: FieldRow["schema"]): { kind: FieldKind; choices: string[] } {
  const types = [schema.type ?? []].flat().filter((type) => type !== "null");
  const [type] = types;
  const choices = (schema.enum ?? []).filter((value): value is string => typeof value === "string");
  if (schema.contentMediaType !== undefined) return { kind: "file", choices: [] };
  if (choices.length > 0 && choices.length === schema.enum?.length) return { kind: "choice", choices };
  if (type === "array" && schema.items?.type === "string" && !schema.items.enum) return { kind: "lines", choices: [] };
  const isSimple = types.length === 1 && !schema.anyOf && !schema.oneOf;
  if (!isSimple) return { kind: "json", choices: [] };
  if (type === "boolean") return { kind: "boolean", choices: ["true", "false"] };
  if (type === "integer" || type === "number") return { kind: "number", choices: [] };
  return { kind: type === "string" ? "text" : "json", choices: [] };
}

function keyField(operation: string): string {
  const id = `try-${operation}-key`;
  return `<div class="field"><label for="${id}">API key</label>
<input class="input mono" id="${id}" type="password" data-key autocomplete="off" spellcheck="false" placeholder="fc-…">
<p class="hint">Stays in this tab. Not needed where you are signed in to the dashboard, or in open mode.</p></div>`;
}

function renderField(operation: string, { name, kind, place, choices, isRequired, ...field }: TryField): string {
  const id = `try-${operation}-${place}-${name}`.replace(/[^\w-]/g, "-");
  const common = `class="input" id="${id}" data-name="${toHtmlText(name)}" data-place="${place}" data-kind="${kind}"${isRequired ? " required" : ""}${field.about === "" ? "" : ` aria-describedby="${id}-about"`}`;
  const value = textOf(field.example, kind);
  const placeholder = ` placeholder="${toHtmlText(field.shownDefault)}"`;
  const control = {
    text: `<input ${common} type="text" value="${toHtmlText(value)}"${placeholder}>`,
    number: `<input ${common} type="number" step="any" value="${toHtmlText(value)}"${placeholder}>`,
    file: `<input ${common} type="file">`,
    lines: `<textarea ${common} rows="3" spellcheck="false">${toHtmlText(value)}</textarea>`,
    json: `<textarea ${common} rows="4" spellcheck="false">${toHtmlText(value)}</textarea>`,
    boolean: choiceControl(common, choices, value, field.shownDefault),
    choice: choiceControl(common, choices, value, field.shownDefault),
  }[kind];
  const form = { lines: ", one per line", json: ", as JSON" }[kind as string] ?? "";
  const about = field.about === "" ? "" : `<p class="hint" id="${id}-about">${toHtmlText(field.about)}</p>`;
  return `<div class="field"><label for="${id}"><code>${toHtmlText(name)}</code>${form}${isRequired ? " (required)" : ""}</label>${control}${about}</div>`;
}

function choiceControl(common: string, choices: readonly string[], value: string, shownDefault: string): string {
  const none = `<option value="">${shownDefault === "" ? "not set" : `default: ${toHtmlText(shownDefault)}`}</option>`;
  const options = choices.map(
    (each) => `<option value="${toHtmlText(each)}"${each === value ? " selected" : ""}>${toHtmlText(each)}</option>`,
  );
  return `<select ${common}>${none}${options.join("")}</select>`;
}

function textOf(example: unknown, kind: FieldKind): string {
  if (example === undefined) return "";
  if (kind === "lines" && Array.isArray(example)) return example.join("\n");
  return kind === "json" || typeof example === "object" ? JSON.stringify(example, null, 2) : String(example);
}

function jsonField(operation: string, label: string, hint: string, example: unknown): string {
  const id = `try-${operation}-json`;
  const value = example === undefined ? "" : JSON.stringify(example, null, 2);
  const about = hint === "" ? "" : `<p class="hint" id="${id}-about">${toHtmlText(hint)}</p>`;
  return `<div class="field"><label for="${id}">${label}</label>
<textarea class="input mono" id="${id}" data-rest rows="4" spellcheck="false" placeholder="{}"${hint === "" ? "" : ` aria-describedby="${id}-about"`}>${toHtmlText(value)}</textarea>${about}</div>`;
}

function renderFile(operation: string): string {
  const id = `try-${operation}-file`;
  return `<div class="field"><label for="${id}">File to send</label><input class="input" id="${id}" type="file" data-file></div>`;
}
