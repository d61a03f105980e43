// Puts together what the pages gave, and keeps of it what the schema allows.
import type { ErrorObject } from "ajv";
import type { Evidence, FilledData, PageFinding } from "../findings/finding.ts";
import { define, type Merged, mergeFound, plain } from "../findings/merge.ts";
import { ownErrors, stepsOf } from "../schema/problems.ts";
import { compileSchema } from "../schema/validator.ts";
import { readWanted, type Wanted } from "../schema/wanted.ts";

export interface FillRequest {
  /** Null: the answer is whatever the pages were found to hold. */
  schema: Record<string, unknown> | null;
  /**
   * In the order of the caller's URLs: of equal findings the first page's is taken. Values of a page with a higher
   * rank count only where those with a lower one have none; 0 unless given.
   */
  pages: { url: string; finding: PageFinding; rank?: number | undefined }[];
}

type Path = string[];

/** Each round leaves out what is wrong; what needed it may be found wrong only then. */
const maxRounds = 40;
const maxNamed = 50;

/**
 * What breaks the schema is left out, from the inside: the value, then the list item or object that cannot be without it.
 * What is not found is null where the schema allows null, and absent elsewhere; a required list is empty. A required field
 * that may not be null stays absent where leaving out the object around it would break the schema just as much, and is
 * named in the warning: a made-up value would be valid and wrong.
 */
export function fill({ schema, pages }: FillRequest): FilledData {
  const found = mergeFound(
    pages.flatMap(({ url, finding, rank = 0 }) => (finding.found ? [{ url, found: finding.found, rank }] : [])),
  );
  if (!schema) {
    const whole = found ?? { kind: "object", fields: {} };
    const isEmpty = whole.kind === "object" && Object.keys(whole.fields).length === 0;
    return answer(whole, [], isEmpty ? ["Nothing was found on the pages that answers this."] : []);
  }
  const wanted = readWanted(schema);
  const validator = compileSchema(schema);
  if (!validator.ok) throw new Error(validator.message);

  const holder = new Holder(completed(found, wanted), wanted);
  for (let round = 0; round < maxRounds; round += 1) {
    const errors = validator.errorsOf(plain(holder.root));
    if (errors.length === 0 || !holder.repair(errors)) break;
  }
  return answer(holder.root, missingOf(holder.root, wanted, []), holder.sentences());
}

/** With null for what was not found and may be null, and with lists and objects that must be there. */
function completed(found: Merged | null, wanted: Wanted): Merged {
  if (wanted.kind === "object") {
    const fields: Record<string, Merged> = {};
    for (const field of wanted.fields) {
      const own =
        found?.kind === "object" && Object.hasOwn(found.fields, field.name) ? found.fields[field.name] : undefined;
      if (own) define(fields, field.name, completed(own, field));
      else if (field.isNullable) define(fields, field.name, { kind: "null" });
      else if (field.isRequired && field.kind !== "scalar") define(fields, field.name, completed(null, field));
    }
    if (wanted.fields.length === 0 && found?.kind === "object") return found;
    return { kind: "object", fields };
  }
  if (wanted.kind === "list") {
    const { items } = wanted;
    const own = found?.kind === "list" ? found.items : [];
    return { kind: "list", items: own.map((item) => (items ? completed(item, items) : item)) };
  }
  return found ?? { kind: "null" };
}

class Holder {
  root: Merged;
  private readonly wanted: Wanted;
  private readonly leftOut = new Set<string>();
  private readonly required = new Set<string>();
  private readonly unfit = new Set<string>();

  constructor(root: Merged, wanted: Wanted) {
    this.root = root;
    this.wanted = wanted;
  }

  /** False when nothing could be changed. */
  repair(errors: readonly ErrorObject[]): boolean {
    // From the end of lists, so that earlier places stay right.
    const places = ownErrors(errors).map((error) => ({ error, path: stepsOf(error.instancePath) }));
    places.sort((one, other) => comparePaths(other.path, one.path));
    let hasChanged = false;
    for (const { error, path } of places) if (this.leaveOut(error, path)) hasChanged = true;
    return hasChanged;
  }

  private leaveOut({ keyword, params }: ErrorObject, path: Path): boolean {
    if (keyword === "additionalProperties" || keyword === "unevaluatedProperties") {
      return this.remove([...path, String(params.additionalProperty ?? params.unevaluatedProperty)]);
    }
    if (keyword === "uniqueItems") return this.remove([...path, String(Math.max(Number(params.i), Number(params.j)))]);
    if (keyword === "maxItems") return this.shorten(path, Number(params.limit));
    const missing = keyword === "required" ? [...path, String(params.missingProperty)] : path;
    if (keyword === "required" && (this.isNeeded(path) || !this.remove(path))) {
      this.required.add(nameOf(missing));
      return false;
    }
    if (keyword === "required") return true;
    if (path.length > 0 && this.at(path)?.kind === "value") this.leftOut.add(nameOf(path));
    if (this.remove(path)) return true;
    this.unfit.add(nameOf(path) || "the whole");
    return false;
  }

  /** Whether leaving this object out would itself break the schema: the outermost one, or required by such a one. */
  private isNeeded(path: Path): boolean {
    let wanted: Wanted | undefined = this.wanted;
    for (const step of path) {
      if (wanted?.kind !== "object") return false;
      wanted = wanted.fields.find(({ name }) => name === step);
      if (!wanted?.isRequired || wanted.isNullable) return false;
    }
    return true;
  }

  private at(path: Path): Merged | undefined {
    let place: Merged | undefined = this.root;
    for (const step of path) {
      if (place?.kind === "object") place = Object.hasOwn(place.fields, step) ? place.fields[step] : undefined;
      else place = place?.kind === "list" ? place.items[Number(step)] : undefined;
    }
    return place;
  }

  private remove(path: Path): boolean {
    const last = path.at(-1);
    const parent = last === undefined ? undefined : this.at(path.slice(0, -1));
    if (last === undefined || !parent || !this.at(path)) return false;
    if (parent.kind === "list") return parent.items.splice(Number(last), 1).length > 0;
    return parent.kind === "object" && delete parent.fields[last];
  }

  private shorten(path: Path, limit: number): boolean {
    const list = this.at(path);
    if (list?.kind !== "list") return false;
    list.items.length = Math.min(list.items.length, limit);
    return true;
  }

  sentences(): string[] {
    const sentences: string[] = [];
    if (this.leftOut.size > 0)
      sentences.push(`Found, but not valid against the schema and left out: ${some(this.leftOut)}.`);
    if (this.required.size > 0) sentences.push(`Required by the schema, but not found: ${some(this.required)}.`);
    if (this.unfit.size > 0) sentences.push(`Does not satisfy the schema: ${some(this.unfit)}.`);
    return sentences;
  }
}

function answer(root: Merged, missing: string[], sentences: string[]): FilledData {
  const evidence: Record<string, Evidence> = {};
  const pages = new Map<string, Set<string>>();
  collect(root, "", "");
  const sources: Record<string, string[]> = {};
  for (const [path, urls] of pages) define(sources, path, [...urls]);
  const all = [...(missing.length > 0 ? [`Not found on the pages: ${some(missing)}.`] : []), ...sentences];
  return { data: plain(root), evidence, sources, missing, ...(all.length > 0 ? { warning: all.join(" ") } : {}) };

  function collect(place: Merged, path: string, field: string): void {
    if (place.kind === "value") {
      define(evidence, path, place.evidence);
      const urls = pages.get(field) ?? new Set();
      pages.set(field, urls.add(place.evidence.url));
    } else if (place.kind === "list") {
      for (const [index, item] of place.items.entries()) collect(item, `${path}[${index}]`, field);
    } else if (place.kind === "object") {
      for (const [name, below] of Object.entries(place.fields)) {
        collect(below, path === "" ? name : `${path}.${name}`, field === "" ? name : `${field}.${name}`);
      }
    }
  }
}

function missingOf(place: Merged | undefined, wanted: Wanted, path: Path): string[] {
  if (wanted.kind === "object" && wanted.fields.length > 0) {
    const fields = place?.kind === "object" ? place.fields : {};
    return wanted.fields.flatMap((field) =>
      missingOf(Object.hasOwn(fields, field.name) ? fields[field.name] : undefined, field, [...path, field.name]),
    );
  }
  const isThere =
    place?.kind === "value" ||
    (place?.kind === "list" && place.items.length > 0) ||
    (place?.kind === "object" && Object.keys(place.fields).length > 0);
  return isThere ? [] : [nameOf(path) || "everything"];
}

function comparePaths(one: Path, other: Path): number {
  for (let place = 0; place < Math.min(one.length, other.length); place += 1) {
    const [a = "", b = ""] = [one[place], other[place]];
    if (a !== b) return Number(a) - Number(b) || (a < b ? -1 : 1);
  }
  return one.length - other.length;
}

function nameOf(path: Path): string {
  return path.filter((step) => !/^\d+$/.test(step)).join(".");
}

function some(names: Iterable<string>): string {
  const all = [...new Set(names)];
  return all.length > maxNamed
    ? `${all.slice(0, maxNamed).join(", ")} and ${all.length - maxNamed} more`
    : all.join(", ");
}
