// The API reference: pages of markdown, made from the OpenAPI document when they are first asked for. A page a group of
// operations, and one of the schemas that several of them share.
import { createSlugs, type GuidePage } from "../pages/guide-page.ts";
import {
  type ApiDescription,
  type ApiDocument,
  type ApiEntry,
  type ApiSchema,
  hasParts,
  resolveSchema,
} from "./open-api.ts";
import { cell, fieldTable, schemaFields, schemaPage, typeOf } from "./schema-tables.ts";

interface ReferenceGroup {
  name: string;
  path: string;
  entries(): ApiEntry[];
}

export const referencePath = "api";

const introduction = `# API overview

Send requests with \`Authorization: Bearer KEY\`, bodies as JSON. A failed request answers \`{"success": false, "code": …, "error": …}\`
with a matching status; [Errors](errors.md) explains every code. A form below each request sends it to this server.
The same as [OpenAPI](../openapi.json), for tools.`;

/** Pages whose markdown is written when it is asked for: describing the whole API takes a while. */
export function makeReference(tags: readonly string[], { document, entries }: ApiDescription): GuidePage[] {
  const groups = tags.map((name): ReferenceGroup => {
    const path = `${referencePath}/${name.toLowerCase().replace(/\W+/g, "-")}`;
    return { name, path, entries: () => entries().filter(({ operation }) => operation.tags[0] === name) };
  });
  return [
    {
      ...{ path: referencePath, title: "API overview", description: "Every request by group." },
      get markdown() {
        const lists = groups.map((group) => `## ${group.name}\n\n${operationTable(group, `${group.path}.md`)}`);
        const usual = entries()[0]?.errors.find(({ status }) => status === "default")?.codes ?? [];
        const links = usual.map((code) => errorLink(code, "errors.md")).join(", ");
        return [introduction, ...(links === "" ? [] : [`Any request may meet ${links}.`]), ...lists].join("\n\n");
      },
    },
    ...groups.map((group) => ({
      ...{
        path: group.path,
        title: group.name,
        description: `Requests of the group ${group.name}, with their fields.`,
      },
      get markdown() {
        const parts = group.entries().map((entry) => describeEntry(entry, document()));
        return [`# ${group.name}`, operationTable(group, ""), ...parts].join("\n\n");
      },
    })),
    {
      path: `${referencePath}/${schemaPage.replace(".md", "")}`,
      title: "Schemas",
      description: "What several requests and responses share.",
      get markdown() {
        return describeSchemas(document());
      },
    },
  ];
}

/** `page` is where the operations are described. */
function operationTable({ name, entries }: Pick<ReferenceGroup, "name" | "entries">, page: string): string {
  const slugOf = createSlugs();
  slugOf(name);
  const rows = entries().map((entry) => {
    const { method, path, operation } = entry;
    return `| [\`${method} ${path}\`](${page}#${slugOf(headingOf(entry))}) | ${cell(operation.summary)} |`;
  });
  return ["| request | what it does |", "| --- | --- |", ...rows].join("\n");
}

/** What comes after a semicolon is a remark. */
function headingOf({ operation, path }: ApiEntry): string {
  return `${operation.summary.split("; ", 1)[0]}${path.startsWith("/v1/") ? " (v1)" : ""}`;
}

function describeEntry(entry: ApiEntry, document: ApiDocument): string {
  const { method, path, operation } = entry;
  const { operationId, summary, description = "" } = operation;
  const [, ...remarks] = summary.split("; ");
  const isServed = operation["x-available"] !== false;
  const notes = [
    ...(operation.security?.length === 0 ? ["Needs no key."] : []),
    ...(operation["x-websocket"] ? ["Also as a WebSocket."] : []),
    ...(isServed ? [] : ["Not available on this server."]),
  ];
  const parameters = entry.parameters.map(({ name, schema, description: about = "", required = false }) => ({
    name,
    schema: { description: about, ...schema },
    isRequired: required,
  }));
  return [
    `## ${headingOf(entry)}`,
    `\`\`\`http\n${method} ${path}\n\`\`\``,
    ...[[...remarks.map(sentence), description, ...notes].join(" ").trim()].filter((text) => text !== ""),
    ...part("Parameters", fieldTable(parameters, document)),
    ...(entry.body ? part(`Body (\`${entry.body.type}\`)`, shape(entry.body.schema, document)) : []),
    ...example("Example", entry.body?.example),
    ...(isServed ? [`<!-- try ${operationId} -->`] : []),
    ...(entry.response?.schema
      ? part(`Response (\`${entry.response.type}\`)`, shape(entry.response.schema, document))
      : []),
    ...example("Example of a response", entry.response?.example),
    ...part("Errors", errorTable(entry)),
  ].join("\n\n");
}

/** Those that any request may meet are on the overview. */
function errorTable({ errors }: ApiEntry): string {
  const rows = errors
    .filter(({ status, codes }) => status !== "default" && codes.length > 0)
    .map(({ status, codes }) => `| ${status} | ${codes.map((code) => errorLink(code, "../errors.md")).join(", ")} |`);
  return rows.length === 0 ? "" : ["| status | codes |", "| --- | --- |", ...rows].join("\n");
}

function errorLink(code: string, page: string): string {
  return `[${code}](${page}#${code.toLowerCase()})`;
}

function part(title: string, content: string): string[] {
  return content === "" ? [] : [`**${title}**`, content];
}

function example(title: string, value: unknown): string[] {
  return value === undefined ? [] : part(title, `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``);
}

/** The fields of an object; of anything else, its type. */
function shape(schema: ApiSchema, document: ApiDocument): string {
  const fields = schemaFields(schema, document);
  return fields.length > 0 ? fieldTable(fields, document) : sentence(typeOf(schema, document));
}

function describeSchemas(document: ApiDocument): string {
  const shown = Object.entries(document.components.schemas).filter(([, schema]) => hasParts(schema));
  const sections = shown.map(([name, schema]) =>
    [`## ${name}`, schema.description === undefined ? "" : sentence(schema.description), forms(schema, document)]
      .filter((text) => text !== "")
      .join("\n\n"),
  );
  return ["# Schemas", "What several requests and responses share.", ...sections].join("\n\n");
}

/** Each form that a field tells apart has its own table. */
function forms(schema: ApiSchema, document: ApiDocument): string {
  const alternatives = alternativesOf(schema, document);
  const objects = alternatives.filter((each) => Object.keys(each.properties ?? {}).length > 1);
  if (objects.length < 2) return shape(schema, document);
  const rest = alternatives.filter((each) => !objects.includes(each)).map((each) => typeOf(each, document));
  return [
    ...(rest.length > 0 ? [`${[...new Set(rest)].join(" or ")}, or one of these objects:`] : ["One of these objects:"]),
    ...objects.map((each) => fieldTable(schemaFields(each, document), document)),
  ].join("\n\n");
}

function alternativesOf(schema: ApiSchema, document: ApiDocument): ApiSchema[] {
  const { anyOf = [], oneOf = [] } = resolveSchema(schema, document);
  const all = [...anyOf, ...oneOf];
  return all.flatMap((each) => (each.anyOf || each.oneOf ? alternativesOf(each, document) : each));
}

function sentence(text: string): string {
  return text.replace(/([^.:!?])$/, "$1.");
}
