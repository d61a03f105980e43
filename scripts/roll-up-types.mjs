// Writes one declaration file for each door of the package, with what the door's types need and nothing else: whoever compiles
// against Trawl sees no file from inside, and needs no types of packages that only servers use. Every module becomes a
// namespace, so that no name has to change; what neither a door nor its types name is left out.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** What package.json names as types, and the compiled file that each is made of. */
const doors = { "index.d.ts": "index.d.ts", "client.d.ts": "client/index.d.ts" };

/** `folder` holds what the compiler wrote. */
function rollUpTypes(folder) {
  const root = resolve(folder);
  mkdirSync(join(root, "types"), { recursive: true });
  for (const [name, entry] of Object.entries(doors))
    writeFileSync(join(root, "types", name), rollUp(join(root, entry)));
}

/** The compiler begins each statement in the first column, after its comment, and nothing else but what closes one. */
const begins = /^(?=\/\*\*|(?:export|declare|import|interface|type) )/m;
const declared =
  /^(?:export )?(?:declare )?(?:abstract )?(?:const enum|const|let|function|class|interface|type|enum) ([\w$]+)/;

/** Declarations by name, where the other names of the module come from, and which it exports. */
function readModule(file) {
  const declarations = new Map();
  const origins = new Map();
  const exported = new Set();
  if (file.endsWith(".json")) {
    declarations.set("default", `const table: ${typeOfJson(JSON.parse(readFileSync(file, "utf8")))};`);
    return { declarations, origins, exported };
  }
  let comment = "";
  for (const part of readFileSync(file, "utf8").split(begins)) {
    const statement = part.trim();
    const name = declared.exec(statement)?.[1];
    if (statement.startsWith("/**")) {
      comment = `${statement}\n`;
      continue;
    }
    const found = new Map(name ? [] : namesOf(statement, file));
    if (name) declarations.set(name, `${declarations.get(name) ?? ""}${comment}${withoutModifiers(statement)}\n`);
    // Of `export { name }`, the declaration is elsewhere in the file.
    for (const [local, origin] of found) if (origin.place !== file || origin.name !== local) origins.set(local, origin);
    if (statement.startsWith("export ")) for (const each of name ? [name] : found.keys()) exported.add(each);
    comment = "";
  }
  return { declarations, origins, exported };
}

const withoutModifiers = (statement) => `export ${statement.replace(/^(?:export )?(?:declare )?/, "")}`;

/** `import` and `export … from` alike: the local name, and what it is called where it comes from. */
function namesOf(statement, file) {
  const names = [];
  const [, clause, from] = /^(?:import|export)(?: type)? ([^"]*?)(?: ?from "([^"]+)")?;/s.exec(statement) ?? [];
  if (clause === undefined) throw new Error(`${file}: not understood: ${statement.slice(0, 80)}`);
  const place = from && placeOf(file, from);
  const whole = /^\* as ([\w$]+)$/.exec(clause)?.[1] ?? /^[\w$]+$/.exec(clause)?.[0];
  if (whole) names.push([whole, { place, name: clause.startsWith("*") ? "*" : "default" }]);
  for (const each of /\{([^}]*)\}/s.exec(clause)?.[1]?.split(",") ?? []) {
    const [, name, as = name] = /^(?:type )?([\w$]+)(?: as ([\w$]+))?$/.exec(each.trim()) ?? [];
    if (name) names.push([as, { place: place ?? file, name }]);
  }
  return names;
}

/** The declarations of a file of ours, or the name of a package. */
function placeOf(file, from) {
  return from.startsWith(".") ? join(dirname(file), from.replace(/\.ts$/, ".d.ts")) : from;
}

function rollUp(entry) {
  const modules = new Map();
  const packages = new Map();
  const moduleAt = (file) => {
    const known = modules.get(file);
    if (known) return known;
    const made = { ...readModule(file), name: `module${modules.size}`, written: new Map() };
    modules.set(file, made);
    return made;
  };

  /** What a name stands for, written with its namespace. */
  function find(file, name) {
    const module = moduleAt(file);
    if (module.declarations.has(name)) {
      write(file, name);
      return `${module.name}.${name === "default" ? "table" : name}`;
    }
    const origin = module.origins.get(name);
    if (!origin) throw new Error(`${file} has no ${name}`);
    return findIn(origin.place, origin.name);
  }

  function findIn(place, name) {
    if (isAbsolute(place)) return find(place, name);
    const known = packages.get(place) ?? `package${packages.size}`;
    packages.set(place, known);
    return name === "*" ? known : `${known}.${name}`;
  }

  function write(file, name) {
    const { declarations, origins, written } = moduleAt(file);
    if (written.has(name)) return;
    // Noted before what it needs is: declarations may name each other.
    written.set(name, "");
    const inline = /import\("([^"]+)"\)\.([\w$]+)/g;
    const text = declarations.get(name);
    const needed = new Set(
      text
        .replace(inline, "")
        .replace(/\/\*\*.*?\*\//gs, "")
        .match(/[\w$]+/g),
    );
    written.set(
      name,
      text.replace(inline, (_, from, what) => findIn(placeOf(file, from), what)),
    );
    for (const each of needed) {
      if (declarations.has(each)) write(file, each);
      else if (origins.has(each) && !written.has(each)) written.set(each, `import ${each} = ${find(file, each)};\n`);
    }
  }

  const exported = [...moduleAt(entry).exported].map((name) => `export import ${name} = ${find(entry, name)};`);
  const spaces = [...modules.values()].filter(({ written }) => written.size > 0);
  return [
    ...Array.from(packages, ([place, name]) => `import * as ${name} from "${place}";`),
    ...spaces.map(({ name, written }) => `declare namespace ${name} {\n${shareTypes([...written.values()])}}`),
    ...exported,
    "",
  ].join("\n");
}

const shortestShared = 300;

/**
 * The compiler writes the type of a schema out wherever the schema is used. Object types that the constants of a module repeat
 * get a name, the largest first; without that, the declarations would be several times as long.
 */
function shareTypes(declarations) {
  const isTable = (text) => text.startsWith("export const ");
  const texts = declarations.map((text) => (isTable(text) ? text.replace(/^ +/gm, "") : text));
  const counts = new Map();
  for (const text of texts.filter(isTable))
    for (const { block } of objectTypes(text, () => true)) counts.set(block, (counts.get(block) ?? 0) + 1);
  const names = new Map();
  const named = [];
  const replaceIn = (text) => {
    let done = 0;
    let result = "";
    for (const { start, block } of objectTypes(text, (each) => each !== text && counts.get(each) > 1)) {
      if (start < done) continue;
      let name = names.get(block);
      if (!name) {
        name = `Shared${names.size + 1}`;
        names.set(block, name);
        named.push(`type ${name} = ${replaceIn(block)};\n`);
      }
      result += text.slice(done, start) + name;
      done = start + block.length;
    }
    return result + text.slice(done);
  };
  const replaced = texts.map((text) => (isTable(text) ? replaceIn(text) : text));
  return [...named, ...replaced].join("");
}

/** Where they begin, the outer before the inner. */
function objectTypes(text, isWanted) {
  const found = [];
  const open = [];
  for (const { 0: sign, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|\/\*.*?\*\/|[{}]/gs)) {
    if (sign === "{") open.push(index);
    if (sign !== "}") continue;
    const start = open.pop();
    const block = text.slice(start, index + 1);
    if (block.length >= shortestShared && isWanted(block)) found.push({ start, block });
  }
  return found.sort((one, other) => one.start - other.start);
}

function typeOfJson(value) {
  if (Array.isArray(value)) return `(${[...new Set(value.map(typeOfJson))].join(" | ") || "never"})[]`;
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  return `{ ${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}: ${typeOfJson(each)};`)
    .join(" ")} }`;
}

if (process.argv[1] === import.meta.filename) rollUpTypes(process.argv[2] ?? "dist");
