// The ranker's features of a candidate: its source, its label, its position, its form, and how the field's other candidates compare.
import type { Element } from "domhandler";
import type { WantedField } from "../fields/wanted-fields.ts";
import type { FindingMethod, Found } from "../findings/finding.ts";
import type { Kind } from "../lexicon/concepts.ts";
import { fold, keyOf } from "../lexicon/names.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import { parentOf } from "../page/text-pieces.ts";
import { isFramed } from "../page/title.ts";
import { isInLink, isStruck } from "../page/value-context.ts";
import type { FieldCandidate } from "./candidate.ts";

const kinds: readonly Kind[] = [
  "title",
  "text",
  "long",
  "names",
  "terms",
  "money",
  "currency",
  "availability",
  "number",
  "rating",
  "date",
  "minutes",
  "phone",
  "email",
  "url",
  "image",
  "code",
  "gtin",
  "isbn",
  "address",
  "measure",
];
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

const signNames = [
  "is list",
  "named",
  "fit",
  "order of its method",
  "rank of its thing",
  "rank of its key",
  "colon",
  "beside",
  "crowd",
  "behind the title",
  "distance",
  "share of the page",
  "framed",
  "struck",
  "in a link",
  "characters",
  "words",
  "digits",
  "items",
  "characters of an item",
  "distinct items",
  "items with digits",
  "of its form",
  "rank of a heading",
  "shared with the url",
  "shared with the head",
  "is the site",
  "is the title",
  "in the title",
  "in the url",
  "agreeing",
  "agreeing sources",
  "agreeing data",
  "agreeing shown",
  "values",
  "candidates",
  "other data",
  "others named",
  "named above others",
  "sum of parts",
] as const;

export const candidateFeatures: readonly string[] = [
  ...kinds.map((kind) => `kind ${kind}`),
  ...sources.map((source) => `source ${source}`),
  ...signNames,
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
    const { same, otherData, othersNamed } = agreement.beside(key);
    const element = elements[0];
    const text = textOf(found);
    const at = signs.at ?? (element && isShown(source) ? page.text.range(element).from : -1);
    const distance = at < 0 ? 0 : at - page.titleAt;
    const items = found.kind === "list" ? found.items.map(textOf) : [text];
    const own: Record<(typeof signNames)[number], number> = {
      "is list": Number(found.kind === "list"),
      named: signs.named ?? 0,
      fit: signs.fit ?? 1,
      "order of its method": signs.order ?? 0,
      "rank of its thing": signs.rank ?? 0,
      "rank of its key": signs.keyRank ?? 0,
      colon: Number(signs.hasColon ?? false),
      beside: Number(signs.isBeside ?? false),
      crowd: signs.crowd ?? 0,
      "behind the title": Number(at >= 0 && distance >= 0),
      distance: at < 0 ? -1 : Math.abs(distance),
      "share of the page": at < 0 ? -1 : at / pieces,
      framed: Number(at >= 0 && element !== undefined && isFramed(element, page.text)),
      struck: Number(isStruck(element)),
      "in a link": Number(element !== undefined && isInLink(element)),
      characters: text.length,
      words: text.split(" ").length,
      digits: text.replace(/\D/g, "").length,
      items: items.length,
      "characters of an item": text.length / Math.max(1, items.length),
      "distinct items": new Set(items).size / Math.max(1, items.length),
      "items with digits": items.filter((item) => /\d/.test(item)).length / Math.max(1, items.length),
      "of its form": field.pattern ? Number(field.pattern.test(text)) : -1,
      "rank of a heading": headingRank(element),
      "shared with the url": sharedWords(text, urlWords),
      "shared with the head": sharedWords(text, headWords),
      "is the site": Number(text.length <= longestSiteName && page.isSiteName(text)),
      "is the title": Number(key !== "" && key === title),
      "in the title": Number(key.length > 1 && key.length < title.length && title.includes(key)),
      "in the url": Number(key.length > 2 && url.includes(key)),
      agreeing: same.count - 1,
      "agreeing sources": same.sources.size - Number(same.sources.get(source) === 1),
      "agreeing data": Number(same.data > Number(source === "items" || source === "page-state")),
      "agreeing shown": Number(same.shown > Number(isShown(source))),
      values: agreement.values,
      candidates: candidates.length,
      "other data": Number(otherData),
      "others named": othersNamed,
      "named above others": (signs.named ?? 0) - othersNamed,
      "sum of parts": signs.parts ?? 0,
    };
    return Float32Array.from([
      ...kinds.map((kind) => Number(kind === field.kind)),
      ...sources.map((one) => Number(one === source)),
      ...signNames.map((name) => own[name]),
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

/** Who says the same: counted once for all candidates, because a page may have thousands. */
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
  for (let place = element ?? null, steps = 0; place && steps < 3; place = parentOf(place), steps += 1) {
    if (/^h[1-6]$/.test(place.name)) return Number(place.name.charAt(1));
  }
  return 9;
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
