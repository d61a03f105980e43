// What the pages of a host teach about where it keeps the fields of a schema: places and counts, never values. After five pages a
// place is learned that held the value on most of them, and forgotten when it fails on two of three.
import { maxRulesLength, type RulePlace } from "../rules/rule.ts";

/** A place that may be a field's. */
export interface KnownPlace {
  place: RulePlace;
  /** Pages on which it held the value that was taken, and those on which it did not. */
  held: number;
  missed: number;
  /** A short hash of what it held first, until it held something else: what is the same on every page may be the site's own name. */
  first: string | null;
}

export interface TemplateField {
  /** Names of fields, the outermost first. */
  path: string[];
  places: KnownPlace[];
  /**
   * Short hashes of the pages that were counted: a page that is read again says nothing new. Empty when the field is settled: its
   * places are learned, or the pages do not agree on any.
   */
  pages: string[];
  /** Whether its place held on the last pages, the latest last. */
  recent: boolean[];
}

export interface SiteTemplate {
  version: 1;
  fields: TemplateField[];
}

/** What one page says. */
export interface TemplateObservation {
  /** Hash of the page's URL. */
  page: string;
  /** Places that held a value that was surely the field's, with a short hash of it. */
  values: { path: string[]; places: RulePlace[]; hash: string }[];
  /** Whether places that are learned held what was surely the field's value. */
  checks: { path: string[]; hasHeld: boolean }[];
}

/** How a page is read with the template of its host. */
export interface TemplateUse {
  /** Null: nothing is known yet. */
  template: SiteTemplate | null;
  /** Whether what the template knows may stand for a search; else the page also checks it. */
  mayCut: boolean;
  /** Whether the page may teach something. */
  mayLearn: boolean;
}

/** Pages that are needed, and on how many of them a place must have held the value. */
const pagesToLearn = 5;
const leastHeld = 3;
const leastShare = 0.6;
/** Pages that have not agreed by then never will. */
const mostPages = 15;
export const mostPlaces = 8;
const mostLearned = 3;
const mostFields = 60;
const recentPages = 3;
const mostFailures = 2;

export function isLearned({ pages, places }: TemplateField): boolean {
  return pages.length === 0 && places.length > 0;
}

/** Whether a page can still teach something about a field. */
export function isOpen({ pages }: TemplateField, page: string): boolean {
  return pages.length > 0 && !pages.includes(page);
}

/** The same object when the page says nothing new. */
export function withObservation(
  template: SiteTemplate | null,
  { page, values, checks }: TemplateObservation,
): SiteTemplate {
  const before = template ?? { version: 1, fields: [] };
  const fields = new Map(before.fields.map((field) => [keyOf(field.path), field]));
  let isChanged = false;
  const set = (field: TemplateField) => {
    isChanged = true;
    fields.set(keyOf(field.path), field);
  };
  for (const { path, hasHeld } of checks) {
    const field = fields.get(keyOf(path));
    if (!field || !isLearned(field)) continue;
    const recent = [...field.recent, hasHeld].slice(-recentPages);
    if (recent.join() === field.recent.join()) continue;
    if (recent.filter((held) => !held).length < mostFailures) {
      set({ ...field, recent });
      continue;
    }
    isChanged = fields.delete(keyOf(path));
    // Pages of a new design may agree on what others did not.
    for (const [key, { pages, places }] of fields) if (pages.length + places.length === 0) fields.delete(key);
  }
  const told = new Map(values.map((value) => [keyOf(value.path), value]));
  for (const field of fields.values()) {
    if (isOpen(field, page)) set(counted(field, page, told.get(keyOf(field.path)) ?? null));
  }
  for (const value of values) {
    if (fields.size >= mostFields || fields.has(keyOf(value.path))) continue;
    set(counted({ path: value.path, places: [], pages: [], recent: [] }, page, value));
  }
  return isChanged ? withinBounds([...fields.values()]) : before;
}

/** Null: the page has no value of the field, and says nothing about places. */
function counted(
  field: TemplateField,
  page: string,
  value: TemplateObservation["values"][number] | null,
): TemplateField {
  const pages = [...field.pages, page];
  const places = value ? withPage(field.places, value) : field.places;
  if (pages.length < pagesToLearn) return { ...field, places, pages };
  const sure = places.filter(({ held, missed }) => held >= leastHeld && held >= (held + missed) * leastShare);
  if (sure.length > 0) return { ...field, places: sure.slice(0, mostLearned), pages: [], recent: [] };
  return pages.length < mostPages ? { ...field, places, pages } : { ...field, places: [], pages: [] };
}

function withPage(before: readonly KnownPlace[], value: TemplateObservation["values"][number]): KnownPlace[] {
  const { hash, places } = value;
  const holding = new Map(places.map((place) => [JSON.stringify(place), place]));
  const known = before.map((one) => {
    if (!holding.delete(JSON.stringify(one.place))) return { ...one, missed: one.missed + 1 };
    return { ...one, held: one.held + 1, first: one.first === hash ? hash : null };
  });
  const fresh = [...holding.values()].map((place) => ({ place, held: 1, missed: 0, first: hash }));
  const all = [...known, ...fresh];
  all.sort((one, other) => other.held - other.missed - (one.held - one.missed));
  return all.slice(0, mostPlaces * 2);
}

function withinBounds(fields: TemplateField[]): SiteTemplate {
  const template: SiteTemplate = { version: 1, fields };
  while (JSON.stringify(template).length > maxRulesLength) fields.length >>= 1;
  return template;
}

/** Whether what is known may stand for a search: no place has failed of late. */
export function isSteady({ fields }: SiteTemplate): boolean {
  return fields.every((field) => field.recent.every((held) => held));
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}
