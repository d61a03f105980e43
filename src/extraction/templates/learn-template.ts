// A page read with the template of its host: what stands in the places that are learnt, and what the page teaches.
import { sha256 } from "../../base/index.ts";
import type { Found } from "../findings/finding.ts";
import type { LearntText, LearntTexts } from "../methods/learnt.ts";
import { isSameValue } from "../methods/learnt.ts";
import { PlaceFinder } from "../rules/find-places.ts";
import type { RuleReader } from "../rules/rule-reader.ts";
import {
  isLearnt,
  isOpen,
  mostPlaces,
  type SiteTemplate,
  type TemplateField,
  type TemplateLesson,
} from "./site-template.ts";

/** A page teaches where a value stands that is as sure as this. */
const sureValue = Number(process.env.T_S ?? 0.5);

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
      if (read)
        text = { text: String(read.value), element: read.element, method: read.method, isTelling: first === null };
      if (read) break;
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
      const own = finder;
      const { text } = below.place;
      const { root } = this.reader;
      const known = (field?.places ?? []).map(({ place }) => place).filter((place) => own.gives(root, place, text));
      const all = [...known, ...own.places(text, path.at(-1) ?? "", root, mostPlaces)];
      const places = [...new Map(all.map((place) => [JSON.stringify(place), place])).values()];
      values.push({ path, places, hash: sha256(text).slice(0, 4) });
    };
    visit(found, []);
    return { page, values, checks: this.checks };
  }
}

function isSure(found: Found): boolean {
  return found.kind === "value" && found.place.confidence >= sureValue;
}
