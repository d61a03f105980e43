// Things described in scripts of linked data.

import type { Element } from "domhandler";
import { attribute, readLooseJson, textOf } from "../../html/index.ts";
import { type Entity, isProperties, type Properties, typesOfThing } from "./entities.ts";

const maxEntities = 500;
const maxDepth = 10;

export function readJsonLd(scripts: readonly Element[]): Entity[] {
  const entities: Entity[] = [];
  const byId = new Map<string, Properties>();
  for (const script of scripts) {
    if (!/ld\+json/i.test(attribute(script, "type") ?? "")) continue;
    collect(readLooseJson(textOf(script)), script, 0);
  }
  for (const { properties } of entities) resolve(properties, 0);
  return entities;

  function collect(value: unknown, script: Element, depth: number): void {
    if (depth > maxDepth || entities.length >= maxEntities) return;
    if (Array.isArray(value)) for (const one of value) collect(one, script, depth + 1);
    if (!isProperties(value)) return;
    const types = typesOfThing(value);
    const id = value["@id"];
    if (typeof id === "string" && Object.keys(value).length > 1) byId.set(id, value);
    if (types.length > 0) entities.push({ method: "json-ld", types, properties: value, element: script });
    for (const key of ["@graph", "mainEntity", "mainEntityOfPage", "itemListElement", "item", "about", "hasVariant"]) {
      const below = value[key];
      if (typeof below === "object") collect(below, script, depth + 1);
    }
  }

  /** Objects that only name another one by its id are replaced by it. */
  function resolve(properties: Properties, depth: number): void {
    if (depth > 3) return;
    for (const [key, value] of Object.entries(properties)) {
      if (Array.isArray(value)) properties[key] = value.map(deref);
      else if (isProperties(value)) {
        properties[key] = deref(value);
        resolve(value, depth + 1);
      }
    }
  }

  function deref(value: unknown): unknown {
    if (!isProperties(value)) return value;
    const id = value["@id"];
    if (typeof id !== "string" || value.name !== undefined) return value;
    return byId.get(id) ?? value;
  }
}
