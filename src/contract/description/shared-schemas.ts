// A schema that an OpenAPI document has in several places becomes a component, so that readers meet it once and generated clients
// get one type for it. Those that the contract names keep their names; others are named after the field or operation that has them.
import type { JsonSchema } from "./json-schema.ts";

/** A shorter schema is read where it is used as fast as its name would be. */
const fewLines = 16;
/** What one use says of a schema; OpenAPI allows it beside a reference. */
const saidByUse = new Set(["description", "default", "deprecated", "examples"]);
/** Keywords between a field and its schema: they name nothing. */
const nameless = new Set(["schema", "properties", "additionalProperties", "anyOf", "oneOf", "allOf", "content"]);

/** Too many schemas could have the name. */
const vagueFields = new Set(
  "parameter request response message data default detail document error meta options result results source sources text type web ".split(
    " ",
  ),
);

interface Place {
  /** Of an operation, or of a component. */
  owner: string;
  /** The nearest field, or the part of the operation. */
  field: string;
  isItem: boolean;
}

/** Adds to `components` what `paths` and they repeat, and returns `paths` with references. The same input gives the same names. */
export function shareSchemas(
  paths: Record<string, JsonSchema>,
  components: Map<string, JsonSchema>,
): Record<string, JsonSchema> {
  const placesOf = findPlaces(paths, components);
  const names = new Map([...components].map(([name, schema]) => [keyOf(schema), name]));
  const taken = new Set(components.keys());
  const shared = new Map<string, JsonSchema>();
  for (const [key, { schema, places }] of placesOf) {
    if (names.has(key) || places.length < 2) continue;
    const name = nameFor(places, taken);
    taken.add(name);
    names.set(key, name);
    shared.set(name, Object.fromEntries(Object.entries(schema).filter(([word]) => !saidByUse.has(word))));
  }
  const refer = (value: unknown, isWhole = false): unknown => {
    if (Array.isArray(value)) return value.map((each) => refer(each));
    if (!isObject(value)) return value;
    const name = isWhole || !isSchema(value) ? undefined : names.get(keyOf(value));
    const entries = Object.entries(value);
    if (name === undefined)
      return Object.fromEntries(entries.map(([word, each]) => [word, isExample(value, word) ? each : refer(each)]));
    return {
      $ref: `#/components/schemas/${name}`,
      ...Object.fromEntries(entries.filter(([word]) => saidByUse.has(word))),
    };
  };
  for (const [name, schema] of [...components, ...shared]) components.set(name, refer(schema, true) as JsonSchema);
  return refer(paths) as Record<string, JsonSchema>;
}

/** The same for parameters: `paths` get references to those that several operations have, which are returned by name. */
export function shareParameters(paths: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const operations = Object.values(paths).flatMap((path) => Object.values(path) as { parameters?: JsonSchema[] }[]);
  const uses = new Map<string, number>();
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    const key = JSON.stringify(parameter);
    uses.set(key, (uses.get(key) ?? 0) + 1);
  }
  const byName = new Map<string, JsonSchema>();
  const names = new Map<string, string>();
  for (const [key, count] of uses) {
    if (count < 2) continue;
    const parameter = JSON.parse(key) as JsonSchema;
    const plain = capitalized(String(parameter.name).toLowerCase().replaceAll("-", "_"));
    let name = plain;
    for (let number = 2; byName.has(name); number += 1) name = `${plain}${number}`;
    names.set(key, name);
    byName.set(name, parameter);
  }
  for (const operation of operations) {
    const shared = (operation.parameters ?? []).map((parameter) => {
      const name = names.get(JSON.stringify(parameter));
      return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
    });
    if (shared.length > 0) operation.parameters = shared;
  }
  return Object.fromEntries(byName);
}

/** Bytes that a shared field has to save: a name costs the reader a look elsewhere. */
const leastSaving = 100;

/** The same for fields that many objects have, with all that is said of them: options and their descriptions. */
export function shareFields(
  paths: Record<string, JsonSchema>,
  components: Map<string, JsonSchema>,
): Record<string, JsonSchema> {
  const fields = new Map<string, { name: string; uses: number }>();
  visitFields([paths, ...components.values()], (name, field) => {
    const key = JSON.stringify(field);
    const known = fields.get(key) ?? { name, uses: 0 };
    fields.set(key, { ...known, uses: known.uses + 1 });
  });
  const names = new Map<string, string>();
  const taken = new Set(components.keys());
  for (const [key, { name, uses }] of fields) {
    const shared = capitalized(name);
    const saved = (uses - 1) * key.length - uses * JSON.stringify({ $ref: `#/components/schemas/${shared}` }).length;
    if (saved < leastSaving || !/^[A-Z]\w*$/.test(shared)) continue;
    let free = shared;
    for (let count = 2; taken.has(free); count += 1) free = `${shared}${count}`;
    taken.add(free);
    names.set(key, free);
  }
  const refer = (value: unknown, isField = false): unknown => {
    if (Array.isArray(value)) return value.map((each) => refer(each));
    if (!isObject(value)) return value;
    const name = isField ? names.get(JSON.stringify(value)) : undefined;
    if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
    const entries = Object.entries(value).map(([word, each]) => {
      if (isExample(value, word)) return [word, each];
      if (word !== "properties" || !isObject(each)) return [word, refer(each)];
      return [word, Object.fromEntries(Object.entries(each).map(([field, schema]) => [field, refer(schema, true)]))];
    });
    return Object.fromEntries(entries);
  };
  for (const [name, schema] of components) components.set(name, refer(schema) as JsonSchema);
  for (const [key, name] of names) components.set(name, refer(JSON.parse(key)) as JsonSchema);
  return refer(paths) as Record<string, JsonSchema>;
}

function visitFields(value: unknown, take: (name: string, field: JsonSchema) => void): void {
  if (!isObject(value)) return;
  for (const [word, each] of Object.entries(value)) {
    if (isExample(value, word)) continue;
    if (word === "properties" && isObject(each))
      for (const [name, field] of Object.entries(each)) if (isObject(field) && !("$ref" in field)) take(name, field);
    visitFields(each, take);
  }
}

/** Every long schema by what it says, in the order of the document, with the places that have it. */
function findPlaces(paths: Record<string, JsonSchema>, components: ReadonlyMap<string, JsonSchema>) {
  const found = new Map<string, { schema: JsonSchema; places: Place[] }>();
  const visit = (value: unknown, place: Place, isWhole = false): void => {
    if (!isObject(value)) return;
    if (!isWhole && isSchema(value) && isLong(value)) {
      const known = found.get(keyOf(value));
      if (known) known.places.push(place);
      else found.set(keyOf(value), { schema: value, places: [place] });
    }
    for (const [word, each] of Object.entries(value)) if (!isExample(value, word)) visit(each, within(place, word));
  };
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path) as JsonSchema[])) {
    const owner = String(operation.operationId);
    visit(operation.parameters, { owner, field: "parameter", isItem: false });
    visit(operation.requestBody, { owner, field: "request", isItem: false });
    visit(operation.responses, { owner, field: "response", isItem: false });
    visit(operation["x-websocket"], { owner, field: "message", isItem: false });
  }
  for (const [name, schema] of components) visit(schema, { owner: name, field: "", isItem: false }, true);
  return found;
}

function within({ owner, field, isItem }: Place, word: string): Place {
  if (word === "items") return { owner, field, isItem: true };
  if (nameless.has(word) || !/^[a-z]\w*$/i.test(word)) return { owner, field, isItem };
  return { owner, field: word, isItem: false };
}

/** After the field, if all places agree and the name is free and says enough; otherwise after the first place. */
function nameFor(places: readonly Place[], taken: ReadonlySet<string>): string {
  const [first] = places as [Place, ...Place[]];
  const field = capitalized(first.isItem ? singularOf(first.field) : first.field);
  const long = `${capitalized(first.owner)}${field}`;
  const isUnclear = vagueFields.has(first.field) || places.some((place) => place.field !== first.field);
  const wanted = isUnclear ? [long] : [field, long];
  const name = wanted.find((each) => !taken.has(each));
  if (name !== undefined) return name;
  let count = 2;
  while (taken.has(`${long}${count}`)) count += 1;
  return `${long}${count}`;
}

function singularOf(word: string): string {
  return word === "news" ? word : word.replace(/ies$/, "y").replace(/(?<!s)s$/, "");
}

/** As a type would be named: `do_ocr` is DoOcr. */
function capitalized(word: string): string {
  return word.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null;
}

/** Of a body: what is shown beside its schema is data, even where it looks like a schema. */
function isExample(value: JsonSchema, word: string): boolean {
  return (word === "example" || word === "examples") && "schema" in value;
}

/** A list is as short as the name of its items. */
function isSchema(value: JsonSchema): boolean {
  return (
    (typeof value.type === "string" && value.type !== "array") ||
    Array.isArray(value.anyOf) ||
    Array.isArray(value.oneOf)
  );
}

function isLong(schema: JsonSchema): boolean {
  return JSON.stringify(schema, null, 1).split("\n").length > fewLines;
}

function keyOf(schema: JsonSchema): string {
  return JSON.stringify(Object.entries(schema).filter(([word]) => !saidByUse.has(word)));
}
