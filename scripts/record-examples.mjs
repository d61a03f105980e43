// Makes src/contract/description/recorded-examples.json: for each operation one request and answer of those that the tests made.
// Record them first: RECORD_EXAMPLES=examples.jsonl npx vitest run test/e2e
// then: node scripts/record-examples.mjs examples.jsonl
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { settingSections } from "../dist/config.js";
import { endpoints } from "../dist/contract/index.js";
import { describeDialects, openDialects } from "../dist/dialects/index.js";

const file = fileURLToPath(new URL("../src/contract/description/recorded-examples.json", import.meta.url));
const wantedLength = 250;
const mostText = 80;
const mostItems = 2;
const sampleIds = "0198f1c2-7b1e-7c11-9a55-0d6f5f0a1b0";
const dialects = describeDialects(openDialects(settingSections.Dialects.dialects.fallback));
const rows = [...endpoints, ...dialects].filter(({ method }) => method !== "WS");

const found = new Map();
for (const line of readFileSync(process.argv[2] ?? "", "utf8").split("\n")) {
  if (line === "") continue;
  const record = JSON.parse(line);
  const known = found.get(record.endpoint) ?? [];
  found.set(record.endpoint, [...known, record]);
}

const examples = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
const missing = [];
for (const row of rows) {
  const name = nameOf(row);
  const records = found.get(`${row.method} ${row.path.replace(/\{\w+\+\}/, "*")}`) ?? [];
  const candidates = records.map((record) => exampleOf(row, record)).filter((example) => example !== null);
  const [best] = candidates.sort((one, other) => badness(row, one) - badness(row, other));
  if (examples[name] && !fits(row, examples[name])) delete examples[name];
  if (best) examples[name] = best;
  else if (!examples[name]) missing.push(row);
}
// The same operation by another path answers the same.
for (const row of missing.splice(0)) {
  const other = rows.find(
    (each) =>
      each.operation === row.operation &&
      each.response === row.response &&
      each.body === row.body &&
      examples[nameOf(each)],
  );
  if (!other) missing.push(row);
  else examples[nameOf(row)] = { ...examples[nameOf(other)], path: row.path };
}
const ordered = rows.map(nameOf).filter((name) => examples[name]);
const lines = ordered.map((name) => `${JSON.stringify(name)}: ${JSON.stringify(examples[name])}`);
writeFileSync(file, `{\n${lines.join(",\n")}\n}\n`);
console.log(`${ordered.length} of ${rows.length} operations have an example, ${lines.join("").length} characters`);
for (const row of missing) console.log(`no example: ${nameOf(row)}`);

function nameOf({ method, path }) {
  return `${method} ${path}`;
}

/** Null for what is of no use as one. */
function exampleOf(row, { url, body, type, answer }) {
  // Pictures and PDFs show nothing as text.
  if (/^(?:image\/|application\/pdf$)/.test(row.responseType ?? "")) return null;
  const isJson = type.startsWith("application/json");
  const isText = /^text\/|[+/]xml\b/.test(type);
  if (!isJson && !isText) return null;
  const [request, response, path] = anonymous([
    row.body && body ? body : null,
    isJson ? JSON.parse(answer) : answer,
    url,
  ]);
  if (request !== null) {
    // What official clients add says nothing about the operation, nor does what it ignores.
    for (const name of ["origin", ...unknownFields(row, request)]) delete request[name];
  }
  const example = {
    ...(row.body ? (request === null ? {} : { request: shortened(request) }) : {}),
    path: path.length > 300 ? path.slice(0, path.indexOf("?")) : path,
    response: shortened(response),
  };
  if (row.body && row.bodyKind === undefined && request === null && needsBody(row)) return null;
  if (/\/(?:tmp|work|home|root)\/|node_modules|\\u0000/.test(JSON.stringify(example))) return null;
  if (!fits(row, example)) return null;
  return example;
}

function unknownFields({ body }, request) {
  const issues = body.safeParse(request).error?.issues ?? [];
  return issues.flatMap(({ code, keys, path }) => (code === "unrecognized_keys" && path.length === 0 ? keys : []));
}

function needsBody({ body }) {
  return !body.safeParse({}).success;
}

function fits({ response, body, bodyKind }, example) {
  if (!response.safeParse(example.response).success) return false;
  return example.request === undefined || bodyKind !== undefined || body?.safeParse(example.request).success === true;
}

/** Empty answers show nothing, long ones too much. */
function badness(row, example) {
  const text = JSON.stringify(example);
  const empty = (text.match(/\[\]|\{\}|""|Unknown fields/g) ?? []).length;
  const lacksRequest = row.body && example.request === undefined;
  return Math.abs(text.length - wantedLength) + 80 * empty + (lacksRequest ? 300 : 0);
}

/** Without what differs from run to run: ports, ids, keys, times. */
function anonymous(value) {
  const ids = new Map();
  const text = JSON.stringify(value)
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
      if (!ids.has(id)) ids.set(id, `${sampleIds}${(ids.size + 1) % 10}`);
      return ids.get(id);
    })
    .replace(/fc-[0-9a-f]{32}/g, "fc-00000000000000000000000000000001")
    .replace(
      /(https?|ws):\/\/(?:127\.0\.0\.1|localhost):\d+(?=\/(?:v1|v2|media|view|cdp|monitoring|f)\/)/g,
      "$1s://trawl.example",
    )
    .replace(/(https?|ws):\/\/(?:127\.0\.0\.1|localhost):\d+/g, "https://example.com")
    .replace(/(?:127\.0\.0\.1|localhost)(?::\d+)?/g, "example.com")
    .replaceAll("httpss://", "https://")
    .replace(/token=[\w.%-]+/g, "token=TOKEN")
    .replace(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, "2026-01-15T09:00:00.000Z")
    .replace(/\b(acme|other)-\d+/g, "$1");
  return JSON.parse(text);
}

function shortened(value) {
  if (typeof value === "string") return value.length > mostText ? `${value.slice(0, mostText)}…` : value;
  if (Array.isArray(value)) return value.slice(0, mostItems).map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortened(each)]));
}
