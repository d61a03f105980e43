// Data that a page's scripts start with: __NEXT_DATA__, __NUXT__, Apollo, Shopify, dataLayer and any other JSON.

import type { Element } from "domhandler";
import { attribute, readLooseJson, textOf } from "../../html/index.ts";
import { type Entity, isProperties, type Properties } from "./entities.ts";

/** Characters of all scripts together that are read as JSON. */
const maxCharacters = 1_500_000;
const maxObjects = 30_000;
const maxDepth = 14;
const maxStarts = 40;
/** Where an object is given to a name or pushed to a list. */
const starts = /(?:[\w$\]"']\s*=\s*|\.push\(\s*|JSON\.parse\(\s*["'`])(?=[{[])/g;

/** Every object of at least two properties, as a thing that may be the wanted one. */
export function readPageState(scripts: readonly Element[], isWanted: (properties: Properties) => boolean): Entity[] {
  const entities: Entity[] = [];
  let characters = 0;
  let objects = 0;
  for (const script of scripts) {
    const type = attribute(script, "type") ?? "";
    if (/ld\+json/i.test(type) || attribute(script, "src") !== undefined) continue;
    const text = textOf(script);
    if (text.length < 20 || characters + text.length > maxCharacters) continue;
    const values = /json/i.test(type) ? [readLooseJson(text)] : literalsOf(text);
    if (values.length > 0) characters += text.length;
    for (const value of values) visit(value, script, 0);
  }
  return entities;

  function visit(value: unknown, script: Element, depth: number): void {
    if (depth > maxDepth || objects > maxObjects) return;
    if (Array.isArray(value)) for (const one of value.slice(0, 200)) visit(one, script, depth + 1);
    if (!isProperties(value)) return;
    objects += 1;
    if (isWanted(value)) entities.push({ method: "page-state", types: [], properties: value, element: script });
    for (const below of Object.values(value))
      if (typeof below === "object" && below !== null) visit(below, script, depth + 1);
  }
}

function literalsOf(text: string): unknown[] {
  const values: unknown[] = [];
  starts.lastIndex = 0;
  for (let tries = 0; tries < maxStarts; tries += 1) {
    const match = starts.exec(text);
    if (!match) break;
    const from = match.index + match[0].length;
    const to = endOf(text, from);
    if (to === -1) continue;
    const value = to - from > 30 ? readLooseJson(text.slice(from, to)) : null;
    if (value === null) continue;
    values.push(value);
    starts.lastIndex = to;
  }
  return values;
}

/** Behind the bracket that closes the one at `from`, or -1. */
function endOf(text: string, from: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let place = from; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    if (isQuoted) {
      if (code === 92) place += 1;
      else if (code === 34) isQuoted = false;
    } else if (code === 34) isQuoted = true;
    else if (code === 123 || code === 91) depth += 1;
    else if (code === 125 || code === 93) {
      depth -= 1;
      if (depth === 0) return place + 1;
    }
  }
  return -1;
}
