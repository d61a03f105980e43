// A page read with the template of its host: what stands in the places that are learnt, and what the page teaches.
import { sha256 } from "../../base/index.ts";
import type { Found } from "../findings/finding.ts";
import { isSameValue, type LearntText, type LearntTexts } from "../methods/learnt.ts";
import { PlaceFinder } from "../rules/find-places.ts";
import type { RulePlace } from "../rules/rule.ts";
import type { Root, RuleReader } from "../rules/rule-reader.ts";
import {
  isLearnt,
  isOpen,
  mostPlaces,
  type SiteTemplate,
  type TemplateField,
  type TemplateLesson,
} from "./site-template.ts";

/** A page teaches where a value stands that is as sure as this. */
const sureValue = 0.5;

export class TemplateReader implements LearntTexts {
  private readonly reader: RuleReader;
  private readonly fields: Map<string, TemplateField>;
  private readonly texts = new Map<TemplateField, LearntText | null>();
  private readonly checks: TemplateLesson["checks"] = [];

  constructor(reader: RuleReader, template: SiteTemplate | null) {
    this.reader = reader;
    this.fields = new Map((template?.fields ?? []).map((field) => [JSON.stringify(field.path), field]));
  }

  at(path: readonly string[]): LearntText | null {
    const field = this.fields.get(JSON.stringify(path));
    const text = field && isLearnt(field) ? this.textOf(field) : null;
    return text && { ...text, isTelling: text.isTelling && this.fits() };
  }

  /** Whether the page looks like those that were learnt from: more than half of the places are there. */
  private fits(): boolean {
    const learnt = [...this.fields.values()].filter(isLearnt);
    return learnt.filter((field) => this.textOf(field)).length * 2 > learnt.length;
  }

  private textOf(field: TemplateField): LearntText | null {
    const known = this.texts.get(field);
    if (known !== undefined) return known;
    let text: LearntText | null = null;
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

  note: LearntTexts["note"] = (path, taken, stood) => {
    const field = this.fields.get(JSON.stringify(path));
    if (!field || !isLearnt(field) || !isSure(taken.found)) return;
    this.checks.push({ path: [...path], hasHeld: stood !== null && isSameValue(taken, stood) });
  };

  /** `page`: a hash of its URL. */
  lesson(found: Found, page: string): TemplateLesson {
    let finder: PlaceFinder | null = null;
    const values: TemplateLesson["values"] = [];
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

/** Where its text stands; of a number, which may be written in another way elsewhere, also where it stands as a number. */
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
