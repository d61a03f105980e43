// Places in a value, and values at places.
import { isObject } from "../base/index.ts";
import type { JsonObject, Path } from "./model.ts";
import { mergeAll, propertiesOf, resolve } from "./strict-schema.ts";

/** As callers read it: offers[0].price. */
export function showPath(path: Path): string {
  const text = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("");
  return text.replace(/^\./, "");
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((found, part) => (hasPart(found, part) ? found[part as never] : undefined), value);
}

/** A copy with another value at the path, `undefined` for none; lists close the gap. The root itself cannot be changed. */
export function replaceAt(value: unknown, [part, ...rest]: Path, next: unknown): unknown {
  if (part === undefined || (rest.length > 0 && !hasPart(value, part))) return value;
  if (Array.isArray(value)) {
    const place = Number(part);
    if (rest.length > 0) return value.with(place, replaceAt(value[place], rest, next));
    if (next === undefined) return value.filter((_, each) => each !== place);
    return place < value.length ? value.with(place, next) : value;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).filter(([name]) => name !== String(part));
  if (rest.length > 0) entries.push([String(part), replaceAt(value[part], rest, next)]);
  else if (next !== undefined) entries.push([String(part), next]);
  return Object.fromEntries(entries);
}

/** What the schema says about the value at a path; empty when it says nothing. */
export function schemaAt(root: JsonObject, path: Path): JsonObject {
  return path.reduce<JsonObject>(
    (schema, part) => {
      const own = mergeAll(schema, root);
      const branches = [own, ...([own.anyOf, own.oneOf].find(Array.isArray) ?? []).map((each) => resolve(each, root))];
      for (const branch of branches) {
        if (typeof part === "string" && Object.hasOwn(propertiesOf(branch), part)) {
          return resolve(propertiesOf(branch)[part], root);
        }
        if (typeof part === "number" && isObject(branch.items)) return resolve(branch.items, root);
        if (typeof part === "string" && isObject(branch.additionalProperties)) {
          return resolve(branch.additionalProperties, root);
        }
      }
      return {};
    },
    resolve(root, root),
  );
}

function hasPart(value: unknown, part: string | number): value is Record<string | number, unknown> {
  return typeof value === "object" && value !== null && Object.hasOwn(value, part);
}
