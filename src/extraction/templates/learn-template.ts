// Reads a page with the template of its host: what the learned places hold, and what the page adds.
import { sha256 } from "../../base/index.ts";
import type { Found } from "../findings/finding.ts";
import { isSameValue, type LearnedText, type LearnedTexts } from "../methods/learned-texts.ts";
import { PlaceFinder } from "../rules/find-places.ts";
import type { RulePlace } from "../rules/rule.ts";
import type { Root, RuleReader } from "../rules/rule-reader.ts";
import {
  isLearned,
  isOpen,
  mostPlaces,
  type SiteTemplate,
  type TemplateField,
  type TemplateObservation,
} from "./site-template.ts";

/** Only values at least this sure are learned from. */
const sureValue = 0.5;

export class TemplateReader implements LearnedTexts {
  private readonly reader: RuleReader;
  private readonly fields: Map<string, TemplateField>;
  private readonly texts = new Map<TemplateField, LearnedText | null>();
  private readonly checks: TemplateObservation["checks"] = [];

  constructor(reader: RuleReader, template: SiteTemplate | null) {
    this.reader = reader;
    this.fields = new Map((template?.fields ?? []).map((field) => [JSON.stringify(field.path), field]));
  }

  at(path: readonly string[]): LearnedText | null {
    const field = this.fields.get(JSON.stringify(path));
    const text = field && isLearned(field) ? this.textOf(field) : null;
    return text && { ...text, isTelling: text.isTelling && this.fits() };
  }

  /** Whether the page looks like those that were learned from: more than half of the places are there. */
  private fits(): boolean {
    const learned = [...this.fields.values()].filter(isLearned);
    return learned.filter((field) => this.textOf(field)).length * 2 > learned.length;
  }

  private textOf(field: TemplateField): LearnedText | null {
    const known = this.texts.get(field);
    if (known !== undefined) return known;
    let text: LearnedText | null = null;
    for (const { place, first } of field.places) {
      const read = this.reader.read(this.reader.root, place);
      if (!read) continue;
      const { element, method, value } = read;
      // How a number is written is for the field to read.
      text = { text: typeof value === "string" ? value : read.text, element, method, isTelling: first === null };
      break;
    }
    this.texts.set(field, text);
    return text;
  }

  note: LearnedTexts["note"] = (path, taken, learned) => {
    const field = this.fields.get(JSON.stringify(path));
    if (!field || !isLearned(field) || !isSure(taken.found)) return;
    this.checks.push({ path: [...path], hasHeld: learned !== null && isSameValue(taken, learned) });
  };

  /** `page`: a hash of its URL. */
  observation(found: Found, page: string): TemplateObservation {
    let finder: PlaceFinder | null = null;
    const values: TemplateObservation["values"] = [];
    const visit = (below: Found, path: string[]): void => {
      if (below.kind === "object") for (const [name, own] of Object.entries(below.fields)) visit(own, [...path, name]);
      if (below.kind !== "value" || !isSure(below)) return;
      const field = this.fields.get(JSON.stringify(path));
      if (field && !isOpen(field, page)) return;
      finder ??= new PlaceFinder(this.reader);
      const known = (field?.places ?? []).map(({ place }) => place);
      values.push({
        path,
        places: placesOf(finder, this.reader.root, below, path.at(-1) ?? "", known),
        hash: hashOf(below),
      });
    };
    visit(found, []);
    return { page, values, checks: this.checks };
  }
}

function isSure(found: Found): boolean {
  return found.kind === "value" && found.place.confidence >= sureValue;
}

type FoundValue = Extract<Found, { kind: "value" }>;

/** Places of its text; of a number, which may be written differently elsewhere, also places of the number. */
function placesOf(finder: PlaceFinder, root: Root, found: FoundValue, name: string, known: readonly RulePlace[]) {
  const { value, place } = found;
  const all = [place.text, ...(typeof value === "string" ? [] : [value])].flatMap((one) => [
    ...known.filter((each) => finder.gives(root, each, one)),
    ...finder.places(one, name, root, mostPlaces),
  ]);
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
}

function hashOf({ place }: FoundValue): string {
  return sha256(place.text).slice(0, 4);
}
