// For each wanted field the candidates of every method, and the surest of them. In this order:
// 1. candidates: entity-choice (structured data), pairs (labels and values), named-elements (classes and ids), unnamed, sentences,
//    short-lines and availability (by form), learned-texts (places that the host taught); list-items for fields that are lists
// 2. candidate-text and refine shorten their texts; sums compares times with their parts
// 3. ranking rates them, and write-places notes where the chosen ones are
// repeated and similar-parts read lists of things, only-thing the page of one, learned-object pages whose places are all known.
import type { Element } from "domhandler";
import { attribute } from "../../html/index.ts";
import { isScalarField, readFields, type WantedField, wordsAround } from "../fields/wanted-fields.ts";
import type { FindingMethod, Found } from "../findings/finding.ts";
import { define } from "../findings/merge.ts";
import { availabilityOf } from "../lexicon/availability-words.ts";
import { phraseOfText } from "../lexicon/names.ts";
import { type Entity, textsOf, valuesAt } from "../page/entities.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import { isStruck } from "../page/value-context.ts";
import type { CandidateSigns, FieldCandidate } from "../ranking/candidate.ts";
import { type CandidateRater, likeliest, rateCandidates } from "../ranking/rate.ts";
import type { Wanted } from "../schema/wanted.ts";
import { coerce } from "../values/coerce.ts";
import { cityWithCode } from "../values/value-patterns.ts";
import { shownAvailability } from "./availability.ts";
import {
  inStockFirst,
  isMachine,
  isOwnValue,
  isStructured,
  labelWeight,
  partsOf,
  plainNumber,
  withoutLabel,
} from "./candidate-text.ts";
import { entitiesBelow } from "./entity-choice.ts";
import { isSameValue, type LearnedCandidate, type LearnedTexts, rateLearned } from "./learned-texts.ts";
import { itemsBetween, itemsIn, type ListItem, linkAt, outermost, splitItem } from "./list-items.ts";
import { type NamedElement, NameIndex } from "./named-elements.ts";
import { findPairs, type Pair } from "./pairs.ts";
import { ofForm, refine, shorten } from "./refine.ts";
import { readList } from "./repeated.ts";
import { findSaid } from "./sentences.ts";
import { ShortLines } from "./short-lines.ts";
import { compareWithParts } from "./sums.ts";
import { addressParts, findByHost, findByUrl, findUnnamed } from "./unnamed.ts";
import { writePlaces } from "./write-places.ts";

/** Names of fields, the outermost first. */
type Path = readonly string[];

const maxPairs = 40;
const maxItems = 500;
const maxOfData = 5;
const maxMetas = 3;
const maxTitles = 5;
/** A label names the page's subject only if it is as sure as this. */
const surestLabel = 0.95;

export class Chooser {
  private readonly page: ParsedPage;
  private readonly rate: CandidateRater;
  private readonly shortLines: ShortLines;
  private readonly learnedTexts: LearnedTexts | null;

  constructor(page: ParsedPage, rate: CandidateRater = rateCandidates, learnedTexts: LearnedTexts | null = null) {
    this.page = page;
    this.learnedTexts = learnedTexts;
    this.shortLines = new ShortLines(page);
    this.rate = rate;
  }

  /** `entities`: things of the structured data that may hold the fields, the likeliest first. */
  object(wanted: Wanted, entities: readonly Entity[], around: readonly string[], path: Path = []): Found | null {
    const own = [...new Set([...around, ...wordsAround(wanted)])];
    const fields = readFields(wanted.fields, own, this.page.isDayFirst);
    const found: Record<string, Found> = {};
    const taken = this.search(fields, entities, own, path);
    refine(taken, own, this.page);
    for (const [field, { found: value }] of taken) define(found, field.wanted.name, value);
    for (const field of wanted.fields) {
      if (isScalarField(field)) continue;
      const below =
        field.kind === "object"
          ? this.object(field, [...entitiesBelow(entities, field), ...entities], own, [...path, field.name])
          : field.kind === "list"
            ? readList(this.page, field, entities)
            : null;
      if (below) define(found, field.name, below);
    }
    return Object.keys(found).length > 0 ? { kind: "object", fields: found } : null;
  }

  /** The candidate at the place that earlier pages of the host taught for the field. */
  learned(field: WantedField, around: readonly string[], path: Path): LearnedCandidate | null {
    const text = this.learnedTexts?.at([...path, field.wanted.name]);
    const candidate = text ? this.make(field, text.method, [text], {}) : null;
    if (!text || !candidate) return null;
    shorten(field, candidate, around, this.page);
    return { ...candidate, isTelling: text.isTelling };
  }

  private search(
    fields: readonly WantedField[],
    entities: readonly Entity[],
    around: readonly string[],
    path: Path,
  ): Map<WantedField, FieldCandidate> {
    const phrases = new Set(fields.flatMap((field) => [...field.phrases.keys()]));
    const pairs = findPairs(this.page.text, (phrase) => phrases.has(phrase));
    const named = new NameIndex(fields, around).find(this.page.text);
    const proposed = fields.map((field) => {
      const learned = this.learned(field, around, path);
      return { field, learned, candidates: this.candidates(field, entities, pairs, named, around, learned) };
    });
    compareWithParts(proposed);
    const taken = new Map<WantedField, FieldCandidate>();
    for (const { field, learned, candidates } of proposed) {
      const ratings = this.rate(field, candidates, this.page);
      const best = likeliest(candidates, learned?.isTelling ? rateLearned(candidates, ratings, learned) : ratings);
      if (!best) continue;
      writePlaces(best);
      taken.set(field, best);
      this.learnedTexts?.note([...path, field.wanted.name], best, learned);
    }
    return taken;
  }

  private candidates(
    field: WantedField,
    entities: readonly Entity[],
    pairs: readonly Pair[],
    named: readonly NamedElement[],
    around: readonly string[],
    learned: LearnedCandidate | null,
  ): FieldCandidate[] {
    const candidates = [
      ...this.fromEntities(field, entities),
      ...this.fromMetas(field),
      ...this.fromPairs(field, pairs, around),
      ...this.fromNames(
        field,
        named.filter((one) => one.field === field),
      ),
      ...this.fromTitle(field),
      ...this.fromForm(field),
    ];
    for (const one of candidates) shorten(field, one, around, this.page);
    const fitting = ofForm(field, candidates);
    if (learned?.isTelling && !fitting.some((one) => isSameValue(one, learned))) fitting.push(learned);
    return fitting;
  }

  private fromEntities(field: WantedField, entities: readonly Entity[]): FieldCandidate[] {
    const found: FieldCandidate[] = [];
    for (const [rank, { method, properties, element }] of entities.entries()) {
      for (const [keyRank, key] of field.keys.entries()) {
        const values = valuesAt(properties, key);
        if (values.length === 0) continue;
        const items = values.flatMap((value) => textsOf(value, element)).filter(({ text }) => text !== "");
        const ordered = field.kind === "availability" ? inStockFirst(items) : items;
        const candidate = this.make(field, method, ordered, { rank, keyRank });
        if (!candidate || this.isOutdated(field, ordered[0]?.text ?? "")) continue;
        found.push(candidate);
        if (found.length >= maxOfData) return found;
        if (field.kind !== "code") break;
      }
    }
    return found;
  }

  /** Whether the page shows the contrary of what its data says. */
  private isOutdated(field: WantedField, text: string): boolean {
    if (field.kind !== "availability") return false;
    const told = availabilityOf(text);
    const shown = told === null ? null : shownAvailability(this.page);
    return shown !== null && shown !== told;
  }

  private fromMetas(field: WantedField): FieldCandidate[] {
    // Titles there are weighed with the headings.
    if (field.kind === "title") return [];
    const found: FieldCandidate[] = [];
    for (const [keyRank, name] of field.metas.entries()) {
      const meta = this.page.meta(name);
      if (!meta) continue;
      const candidate = this.make(field, "meta", [meta], { keyRank });
      if (!candidate || this.isOutdated(field, meta.text)) continue;
      found.push(candidate);
      if (found.length >= maxMetas) break;
    }
    return found;
  }

  private fromPairs(field: WantedField, pairs: readonly Pair[], around: readonly string[]): FieldCandidate[] {
    const candidates: FieldCandidate[] = [];
    for (const pair of pairs) {
      if (candidates.length >= maxPairs) break;
      const weight = labelWeight(field, pair.phrase, around);
      if (weight === 0) continue;
      if (field.kind === "title" && (weight < surestLabel || !pair.hasColon)) continue;
      // Of several things' values none is the one thing's.
      if (pair.isOneOfSeveral && field.wanted.kind !== "list") continue;
      if (!pair.isBeside && this.isLabelElement(pair.from)) continue;
      const items = field.wanted.kind === "list" ? this.listOfPair(field, pair) : [this.textOfPair(field, pair)];
      const column =
        field.wanted.kind === "list" && pair.rows !== undefined
          ? pairs.filter((one) => one.at === pair.at && one.rows !== undefined)
          : [];
      const all = column.length > 1 ? column.flatMap((one) => this.listOfPair(field, one)) : items;
      const candidate = this.make(field, pair.method, all, {
        named: weight,
        order: candidates.length,
        hasColon: pair.hasColon,
        isBeside: pair.isBeside,
        crowd: pair.rows ?? 0,
        at: pair.at,
      });
      if (candidate) candidates.push(candidate);
    }
    return candidates;
  }

  /** Headings and elements that are called label or title name what comes after them. */
  private isLabelElement(piece: number): boolean {
    const element = this.page.text.pieces[piece]?.element;
    if (!element) return false;
    if (/^(?:th|dt|legend|caption)$/.test(element.name)) return true;
    return this.page.text
      .namesOf(element)
      .some((words) => words.length <= 2 && /^(?:label|title|heading|header|caption)$/.test(words.at(-1) ?? ""));
  }

  private listOfPair(field: WantedField, { from, to, end, head, rest = "", isBeside }: Pair): ListItem[] {
    const own = field.kind === "long" ? `${head}${rest}` : head;
    return itemsBetween(this.page.text, from, isBeside ? to : end, own, field);
  }

  private textOfPair(field: WantedField, { at, from, to, end, head, rest = "" }: Pair): ListItem {
    const { text } = this.page;
    const until = field.kind === "long" || field.kind === "address" ? end : to;
    const parts = field.kind === "address" ? addressParts(text.pieces.slice(from, until)) : [];
    const start = field.kind === "money" ? this.firstCurrent(from, until) : from;
    const own = field.kind === "long" ? `${head}${rest}` : head;
    const written = parts.length > 1 ? parts.join(", ") : `${own} ${text.between(start, until)}`.trim();
    const place = text.pieces[head !== "" ? at : start] ?? text.pieces[at];
    // A shown URL is the value where its text is enough: the link may lead through a counter.
    const isShown = field.wanted.format === "" && coerce(field, written) !== null;
    const link = field.kind === "url" && !isShown ? linkAt(text.pieces.slice(from, until)) : null;
    if (link) return { text: attribute(link, "href") ?? written, element: link };
    return { text: written, element: (place as { element: Element }).element };
  }

  private fromNames(field: WantedField, named: readonly NamedElement[]): FieldCandidate[] {
    const { text } = this.page;
    if (field.kind === "title") return [];
    const candidates: FieldCandidate[] = [];
    const groups = new Map<string, NamedElement[]>();
    for (const one of named) {
      if (text.isEmpty(one.element)) continue;
      const group = groups.get(one.name);
      if (group) group.push(one);
      else groups.set(one.name, [one]);
    }
    for (const group of groups.values()) {
      const { weight } = group[0] as NamedElement;
      const elements = outermost(group.map(({ element }) => element));
      if (field.wanted.kind === "list") {
        const items =
          elements.length > 1
            ? elements.map((element) => ({ text: text.of(element, 10_000), element }))
            : itemsIn(text, elements[0] as Element, field);
        const signs = { named: weight, order: candidates.length, crowd: elements.length };
        const candidate = this.make(field, "named-element", items, signs);
        if (candidate) candidates.push(candidate);
        continue;
      }
      for (const element of elements.slice(0, 5)) {
        const range = text.range(element);
        const parts =
          field.kind === "address" && text.of(element, 200).length > 100
            ? addressParts(text.pieces.slice(range.from, range.to))
            : [];
        const written = parts.length > 1 ? parts.join(", ") : this.wholeOf(field, element);
        const signs = { named: weight, order: candidates.length, crowd: elements.length };
        const item = { text: withoutLabel(field, written), element };
        const candidate = this.make(field, "named-element", [item], signs);
        if (candidate) candidates.push(candidate);
      }
    }
    return candidates;
  }

  private fromForm(field: WantedField): FieldCandidate[] {
    const isList = field.wanted.kind === "list";
    const linked = findByUrl(this.page, field);
    const found: FieldCandidate[] = [];
    if (linked.length > 0) {
      const weight = linked[0]?.weight ?? 0;
      const signs = { named: weight, crowd: linked.length };
      const candidate = this.make(field, "pattern", isList ? linked : linked.slice(0, 1), signs);
      if (candidate) found.push(candidate);
    }
    for (const one of [
      ...(field.isGeneral ? findUnnamed(this.page, field) : []),
      ...findByHost(this.page, field),
      ...findSaid(this.page, field),
      ...(isList ? [] : this.shortLines.find(field)),
    ]) {
      const items = isList ? splitItem(one, field) : [one];
      const candidate = this.make(field, "pattern", items, { named: one.weight, order: found.length });
      if (candidate) found.push(candidate);
    }
    return found;
  }

  /** The text of an element: of several lines the first one for short values, and the town behind a street. */
  private wholeOf(field: WantedField, element: Element): string {
    const { text } = this.page;
    const { from, to } = text.range(element);
    if (field.kind === "address") {
      const line = text.pieces[from]?.line ?? 0;
      let end = to;
      while (
        end < to + 6 &&
        end < text.pieces.length &&
        (text.pieces[end]?.line ?? 0) <= line + 1 &&
        !cityWithCode.test(text.between(from, end))
      )
        end += 1;
      return cityWithCode.test(text.between(from, end)) ? text.between(from, end) : text.between(from, to);
    }
    if (field.kind === "money") return text.between(this.firstCurrent(from, to), to).slice(0, 5000);
    if (field.kind !== "text" && field.kind !== "code" && field.kind !== "measure") return text.of(element, 5000);
    let end = from;
    while (end < to && text.pieces[end]?.line === text.pieces[from]?.line) end += 1;
    const first = text.between(from, end);
    return /[:：]$/.test(first) || field.phrases.has(phraseOfText(first)) ? text.of(element, 5000) : first;
  }

  /** Of several prices the first that is not a former one. */
  private firstCurrent(from: number, to: number): number {
    const { pieces } = this.page.text;
    for (let at = from; at < to; at += 1) if (!isStruck(pieces[at]?.element)) return at;
    return from;
  }

  private fromTitle(field: WantedField): FieldCandidate[] {
    if (field.kind !== "title") return [];
    return this.page.titles.slice(0, maxTitles).flatMap(({ text, element, confidence }, order) => {
      const method = element ? "heading" : "title";
      const reading = coerce(field, text);
      if (!reading) return [];
      const place = { method, selector: element ? "" : "title", text, confidence: 0 } as const;
      const found: Found = { kind: "value", value: reading.value, place };
      const signs = { named: confidence, order, fit: reading.fit };
      return [{ method, found, elements: element ? [element] : [], signs }];
    });
  }

  /** Absolute, except for a host's bare name, which is what the page says. */
  private absoluteUrl(written: string, field: WantedField): string {
    const isHost = /^[\w-]+(?:\.[\w-]+)+(?:\/\S*)?$/.test(written) && !written.startsWith("/");
    if (isHost) return (field.wanted.items ?? field.wanted).format === "" ? written : `http://${written}`;
    return this.page.urls.web(written) ?? written;
  }

  /** A candidate of one text or several, or null when they are no values of the field. */
  private make(
    field: WantedField,
    method: FindingMethod,
    items: readonly ListItem[],
    signs: CandidateSigns,
  ): FieldCandidate | null {
    const isList = field.wanted.kind === "list";
    const values: Found[] = [];
    const elements: Element[] = [];
    let fit = 0;
    for (const { text, element } of isList ? items.slice(0, maxItems) : items.slice(0, 1)) {
      for (const part of isList ? partsOf(field, text, items.length) : [text]) {
        // A label is no value.
        if (field.phrases.has(phraseOfText(part)) && !isOwnValue(field, part)) continue;
        const reading = coerce(field, isMachine(method) ? plainNumber(part) : part);
        if (!reading) continue;
        // Data that is written for programs needs no sign of its kind.
        const readingFit = isStructured(method) && typeof reading.value === "number" ? 1 : reading.fit;
        fit += readingFit;
        const value =
          typeof reading.value === "string" && (field.kind === "url" || field.kind === "image")
            ? this.absoluteUrl(reading.value, field)
            : reading.value;
        const place = { method, selector: "", text: part.slice(0, 1000), confidence: 0 };
        values.push({ kind: "value", value, place });
        elements.push(element);
      }
    }
    if (values.length === 0) return null;
    const found: Found = isList ? { kind: "list", items: values } : (values[0] as Found);
    return { method, elements, found, signs: { ...signs, fit: fit / values.length } };
  }
}
