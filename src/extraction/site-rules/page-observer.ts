// Reads a page with the rules of its host: the text at each learned place, and what the page says about places.
import { sha256 } from "../../base/index.ts";
import type { Found } from "../findings/finding.ts";
import { isSameValue, type LearnedText, type LearnedTexts } from "../methods/learned-texts.ts";
import { isGivenUp, mostPlaces, type SiteObservation } from "./count-observations.ts";
import { PlaceFinder } from "./place-finder.ts";
import type { RuleReader } from "./rule-reader.ts";
import type { OpenField, RulePlace, SiteRuleSet, ValueRule } from "./rule-set.ts";

/** Only values at least this sure are learned from. */
const sureValue = 0.5;

type FoundValue = Extract<Found, { kind: "value" }>;

export class PageObserver implements LearnedTexts {
  private readonly reader: RuleReader;
  private readonly learned: Map<string, ValueRule>;
  private readonly open: Map<string, OpenField>;
  private readonly texts = new Map<ValueRule, LearnedText | null>();
  private readonly checks: SiteObservation["checks"] = [];

  constructor(reader: RuleReader, rules: SiteRuleSet | null) {
    this.reader = reader;
    this.learned = new Map(rules?.values.map((rule) => [JSON.stringify(rule.path), rule]));
    this.open = new Map(rules?.open?.map((field) => [JSON.stringify(field.path), field]));
  }

  at(path: readonly string[]): LearnedText | null {
    const rule = this.learned.get(JSON.stringify(path));
    const text = rule ? this.textOf(rule) : null;
    return text && { ...text, isTelling: text.isTelling && this.fits() };
  }

  /** Whether the page looks like those it was learned from: more than half of the places are there. */
  private fits(): boolean {
    const rules = [...this.learned.values()];
    return rules.filter((rule) => this.textOf(rule)).length * 2 > rules.length;
  }

  private textOf(rule: ValueRule): LearnedText | null {
    const known = this.texts.get(rule);
    if (known !== undefined) return known;
    const read = this.reader.first(this.reader.root, rule.places);
    const text = read && {
      // How a number is written is for the field to read.
      text: typeof read.value === "string" ? read.value : read.text,
      element: read.element,
      method: read.method,
      isTelling: !rule.constants?.some((place) => JSON.stringify(place) === JSON.stringify(read.place)),
    };
    this.texts.set(rule, text);
    return text;
  }

  note: LearnedTexts["note"] = (path, taken, learned) => {
    if (!this.learned.has(JSON.stringify(path)) || !isSure(taken.found)) return;
    this.checks.push({ path: [...path], hasHeld: learned !== null && isSameValue(taken, learned) });
  };

  /** `page`: a hash of its URL. */
  observe(found: Found, page: string): SiteObservation {
    let finder: PlaceFinder | null = null;
    const values: SiteObservation["values"] = [];
    const visit = (below: Found, path: string[]): void => {
      if (below.kind === "object") for (const [name, own] of Object.entries(below.fields)) visit(own, [...path, name]);
      if (below.kind !== "value" || !isSure(below)) return;
      const key = JSON.stringify(path);
      const field = this.open.get(key);
      if (this.learned.has(key) || (field && (isGivenUp(field) || field.pages.includes(page)))) return;
      finder ??= new PlaceFinder(this.reader);
      const known = field?.places.map(({ place }) => place) ?? [];
      const places = this.placesOf(finder, below, path.at(-1) ?? "", known);
      values.push({ path, places, hash: sha256(below.place.text).slice(0, 4) });
    };
    visit(found, []);
    return { page, values, checks: this.checks };
  }

  /** Places of its text; of a number, which may be written differently elsewhere, also places of the number. */
  private placesOf(finder: PlaceFinder, { value, place }: FoundValue, name: string, known: readonly RulePlace[]) {
    const { root } = this.reader;
    const all = [place.text, ...(typeof value === "string" ? [] : [value])].flatMap((one) => [
      ...known.filter((each) => finder.gives(root, each, one)),
      ...finder.places(one, name, root, mostPlaces),
    ]);
    return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
  }
}

function isSure(found: Found): boolean {
  return found.kind === "value" && found.place.confidence >= sureValue;
}
