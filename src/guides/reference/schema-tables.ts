// A schema as tables of markdown: a row a field, fields of objects beside their object, shared schemas as links.
import { type ApiDocument, type ApiSchema, resolveSchema, sharedName } from "./open-api.ts";

export interface FieldRow {
  name: string;
  schema: ApiSchema;
  isRequired: boolean;
}

/** The page of the shared schemas, as the other pages of the reference link to it. */
export const schemaPage = "schemas.md";
/** Deeper objects are shown by their type alone. */
const maxDepth = 3;

export function fieldTable(rows: readonly FieldRow[], document: ApiDocument): string {
  if (rows.length === 0) return "";
  const lines = rows.flatMap((row) => linesOf(row, document, 1));
  return ["| field | type | meaning |", "| --- | --- | --- |", ...lines].join("\n");
}

/** The fields of an object; of one that may take several forms, those of all forms that have no name. */
export function schemaFields(schema: ApiSchema, document: ApiDocument): FieldRow[] {
  const { properties = {}, required = [], anyOf = [], oneOf = [] } = resolveSchema(schema, document);
  const own = Object.entries(properties).map(([name, field]) => ({
    name,
    schema: field,
    isRequired: required.includes(name),
  }));
  const rest = [...anyOf, ...oneOf].flatMap((each) =>
    sharedName(each, document) === null ? schemaFields(each, document) : [],
  );
  const seen = new Set(own.map(({ name }) => name));
  return [...own, ...rest.filter(({ name }) => !seen.has(name) && seen.add(name))];
}

function linesOf({ name, schema, isRequired }: FieldRow, document: ApiDocument, depth: number): string[] {
  const { description = "" } = { ...resolveSchema(schema, document), ...schema };
  const about = [description, ...limitsOf(resolveSchema(schema, document))].filter((text) => text !== "").join(". ");
  const title = `\`${name}\`${isRequired ? " (required)" : ""}`;
  return [
    `| ${title} | ${typeOf(schema, document)} | ${cell(about)} |`,
    ...(depth < maxDepth ? innerRows(name, schema, document) : []).flatMap((row) => linesOf(row, document, depth + 1)),
  ];
}

function innerRows(name: string, used: ApiSchema, document: ApiDocument): FieldRow[] {
  if (sharedName(used, document) !== null) return [];
  const schema = resolveSchema(used, document);
  if (schema.items) return innerRows(`${name}[]`, schema.items, document);
  // Forms that a field tells apart are a list in their type; their fields would be one heap.
  const forms = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter((each) => each.properties);
  if (forms.length > 1) return [];
  const lists = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter((each) => each.items);
  const fields = schemaFields(schema, document).map((row) => ({
    ...row,
    name: `${name}.${row.name}`,
    isRequired: false,
  }));
  return [...fields, ...lists.flatMap((each) => innerRows(name, each, document))];
}

export function typeOf(used: ApiSchema, document: ApiDocument): string {
  const name = sharedName(used, document);
  if (name !== null) return `[${name}](${schemaPage}#${name.toLowerCase()})`;
  const schema = resolveSchema(used, document);
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum) return schema.enum.map(code).join(", ");
  if (schema.items) return `list of ${typeOf(schema.items, document)}`;
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map((each) => typeOf(each, document));
  if (choices.length > 0) return [...new Set(choices)].join(" or ");
  if (schema.contentMediaType !== undefined) return "file";
  const { additionalProperties: others, properties } = schema;
  if (typeof others === "object" && !properties && Object.keys(others).length > 0)
    return `object of ${typeOf(others, document)}`;
  return [schema.type ?? "any"].flat().join(" or ");
}

function limitsOf(schema: ApiSchema): string[] {
  const { minimum, exclusiveMinimum, maximum, maxLength, maxItems } = schema;
  return [
    ...(schema.default === undefined ? [] : [`Default ${code(schema.default)}`]),
    ...(minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? [] : [`At least ${minimum}`]),
    ...(exclusiveMinimum === undefined ? [] : [`Greater than ${exclusiveMinimum}`]),
    ...(maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? [] : [`At most ${maximum}`]),
    ...(maxLength === undefined ? [] : [`At most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`At most ${maxItems} items`]),
  ];
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value).replaceAll("|", "\\|")}\``;
}

/** Text between the bars of a table, as it is. */
export function cell(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[|<]/g, "\\$&");
}
