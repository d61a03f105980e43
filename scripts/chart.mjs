// Renders the chart of deploy/helm, for the files of deploy/kubernetes and for tests: the part of Go's templates that the chart uses,
// which helm reads the same way. Anything else is an error.
import { readdirSync, readFileSync } from "node:fs";
import { parse, stringify } from "yaml";

const functions = {
  default: (fallback, value) => (isTrue(value) ? value : fallback),
  dict: (...pairs) => Object.fromEntries(pairs.flatMap((name, at) => (at % 2 === 0 ? [[name, pairs[at + 1]]] : []))),
  ne: (one, other) => one !== other,
  nindent: (spaces, text) => `\n${text.replace(/^(?=.)/gm, " ".repeat(spaces))}`,
  quote: (value) => JSON.stringify(String(value)),
  toYaml: (value) => stringify(value, { indentSeq: false, lineWidth: 0, sortMapEntries: true }).trimEnd(),
};

/** The files of `templates` by name, of a release with values that replace those of the chart. */
export function renderChart(folder, { release = "trawl", namespace = "trawl", values = {} } = {}) {
  const read = (file) => readFileSync(`${folder}/${file}`, "utf8");
  const chart = parse(read("Chart.yaml"));
  const data = {
    Values: merged(parse(read("values.yaml")), values),
    Release: { Name: release, Namespace: namespace },
    Chart: { Name: chart.name, Version: chart.version, AppVersion: chart.appVersion },
  };
  const names = readdirSync(`${folder}/templates`).sort();
  const defined = new Map();
  const nodes = new Map(names.map((name) => [name, readTemplate(read(`templates/${name}`), name, defined)]));
  const render = (each, dot, variables) => renderNodes(each, { dot, variables, render, defined });
  const files = names.filter((name) => !name.startsWith("_"));
  return Object.fromEntries(files.map((name) => [name, render(nodes.get(name), data, {})]));
}

function merged(own, given) {
  if (!isRecord(own) || !isRecord(given)) return given;
  const names = Object.keys(given);
  return {
    ...own,
    ...Object.fromEntries(names.map((name) => [name, name in own ? merged(own[name], given[name]) : given[name]])),
  };
}

const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isTrue = (value) =>
  typeof value === "object" && value !== null ? Object.keys(value).length > 0 : Boolean(value);

/** Nodes: a text, or `{ words, body, otherwise }`. */
function readTemplate(text, name, defined) {
  const parts = text.split(/(\{\{-?[\s\S]*?-?\}\})/);
  const open = [{ words: ["root"], body: [] }];
  let body = open[0].body;
  for (const [at, part] of parts.entries()) {
    if (at % 2 === 0) {
      const start = parts[at - 1]?.endsWith("-}}") ? part.trimStart() : part;
      body.push(parts[at + 1]?.startsWith("{{-") ? start.trimEnd() : start);
      continue;
    }
    const words = wordsOf(part.replace(/^\{\{-?|-?\}\}$/g, ""));
    if (["if", "range", "define"].includes(words[0])) {
      const node = { words, body: [], otherwise: [] };
      body.push(node);
      open.push(node);
      body = node.body;
    } else if (words[0] === "else" && words.length === 1) body = open.at(-1).otherwise;
    else if (words[0] === "end") {
      const node = open.pop();
      if (open.length === 0) throw new Error(`${name}: an end too many`);
      body = open.at(-1).otherwise?.length > 0 ? open.at(-1).otherwise : open.at(-1).body;
      if (node.words[0] === "define") defined.set(JSON.parse(node.words[1]), body.pop().body);
    } else body.push({ words });
  }
  if (open.length !== 1) throw new Error(`${name}: ${open.at(-1).words.join(" ")} has no end`);
  return open[0].body;
}

const wordsOf = (text) => text.match(/"(?:[^"\\]|\\.)*"|:=|[()|,]|[^\s()|,]+/g) ?? [];

function renderNodes(nodes, scope) {
  return nodes.map((node) => (typeof node === "string" ? node : renderNode(node, scope))).join("");
}

function renderNode({ words, body, otherwise }, scope) {
  const { dot, variables, render } = scope;
  if (words[0] === "if") return render(isTrue(evaluate(words.slice(1), scope)) ? body : otherwise, dot, variables);
  if (words[0] === "range") {
    const [, key, comma, item, becomes, ...list] = words;
    if (comma !== "," || becomes !== ":=") throw new Error(`range needs $key, $value: ${words.join(" ")}`);
    const value = evaluate(list, scope);
    const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value).sort();
    return keys.map((each) => render(body, dot, { ...variables, [key]: each, [item]: value[each] })).join("");
  }
  return String(evaluate(words, scope) ?? "");
}

/** A pipeline: the value of each command is the last argument of the next one. */
function evaluate(words, scope) {
  let depth = 0;
  const commands = [[]];
  for (const word of words) {
    depth += word === "(" ? 1 : word === ")" ? -1 : 0;
    if (word === "|" && depth === 0) commands.push([]);
    else commands.at(-1).push(word);
  }
  return commands.reduce((piped, command, at) => call(command, at === 0 ? [] : [piped], scope), undefined);
}

function call([name, ...rest], piped, scope) {
  const values = [...valuesOf(rest, scope), ...piped];
  if (name === "include") return scope.render(scope.defined.get(values[0]), values[1], {});
  if (Object.hasOwn(functions, name)) return functions[name](...values);
  if (values.length > 0) throw new Error(`${name} is no function of the chart's renderer`);
  return valuesOf([name], scope)[0];
}

function valuesOf(words, scope) {
  const values = [];
  for (let at = 0; at < words.length; at += 1) {
    if (words[at] !== "(") {
      values.push(readValue(words[at], scope));
      continue;
    }
    const end = words.indexOf(")", at);
    values.push(evaluate(words.slice(at + 1, end), scope));
    at = end;
  }
  return values;
}

function readValue(word, { dot, variables }) {
  if (word.startsWith('"')) return JSON.parse(word);
  if (/^\d+$/.test(word)) return Number(word);
  if (word.startsWith("$") && word in variables) return variables[word];
  if (word === ".") return dot;
  if (!word.startsWith(".")) throw new Error(`${word} is unknown to the chart's renderer`);
  const path = word.slice(1).split(".");
  return path.reduce((value, name, at) => {
    if (!isRecord(value) || (!(name in value) && at < 3)) throw new Error(`there is no ${word}`);
    return value[name];
  }, dot);
}

/** The files of deploy/kubernetes that are the chart's, in a line that says so. */
export function kubernetesFiles(root) {
  const files = Object.entries(renderChart(`${root}deploy/helm`)).filter(([name]) => name.endsWith(".yaml"));
  const made = "# Made from deploy/helm by `npm run generate`.\n";
  return Object.fromEntries(files.map(([name, text]) => [`deploy/kubernetes/${name}`, `${made}${text.trimEnd()}\n`]));
}
