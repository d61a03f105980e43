// What the pages of a host teach about where it keeps the fields of a schema: places and counts, never values. A place is learnt
// when five pages agree on it, and forgotten when it fails on two of the last three.
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
  /** Short hashes of the pages that were counted: a page that is read again says nothing new. Empty when it is learnt. */
  pages: string[];
  /** Whether its place held on the last pages, the latest last. */
  recent: boolean[];
}

export interface SiteTemplate {
  version: 1;
  fields: TemplateField[];
}

/** What one page says: places that held a value that was surely the field's, and whether places that are learnt held. */
export interface TemplateLesson {
  /** Hash of the page's URL. */
  page: string;
  values: { path: string[]; places: RulePlace[]; hash: string }[];
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

/** Pages that must agree. */
const pagesToLearn = Number(process.env.T_N ?? 5);
/** A place may be missing on one page in so many. */
const heldPerMiss = Number(process.env.T_M ?? 4);
/** Pages that have not agreed by then are forgotten. */
const mostPages = 15;
export const mostPlaces = 8;
const mostLearnt = 3;
const mostFields = 60;
const recentPages = 3;
const mostFailures = 2;

export function isLearnt({ pages, places }: TemplateField): boolean {
  return pages.length === 0 && places.length > 0;
}

/** The same object when the page says nothing new. */
export function withLesson(template: SiteTemplate | null, { page, values, checks }: TemplateLesson): SiteTemplate {
  const before = template ?? { version: 1, fields: [] };
  const fields = new Map(before.fields.map((field) => [keyOf(field.path), field]));
  let isChanged = false;
  const set = (field: TemplateField) => {
    isChanged = true;
    fields.set(keyOf(field.path), field);
  };
  for (const { path, hasHeld } of checks) {
    const field = fields.get(keyOf(path));
    if (!field || !isLearnt(field)) continue;
    const recent = [...field.recent, hasHeld].slice(-recentPages);
    if (recent.join() === field.recent.join()) continue;
    if (recent.filter((held) => !held).length < mostFailures) set({ ...field, recent });
    else isChanged = fields.delete(keyOf(path));
  }
  for (const { path, places, hash } of values) {
    const field = fields.get(keyOf(path)) ?? { path, places: [], pages: [], recent: [] };
    const isFull = fields.size >= mostFields && !fields.has(keyOf(path));
    if (isFull || isLearnt(field) || field.pages.includes(page)) continue;
    set(counted(field, page, places, hash));
  }
  return isChanged ? withinBounds([...fields.values()]) : before;
}

function counted(field: TemplateField, page: string, places: readonly RulePlace[], hash: string): TemplateField {
  const held = new Map(places.map((place) => [JSON.stringify(place), place]));
  const known = field.places.map((one) => {
    const isHeld = held.delete(JSON.stringify(one.place));
    if (!isHeld) return { ...one, missed: one.missed + 1 };
    return { ...one, held: one.held + 1, first: one.first === hash ? hash : null };
  });
  const fresh = [...held.values()].map((place) => ({ place, held: 1, missed: 0, first: hash }));
  const all = [...known, ...fresh].sort((one, other) => other.held - other.missed - (one.held - one.missed));
  const pages = [...field.pages, page];
  const sure = all.filter((one) => one.held >= pagesToLearn && one.held >= one.missed * heldPerMiss);
  if (sure.length > 0) return { ...field, places: sure.slice(0, mostLearnt), pages: [], recent: [true] };
  if (pages.length >= mostPages) return { ...field, places: [], pages: [] };
  return { ...field, places: all.slice(0, mostPlaces * 2), pages };
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
