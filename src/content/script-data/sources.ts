// The scripts of a page that hold data, and the data that they hold.
import type { Document, Element } from "domhandler";
import { attribute, isElement, readLooseJson, textOf, walk } from "../../html/index.ts";
import { unfoldValues } from "./flat-values.ts";
import { type FlightRows, flightText, readFlight } from "./flight.ts";
import { readLiteral } from "./literal.ts";

export interface DataSource {
  /** As the page calls it. */
  name: string;
  value: unknown;
}

export interface ScriptData {
  /** In the order of the page. */
  sources: DataSource[];
  flight: FlightRows | null;
}

/** Of all scripts together. */
const maxLength = 8_000_000;
const maxScripts = 300;
const maxAssignments = 12;

const json = /^\s*(?:application\/json|application\/[\w.-]+\+json|text\/json)\s*(?:;|$)/i;
const assignment =
  /(?:\b(?:window|self|globalThis)\s*(?:\.|\[\s*["'])([\w$-]{2,60})(?:["']\s*\])?|\bconst\s+(data))\s*=\s*(?=[{[(]|JSON\.parse)/g;
const streamed = /\.streamController\.enqueue\(/g;

export function readScriptData(root: Document): ScriptData {
  const sources: DataSource[] = [];
  const flight: string[] = [];
  let stream = "";
  let left = maxLength;
  let scripts = maxScripts;
  walk(root, (node) => {
    if (!isElement(node)) return false;
    if (node.name !== "script" || attribute(node, "src") !== undefined) return true;
    const text = textOf(node);
    left -= text.length;
    scripts -= 1;
    if (left < 0 || scripts < 0) return "stop";
    const type = attribute(node, "type") ?? "";
    if (json.test(type)) sources.push(...readDataBlock(node, text, type));
    else if (text.includes("__next_f.push(")) flight.push(...present(flightText(text)));
    else if (text.includes(".streamController.enqueue(")) stream += readStream(text);
    else if (isProgram(type)) sources.push(...readAssignments(text));
    return false;
  });
  if (stream !== "") sources.push({ name: "React Router", value: unfoldValues(readLines(stream)) });
  return { sources, flight: flight.length === 0 ? null : readFlight(flight) };
}

function present<Value>(value: Value | null): Value[] {
  return value === null ? [] : [value];
}

function isProgram(type: string): boolean {
  return type === "" || /^(?:module|(?:text|application)\/javascript)$/i.test(type.trim());
}

function readDataBlock(script: Element, text: string, type: string): DataSource[] {
  const value = readLooseJson(text);
  if (typeof value !== "object" || value === null) return [];
  const name = /ld\+json/i.test(type) ? "JSON-LD" : (attribute(script, "id") ?? "application/json");
  const unfolded =
    attribute(script, "data-nuxt-data") !== undefined || name === "__NUXT_DATA__" ? unfoldValues(value) : value;
  return [{ name, value: unfolded }];
}

function readAssignments(text: string): DataSource[] {
  const found: DataSource[] = [];
  assignment.lastIndex = 0;
  for (let tries = 0; tries < maxAssignments; tries += 1) {
    const match = assignment.exec(text);
    if (match === null) break;
    const value = readLiteral(text, assignment.lastIndex);
    if (typeof value === "object" && value !== null) found.push({ name: match[1] ?? match[2] ?? "", value });
  }
  return found;
}

/** The texts that a program hands on, one after the other. */
function readStream(text: string): string {
  let stream = "";
  streamed.lastIndex = 0;
  for (let match = streamed.exec(text); match !== null; match = streamed.exec(text)) {
    const part = readLiteral(text, streamed.lastIndex);
    if (typeof part === "string") stream += part;
  }
  return stream;
}

/** Later lines, which have a name before them, go on where the list of the first ended. */
function readLines(stream: string): unknown[] {
  const values: unknown[] = [];
  for (const line of stream.split("\n")) {
    const list = readLooseJson(line.replace(/^[A-Z]\d+:/, ""));
    if (Array.isArray(list)) for (const each of list) values.push(each);
  }
  return values;
}
