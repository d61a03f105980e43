// The API documentation as one page, made from the OpenAPI document: no scripts, no external resources.

interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  maxLength?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Parameter {
  name: string;
  required?: boolean;
  schema: Schema;
  description?: string;
}

interface Operation {
  operationId: string;
  "x-available"?: boolean;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
  security?: unknown[];
}

interface Document {
  info: { title: string; version: string; description?: string };
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> };
}

interface Entry {
  method: string;
  path: string;
  operation: Operation;
}

export function renderDocsPage(openApi: object): string {
  const document = openApi as Document;
  const entries = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
  const groups = document.tags.map(({ name }) => ({
    name,
    entries: entries.filter((e) => e.operation.tags[0] === name),
  }));
  const used = groups.filter((group) => group.entries.length > 0);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)} ${escapeHtml(document.info.version)}</title>
<style>${style}</style>
</head>
<body>
<nav>
<strong>${escapeHtml(document.info.title)}</strong> <small>${escapeHtml(document.info.version)}</small>
${used.map(renderIndex).join("\n")}
</nav>
<main>
<h1>${escapeHtml(document.info.title)} API</h1>
<p>${escapeHtml(document.info.description ?? "")}</p>
<p>Send every request with <code>Authorization: Bearer YOUR_API_KEY</code>. Requests and responses are JSON. A failed request returns
<code>{"success": false, "error": "…", "code": "…", "details": […]}</code> with a matching status. The machine-readable description is at
<a href="/openapi.json">/openapi.json</a>.</p>
${used.map((group) => `<h2>${escapeHtml(group.name)}</h2>\n${group.entries.map((entry) => renderEntry(entry, document)).join("\n")}`).join("\n")}
</main>
</body>
</html>
`;
}

function renderIndex({ name, entries }: { name: string; entries: Entry[] }): string {
  const links = entries.map(
    (e) => `<li><a href="#${e.operation.operationId}">${badge(e.method)} ${escapeHtml(e.path)}</a></li>`,
  );
  return `<details open><summary>${escapeHtml(name)}</summary><ul>${links.join("")}</ul></details>`;
}

function renderEntry({ method, path, operation }: Entry, document: Document): string {
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const answer = Object.values(operation.responses["200"]?.content ?? {})[0]?.schema;
  const fields = (title: string, rows: string) => (rows === "" ? "" : `<h4>${title}</h4><table>${rows}</table>`);
  const parameters = (operation.parameters ?? []).map((each) => {
    const shared = "$ref" in each ? document.components.parameters[each.$ref.split("/").at(-1) ?? ""] : each;
    if (shared === undefined) return "";
    const { name, description = "", schema, required = false } = shared;
    return renderRow(name, { description, ...schema }, required, document, 0);
  });
  return `<section id="${operation.operationId}">
<h3>${badge(method)} <code>${escapeHtml(path)}</code>${operation["x-available"] === false ? " <small>not available</small>" : ""}</h3>
<p>${escapeHtml(operation.summary)}${operation.description ? ` ${escapeHtml(operation.description)}` : ""}</p>
${fields("Parameters", parameters.join(""))}
${body ? fields("Body", renderFields(body, document, 0)) : ""}
${answer ? `<details><summary>Response</summary><table>${renderFields(answer, document, 0)}</table></details>` : ""}
</section>`;
}

/** Deeper objects are shown by their type only: the page stays readable, openapi.json has the rest. */
const maxDepth = 3;

function renderFields(schema: Schema, document: Document, depth: number): string {
  const { properties = {}, required = [] } = resolve(schema, document);
  return Object.entries(properties)
    .map(([name, field]) => renderRow(name, field, required.includes(name), document, depth))
    .join("");
}

function renderRow(name: string, field: Schema, isRequired: boolean, document: Document, depth: number): string {
  const schema = resolve(field, document);
  const inner = depth < maxDepth ? innerObjects(schema, document) : [];
  const nested = inner.map((each) => {
    const kind = each.properties?.type?.const;
    const title = kind === undefined ? "fields" : `type ${JSON.stringify(kind)}`;
    const rows = renderFields(each, document, depth + 1);
    return rows === "" ? "" : `<details><summary>${escapeHtml(title)}</summary><table>${rows}</table></details>`;
  });
  const description = field.description ?? schema.description ?? "";
  const limits = describeLimits(schema);
  return `<tr><td><code>${escapeHtml(name)}</code>${isRequired ? " <em>required</em>" : ""}</td><td>${escapeHtml(describeType(schema, document))}</td>
<td>${escapeHtml(description)}${limits ? ` <small>${escapeHtml(limits)}</small>` : ""}${nested.join("")}</td></tr>`;
}

function innerObjects(schema: Schema, document: Document): Schema[] {
  const candidates = [
    schema,
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ];
  const objects = candidates.flatMap((candidate) => {
    const resolved = resolve(candidate, document);
    if (resolved.properties) return Object.keys(resolved.properties).join() === "type" ? [] : [resolved];
    return candidate === schema ? [] : innerObjects(resolved, document);
  });
  return [...new Set(objects)];
}

function describeType(schema: Schema, document: Document): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.items) return `list of ${describeType(resolve(schema.items, document), document)}`;
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map((each) =>
    describeType(resolve(each, document), document),
  );
  if (choices.length > 0) return [...new Set(choices)].join(" or ");
  return [schema.type ?? "any"].flat().join(" or ");
}

function describeLimits(schema: Schema): string {
  const parts = [];
  if (schema.default !== undefined) parts.push(`default ${JSON.stringify(schema.default)}`);
  if (schema.minimum !== undefined) parts.push(`min ${schema.minimum}`);
  if (schema.exclusiveMinimum !== undefined) parts.push(`greater than ${schema.exclusiveMinimum}`);
  if (schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER) parts.push(`max ${schema.maximum}`);
  if (schema.maxLength !== undefined) parts.push(`at most ${schema.maxLength} characters`);
  if (schema.maxItems !== undefined) parts.push(`at most ${schema.maxItems} items`);
  return parts.join(", ");
}

/** What a use says of a shared schema wins over what that says. */
function resolve(schema: Schema, document: Document): Schema {
  const { $ref, ...own } = schema;
  const shared = $ref === undefined ? undefined : document.components.schemas[$ref.split("/").at(-1) ?? ""];
  if (shared === undefined) return schema;
  return Object.keys(own).length === 0 ? shared : { ...shared, ...own };
}

function badge(method: string): string {
  return `<b class="${method.toLowerCase()}">${method}</b>`;
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (character) => entities[character] as string);
}

const style = `
:root { color-scheme: light dark; --line: #8883; --soft: #8881; --mark: #0a7d5a; }
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; display: grid; grid-template-columns: 330px minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 20px; border-right: 1px solid var(--line); font-size: 13px; }
nav ul { list-style: none; margin: 4px 0 10px; padding: 0; }
nav li { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
nav a { color: inherit; text-decoration: none; }
nav a:hover { text-decoration: underline; }
nav summary { margin-top: 10px; font-weight: 600; cursor: pointer; }
main { padding: 20px 40px 80px; max-width: 1000px; }
h2 { margin-top: 48px; border-bottom: 1px solid var(--line); }
h3 { margin: 32px 0 4px; font-size: 17px; }
h4 { margin: 12px 0 4px; font-size: 13px; text-transform: uppercase; letter-spacing: .05em; opacity: .7; }
section { scroll-margin-top: 10px; }
code { font: 13px/1.4 ui-monospace, monospace; }
table { width: 100%; border-collapse: collapse; font-size: 14px; }
td { padding: 5px 10px 5px 0; vertical-align: top; border-top: 1px solid var(--line); }
td:nth-child(1) { width: 24%; }
td:nth-child(2) { width: 24%; opacity: .8; font-size: 13px; overflow-wrap: anywhere; }
td table { background: var(--soft); margin-top: 4px; }
td td { padding-left: 8px; }
td em { color: var(--mark); font-size: 12px; font-style: normal; }
small { opacity: .75; }
details > summary { cursor: pointer; font-size: 13px; }
b { font: 600 11px ui-monospace, monospace; padding: 1px 5px; border-radius: 3px; background: var(--soft); }
b.get { color: #0a7d5a; } b.post { color: #1f5fd0; } b.delete { color: #c0392b; } b.put, b.patch { color: #a86400; }
@media (max-width: 800px) { body { display: block; } nav { position: static; height: auto; } main { padding: 20px; } }
`;
