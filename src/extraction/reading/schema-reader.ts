// Runs in the content pool's threads: reads from one page's tree what a schema or a prompt asks for.

import { remember, sha256 } from "../../base/index.ts";
import type { PageSource } from "../../content/index.ts";
import { readLooseJson } from "../../html/index.ts";
import { wordsAround } from "../fields/wanted-fields.ts";
import type { PageFinding } from "../findings/finding.ts";
import { define } from "../findings/merge.ts";
import { singular } from "../lexicon/names.ts";
import { Chooser } from "../methods/candidate-chooser.ts";
import { rankEntities } from "../methods/entity-choice.ts";
import { readWhole } from "../methods/learned-object.ts";
import { readOnlyThing } from "../methods/only-thing.ts";
import { readList } from "../methods/repeated.ts";
import { isProperties, typesOfThing } from "../page/entities.ts";
import { ParsedPage } from "../page/parsed-page.ts";
import type { CandidateRater } from "../ranking/rate.ts";
import { learnRules } from "../rules/learn-rules.ts";
import { asExtractorRules } from "../rules/rule.ts";
import { RuleReader } from "../rules/rule-reader.ts";
import { runRules } from "../rules/run-rules.ts";
import { readWanted, type Wanted } from "../schema/wanted.ts";
import { TemplateReader } from "../templates/learn-template.ts";
import { isSteady, type TemplateUse } from "../templates/site-template.ts";
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
  /** An extractor of the page's host: where it fits, nothing else is looked for. */
  rules?: unknown;
  /** Data of the page, to learn an extractor from. */
  learn?: unknown;
  /** What pages of the host have taught about the schema. */
  template?: TemplateUse;
}

/** `rate`: for tools that look at the candidates. */
export function readPage(source: PageSource, input: ReaderInput, rate?: CandidateRater): PageFinding {
  if (input.learn !== undefined) return learn(source, input);
  const finding = input.onlyThings ? { found: null } : (readByRules(source, input) ?? readData(source, input, rate));
  return input.things ? { ...finding, things: readThings(source, input.things) } : finding;
}

function learn(source: PageSource, { learn: data, rules }: ReaderInput): PageFinding {
  const reader = new RuleReader(new ParsedPage(source, []), source.root);
  return { found: null, learned: learnRules(reader, data, asExtractorRules(rules)) };
}

/**
 * What the extractor finds, and what it has not learned by the usual methods. Null where it does not fit the page: more than half of
 * what it knows is missing, or something that must be there.
 */
function readByRules(source: PageSource, input: ReaderInput): PageFinding | null {
  const rules = input.rules === undefined ? null : asExtractorRules(input.rules);
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

/** The pages of a job have one schema. */
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
  if (input.template && source.kind === "html") {
    const finding = readWithTemplate(source, page, wanted, input.template, rate);
    if (finding) return finding;
  }
  const found = new Chooser(page, rate).object(wanted, rankEntities(page, wanted), []);
  const [list, ...others] = wanted.fields;
  if (found || list?.kind !== "list" || others.length > 0) return { found };
  const only = readOnlyThing(page, list, source.url);
  return { found: only && { kind: "object", fields: { [list.name]: only } } };
}

/** Null when nothing was found. */
function readWithTemplate(
  source: PageSource,
  page: ParsedPage,
  wanted: Wanted,
  { template, mayCut, mayLearn }: TemplateUse,
  rate?: CandidateRater,
): PageFinding | null {
  const learned = new TemplateReader(new RuleReader(page, source.root), template);
  const chooser = new Chooser(page, rate, learned);
  const whole =
    mayCut && template && isSteady(template) ? readWhole(chooser, wanted, { page, around: [], path: [] }) : null;
  if (whole) return { found: whole };
  const found = chooser.object(wanted, rankEntities(page, wanted), []);
  if (!found) return null;
  return mayLearn ? { found, observation: learned.observation(found, sha256(source.url).slice(0, 8)) } : { found };
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
