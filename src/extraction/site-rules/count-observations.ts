// Learns rules from what several pages of a host say. After five pages a place is learned that held the value on most of them; it is
// forgotten when it fails on two of three.
import { type CountedPlace, maxRulesLength, type OpenField, type RulePlace, type SiteRuleSet } from "./rule-set.ts";

/** What one page says about places. */
export interface SiteObservation {
  /** Hash of the page's URL. */
  page: string;
  /** Places that held a value that was surely the field's, with a short hash of it. */
  values: ObservedValue[];
  /** Whether learned places held what was surely the field's value. */
  checks: { path: string[]; hasHeld: boolean }[];
}

interface ObservedValue {
  path: string[];
  places: RulePlace[];
  hash: string;
}

/** Pages that are needed, and on how many of them a place must have held the value. */
const pagesToLearn = 5;
const leastHeld = 3;
const leastShare = 0.6;
/** Pages that disagree for this long never agree. */
const mostPages = 15;
export const mostPlaces = 8;
const mostLearned = 3;
const mostFields = 60;
const recentPages = 3;
const mostFailures = 2;

/** The same object when the page says nothing new. */
export function withObservation(rules: SiteRuleSet | null, { page, values, checks }: SiteObservation): SiteRuleSet {
  const before = rules ?? { version: 1, values: [], lists: [] };
  const learned = new Map(before.values.map((rule) => [keyOf(rule.path), rule]));
  const open = new Map((before.open ?? []).map((field) => [keyOf(field.path), field]));
  let isChanged = false;
  for (const { path, hasHeld } of checks) {
    const rule = learned.get(keyOf(path));
    if (!rule) continue;
    const recent = [...(rule.recent ?? []), hasHeld].slice(-recentPages);
    if (recent.join() === rule.recent?.join()) continue;
    isChanged = true;
    if (recent.filter((held) => !held).length < mostFailures) {
      learned.set(keyOf(path), { ...rule, recent });
      continue;
    }
    learned.delete(keyOf(path));
    // Pages of a new design may agree on what others did not.
    for (const [key, field] of open) if (isGivenUp(field)) open.delete(key);
  }
  const count = (field: OpenField) => {
    isChanged = true;
    const key = keyOf(field.path);
    const value = values.find(({ path }) => keyOf(path) === key);
    const now = {
      ...field,
      pages: [...field.pages, page],
      places: value ? counted(field.places, value) : field.places,
    };
    const sure = now.pages.length < pagesToLearn ? [] : now.places.filter(isSure).slice(0, mostLearned);
    open.set(key, now.pages.length < mostPages ? now : { path: field.path, places: [], pages: [] });
    if (sure.length === 0) return;
    open.delete(key);
    const constants = sure.filter(({ first }) => first !== "").map(({ place }) => place);
    learned.set(key, { path: field.path, places: sure.map(({ place }) => place), constants, recent: [] });
  };
  for (const field of open.values()) if (!isGivenUp(field) && !field.pages.includes(page)) count(field);
  for (const { path } of values) {
    const isNew = !learned.has(keyOf(path)) && !open.has(keyOf(path));
    if (isNew && learned.size + open.size < mostFields) count({ path, places: [], pages: [] });
  }
  return isChanged
    ? withinBounds({ version: 1, values: [...learned.values()], lists: [], open: [...open.values()] })
    : before;
}

export function isGivenUp({ pages }: OpenField): boolean {
  return pages.length === 0;
}

function isSure({ held, missed }: CountedPlace): boolean {
  return held >= leastHeld && held >= (held + missed) * leastShare;
}

function counted(before: readonly CountedPlace[], { hash, places }: ObservedValue): CountedPlace[] {
  const holding = new Map(places.map((place) => [JSON.stringify(place), place]));
  const known = before.map((one) => {
    if (!holding.delete(JSON.stringify(one.place))) return { ...one, missed: one.missed + 1 };
    return { ...one, held: one.held + 1, first: one.first === hash ? hash : "" };
  });
  const fresh = [...holding.values()].map((place) => ({ place, held: 1, missed: 0, first: hash }));
  const all = [...known, ...fresh];
  all.sort((one, other) => other.held - other.missed - (one.held - one.missed));
  return all.slice(0, mostPlaces * 2);
}

function withinBounds(rules: SiteRuleSet & { open: OpenField[] }): SiteRuleSet {
  while (JSON.stringify(rules).length > maxRulesLength) {
    const fields = rules.open.length > 0 ? rules.open : rules.values;
    fields.length >>= 1;
  }
  return rules;
}

/** Whether no learned place has failed of late: only then may they replace a search. */
export function isSteady({ values }: SiteRuleSet): boolean {
  return values.every(({ recent = [] }) => recent.every((held) => held));
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}
