// The ranker's features of a candidate: its source, its label, its position, its form, and how the field's other candidates compare.
import type { Element } from "domhandler";
import type { WantedField } from "../fields/wanted-fields.ts";
import type { FindingMethod, Found } from "../findings/finding.ts";
import { kinds } from "../lexicon/concepts.ts";
import { fold, keyOf } from "../lexicon/names.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import { findUp } from "../page/text-pieces.ts";
import { isFramed } from "../page/title.ts";
import { isInLink, isStruck } from "../page/value-context.ts";
import type { FieldCandidate } from "./candidate.ts";

/** Methods that say the same of a value share a column. */
const sources = [
  "items",
  "page-state",
  "meta",
  "table",
  "label",
  "heading",
  "named-element",
  "pattern",
  "title",
] as const;

type Source = (typeof sources)[number];

const sourceOf: Record<FindingMethod, Source> = {
  "json-ld": "items",
  microdata: "items",
  rdfa: "items",
  "page-state": "page-state",
  meta: "meta",
  table: "table",
  "definition-list": "table",
  label: "label",
  heading: "heading",
  "named-element": "named-element",
  "repeated-block": "named-element",
  pattern: "pattern",
  title: "title",
};

/** Longer texts are no name of a site. */
const longestSiteName = 60;

interface Facts extends Pick<FieldCandidate, "signs" | "found"> {
  field: WantedField;
  page: ParsedPage;
  candidates: readonly FieldCandidate[];
  agreement: Agreement;
  title: string;
  url: string;
  urlWords: ReadonlySet<string>;
  headWords: ReadonlySet<string>;
  /** Of the page's text. */
  pieces: number;
  element: Element | undefined;
  text: string;
  key: string;
  source: Source;
  /** The piece of text that holds it; -1 when none does. */
  at: number;
  distance: number;
  items: readonly string[];
  same: Group;
  otherData: boolean;
  othersNamed: number;
}

/** What is asked of a candidate, in the order of the ranker's columns. */
const questions: Record<string, (facts: Facts) => number> = {
  "is list": ({ found }) => Number(found.kind === "list"),
  named: ({ signs }) => signs.named ?? 0,
  fit: ({ signs }) => signs.fit ?? 1,
  "order of its method": ({ signs }) => signs.order ?? 0,
  "rank of its thing": ({ signs }) => signs.rank ?? 0,
  "rank of its key": ({ signs }) => signs.keyRank ?? 0,
  colon: ({ signs }) => Number(signs.hasColon ?? false),
  beside: ({ signs }) => Number(signs.isBeside ?? false),
  crowd: ({ signs }) => signs.crowd ?? 0,
  "behind the title": ({ at, distance }) => Number(at >= 0 && distance >= 0),
  distance: ({ at, distance }) => (at < 0 ? -1 : Math.abs(distance)),
  "share of the page": ({ at, pieces }) => (at < 0 ? -1 : at / pieces),
  framed: ({ element, at, page }) => Number(at >= 0 && element !== undefined && isFramed(element, page.text)),
  struck: ({ element }) => Number(isStruck(element)),
  "in a link": ({ element }) => Number(element !== undefined && isInLink(element)),
  characters: ({ text }) => text.length,
  words: ({ text }) => text.split(" ").length,
  digits: ({ text }) => text.replace(/\D/g, "").length,
  items: ({ items }) => items.length,
  "characters of an item": ({ text, items }) => text.length / Math.max(1, items.length),
  "distinct items": ({ items }) => new Set(items).size / Math.max(1, items.length),
  "items with digits": ({ items }) => items.filter((item) => /\d/.test(item)).length / Math.max(1, items.length),
  "of its form": ({ field, text }) => (field.pattern ? Number(field.pattern.test(text)) : -1),
  "rank of a heading": ({ element }) => headingRank(element),
  "shared with the url": ({ text, urlWords }) => sharedWords(text, urlWords),
  "shared with the head": ({ text, headWords }) => sharedWords(text, headWords),
  "is the site": ({ text, page }) => Number(text.length <= longestSiteName && page.isSiteName(text)),
  "is the title": ({ key, title }) => Number(key !== "" && key === title),
  "in the title": ({ key, title }) => Number(key.length > 1 && key.length < title.length && title.includes(key)),
  "in the url": ({ key, url }) => Number(key.length > 2 && url.includes(key)),
  agreeing: ({ same }) => same.count - 1,
  "agreeing sources": ({ source, same }) => same.sources.size - Number(same.sources.get(source) === 1),
  "agreeing data": ({ source, same }) => Number(same.data > Number(source === "items" || source === "page-state")),
  "agreeing shown": ({ source, same }) => Number(same.shown > Number(isShown(source))),
  values: ({ agreement }) => agreement.values,
  candidates: ({ candidates }) => candidates.length,
  "other data": ({ otherData }) => Number(otherData),
  "others named": ({ othersNamed }) => othersNamed,
  "named above others": ({ signs, othersNamed }) => (signs.named ?? 0) - othersNamed,
  "sum of parts": ({ signs }) => signs.parts ?? 0,
};

export const candidateFeatures: readonly string[] = [
  ...kinds.map((kind) => `kind ${kind}`),
  ...sources.map((source) => `source ${source}`),
  ...Object.keys(questions),
];

/** One row for each candidate. */
export function featuresOf(
  field: WantedField,
  candidates: readonly FieldCandidate[],
  page: ParsedPage,
): Float32Array[] {
  const about = candidates.map((candidate) => ({
    candidate,
    key: valueKey(candidate.found),
    source: sourceOf[candidate.method],
  }));
  const agreement = new Agreement(about);
  const title = keyOf(page.titles[0]?.text ?? "");
  const url = keyOf(page.ownUrl?.text ?? page.url);
  const urlWords = new Set(wordsIn(page.ownUrl?.text ?? page.url));
  const headWords = new Set(wordsIn(`${page.headTitle} ${page.meta("og:title")?.text ?? ""}`));
  const pieces = Math.max(1, page.text.pieces.length);
  return about.map(({ candidate, key, source }) => {
    const { signs, found, elements } = candidate;
    const element = elements[0];
    const text = textOf(found);
    const at = signs.at ?? (element && isShown(source) ? page.text.range(element).from : -1);
    const facts: Facts = {
      field,
      page,
      candidates,
      agreement,
      title,
      url,
      urlWords,
      headWords,
      pieces,
      signs,
      found,
      element,
      text,
      key,
      source,
      at,
      distance: at < 0 ? 0 : at - page.titleAt,
      items: found.kind === "list" ? found.items.map(textOf) : [text],
      ...agreement.beside(key),
    };
    return Float32Array.from([
      ...kinds.map((kind) => Number(kind === field.kind)),
      ...sources.map((one) => Number(one === source)),
      ...Object.values(questions).map((answer) => answer(facts)),
    ]);
  });
}

/** The candidates of one value. */
interface Group {
  count: number;
  sources: Map<Source, number>;
  /** How many are data of the page, and how many people see. */
  data: number;
  items: number;
  shown: number;
  named: number;
}

/** Which candidates agree: counted once for all of them, because a page may have thousands. */
class Agreement {
  private readonly groups = new Map<string, Group>();
  private items = 0;
  /** The best named value, and the best of the others. */
  private readonly best = { key: "", named: 0, others: 0 };

  constructor(about: readonly { candidate: FieldCandidate; key: string; source: Source }[]) {
    for (const { candidate, key, source } of about) {
      const group = this.groups.get(key) ?? { count: 0, sources: new Map(), data: 0, items: 0, shown: 0, named: 0 };
      this.groups.set(key, group);
      group.count += 1;
      group.sources.set(source, (group.sources.get(source) ?? 0) + 1);
      if (source === "items" || source === "page-state") group.data += 1;
      if (source === "items") {
        group.items += 1;
        this.items += 1;
      }
      if (isShown(source)) group.shown += 1;
      group.named = Math.max(group.named, candidate.signs.named ?? 0);
    }
    for (const [key, { named }] of this.groups) {
      if (named > this.best.named) Object.assign(this.best, { key, named, others: this.best.named });
      else this.best.others = Math.max(this.best.others, named);
    }
  }

  get values(): number {
    return this.groups.size;
  }

  beside(key: string): { same: Group; otherData: boolean; othersNamed: number } {
    const same = this.groups.get(key) as Group;
    const { best } = this;
    return {
      same,
      otherData: this.items > same.items,
      othersNamed: key === best.key && best.named > 0 ? best.others : best.named,
    };
  }
}

export function isData({ method }: FieldCandidate): boolean {
  return sourceOf[method] === "items";
}

/** Whether people see it. */
function isShown(source: Source): boolean {
  return source !== "items" && source !== "page-state" && source !== "meta" && source !== "title";
}

/** 1 for h1; 9 outside headings. */
function headingRank(element: Element | undefined): number {
  const heading = findUp(element, 3, ({ name }) => /^h[1-6]$/.test(name));
  return heading ? Number(heading.name.charAt(1)) : 9;
}

function wordsIn(text: string): string[] {
  return fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

function sharedWords(text: string, words: ReadonlySet<string>): number {
  const own = wordsIn(text.slice(0, 300));
  return own.filter((word) => words.has(word)).length / Math.max(1, own.length);
}

function textOf(found: Found): string {
  if (found.kind === "value") return String(found.value);
  return found.kind === "list" ? found.items.map(textOf).join(" ") : "";
}

/** What two writings of the same value share. */
export function valueKey(found: Found): string {
  const text = textOf(found);
  return keyOf(text) || text;
}
