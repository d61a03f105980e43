// Runs in the content pool's threads: reads from one page's tree what a schema or a prompt asks for.

import { remember, sha256 } from "../../base/index.ts";
import type { PageSource } from "../../content/index.ts";
import { findAll, readLooseJson } from "../../html/index.ts";
import { wordsAround } from "../fields/wanted-fields.ts";
import type { LinkedItem, PageFinding } from "../findings/finding.ts";
import { define } from "../findings/merge.ts";
import { singular } from "../lexicon/names.ts";
import { Chooser } from "../methods/candidate-chooser.ts";
import { rankEntities } from "../methods/entity-choice.ts";
import { readWhole } from "../methods/learned-object.ts";
import { readLinkedItems } from "../methods/linked-items.ts";
import { readOnlyThing } from "../methods/only-thing.ts";
import { readList } from "../methods/repeated.ts";
import { isProperties, typesOfThing } from "../page/entities.ts";
import { ParsedPage } from "../page/parsed-page.ts";
import type { CandidateRater } from "../ranking/rate.ts";
import { readWanted, type Wanted } from "../schema/wanted.ts";
import { isSteady } from "../site-rules/count-observations.ts";
import { learnFromData } from "../site-rules/learn-from-data.ts";
import { PageObserver } from "../site-rules/page-observer.ts";
import { RuleReader } from "../site-rules/rule-reader.ts";
import { asSiteRules } from "../site-rules/rule-set.ts";
import { runRules } from "../site-rules/run-rules.ts";
import { thingFormats } from "../things/thing-formats.ts";
import { readEverything, readPrompt } from "./without-schema.ts";

export type ThingName = keyof typeof thingFormats;

/** What is wanted of a page. Neither: the structured data that the page offers. */
export interface ReaderInput {
  /** Checked by `Extractor.checkSchema` before. */
  schema: Record<string, unknown> | null;
  prompt: string | null;
  /** Things to read in their own forms. */
  things?: readonly ThingName[];
  /** Nothing else is wanted. */
  onlyThings?: boolean;
  /** The items of the list that the page is about, or of what matches a selector. Nothing else is looked for. */
  linkedItems?: { selector: string | null };
  /**
   * Rules that pages of the host taught. `run`: where they fit, nothing else is looked for. `learn`: from data that the page was
   * found to have. `observe`: as evidence beside other candidates; with `mayCut` alone where every field is at its place.
   */
  site?: SiteRulesUse;
}

/** How a page is read with the rules of its host; null where none are known yet. They are checked before they are used. */
export type SiteRulesUse = { rules: unknown } & (
  | { use: "run" }
  | { use: "learn"; data: unknown }
  | { use: "observe"; mayCut: boolean; mayLearn: boolean }
);

/** `rate`: for tools that look at the candidates. */
export function readPage(source: PageSource, input: ReaderInput, rate?: CandidateRater): PageFinding {
  if (input.site?.use === "learn") {
    const reader = new RuleReader(new ParsedPage(source, []), source.root);
    return { found: null, learned: learnFromData(reader, input.site.data, asSiteRules(input.site.rules)) };
  }
  if (input.linkedItems) return { found: null, linkedItems: readItems(source, input.linkedItems) };
  const finding = input.onlyThings ? { found: null } : (readByRules(source, input) ?? readData(source, input, rate));
  return input.things ? { ...finding, things: readThings(source, input.things) } : finding;
}

/**
 * What the rules find, and by the usual methods what they do not know. Null where they do not fit the page: more than half of what
 * they know is missing, or something that must be there.
 */
function readByRules(source: PageSource, input: ReaderInput): PageFinding | null {
  const rules = input.site?.use === "run" ? asSiteRules(input.site.rules) : null;
  if (!rules) return null;
  const { found, known, missed } = runRules(new RuleReader(new ParsedPage(source, []), source.root), rules);
  if (!found || missed * 2 > known) return null;
  if (found.kind !== "object" || !input.schema) return { found, isRuled: true };
  const { fields } = found;
  const lacks = ({ name }: Wanted) => !Object.hasOwn(fields, name);
  const wanted = readWanted(input.schema).fields;
  const open = wanted.filter(lacks);
  const other = open.length > 0 ? readData(source, input).found : null;
  if (other?.kind === "object") {
    for (const [name, own] of Object.entries(other.fields)) if (!Object.hasOwn(fields, name)) define(fields, name, own);
  }
  return wanted.some((field) => field.isRequired && lacks(field)) ? null : { found, isRuled: true };
}

function readThings(source: PageSource, names: readonly ThingName[]): NonNullable<PageFinding["things"]> {
  const page = new ParsedPage(source, names);
  const found = names.map((name) => [name, thingFormats[name].read(page, source.url)] as const);
  return Object.fromEntries(found.flatMap(([name, thing]) => (thing ? [[name, thing]] : [])));
}

function readItems(source: PageSource, { selector }: NonNullable<ReaderInput["linkedItems"]>): LinkedItem[] {
  const page = new ParsedPage(source, []);
  return readLinkedItems(page, selector === null ? null : findAll(selector, source.root));
}

/** The pages of a job share a schema. */
const wantedOf = remember((schema) => readWanted(JSON.parse(schema)), 20);

function readData(source: PageSource, input: ReaderInput, rate?: CandidateRater): PageFinding {
  const { schema, prompt } = input;
  const wanted = schema ? wantedOf(JSON.stringify(schema)) : null;
  const page = new ParsedPage(source, wanted ? wordsAround(wanted).map(singular) : []);
  if (source.kind === "json") addDocument(page, source);
  if (!wanted) return { found: prompt ? readPrompt(page, prompt) : readEverything(page) };
  if (wanted.kind === "list") {
    return { found: readList(page, wanted, page.entities) ?? readOnlyThing(page, wanted, source.url) };
  }
  if (wanted.kind !== "object") return { found: null };
  if (input.site?.use === "observe" && source.kind === "html") {
    const finding = readAndObserve(source, page, wanted, input.site, rate);
    if (finding) return finding;
  }
  const found = new Chooser(page, rate).object(wanted, rankEntities(page, wanted), []);
  const [list, ...others] = wanted.fields;
  if (found || list?.kind !== "list" || others.length > 0) return { found };
  const only = readOnlyThing(page, list, source.url);
  return { found: only && { kind: "object", fields: { [list.name]: only } } };
}

/** Null when nothing was found. */
function readAndObserve(
  source: PageSource,
  page: ParsedPage,
  wanted: Wanted,
  { rules: written, mayCut, mayLearn }: Extract<SiteRulesUse, { use: "observe" }>,
  rate?: CandidateRater,
): PageFinding | null {
  const rules = asSiteRules(written);
  const observer = new PageObserver(new RuleReader(page, source.root), rules);
  const chooser = new Chooser(page, rate, observer);
  const whole = mayCut && rules && isSteady(rules) ? readWhole(chooser, wanted, { page, around: [], path: [] }) : null;
  if (whole) return { found: whole };
  const found = chooser.object(wanted, rankEntities(page, wanted), []);
  if (!found) return null;
  return mayLearn ? { found, observation: observer.observe(found, sha256(source.url).slice(0, 8)) } : { found };
}

/** A page that is JSON describes what its objects are. */
function addDocument(page: ParsedPage, { text }: PageSource): void {
  const value = readLooseJson(text);
  for (const one of (Array.isArray(value) ? value : [value]).slice(0, 1000)) {
    if (!isProperties(one)) continue;
    page.entities.push({
      method: "page-state",
      types: [...typesOfThing(one), "Document"],
      properties: one,
      element: page.text.root,
    });
  }
}
