// Elements whose class, id or similar name says which field they hold.
import type { Element } from "domhandler";
import type { WantedField } from "../fields/wanted-fields.ts";
import { phraseOf, singular } from "../lexicon/names.ts";
import type { TextOfPage } from "../page/text-pieces.ts";

export interface NamedElement {
  field: WantedField;
  element: Element;
  /** How surely the name means the field, 0..1. */
  weight: number;
  /** The name as written, folded: elements of one list share it. */
  name: string;
}

interface Match {
  field: WantedField;
  weight: number;
}

/** Words of names that say nothing about what an element holds. */
const neutral = new Set(
  (
    "product item page recipe detail details info information value text content main data field js span div txt wrapper wrap container block box " +
    "section area body row col cell line current single entry post article view primary pdp the my c w m o u is has block inner component module " +
    "display label heading list group wprm tasty mv create zlrecipe ewd easyrecipe hrecipe schema org summary meta header sp hdn dsp lbl ctl00 full"
  ).split(" "),
);
/** Words of names that say that an element holds something else beside the field. */
const contrary = new Set(
  (
    "old was previous original strike before crossed related similar recommend recommended recommendations also review reviews comment comments nav menu footer " +
    "sidebar icon button btn link links form input search filter sort tooltip modal popup cart basket delivery shipping share social print rate count total toggle " +
    "tab tabs ad ads banner promo newsletter login breadcrumb breadcrumbs tag carousel slider widget save saved image img photo thumb thumbnail unit units per toggle equipment jump notes note video"
  ).split(" "),
);

/** What a name keeps of its phrase's weight (docs/decisions/0010-extraction-weights.md). */
const weights = {
  /** Its words are written as one: "preptime". */
  joined: 0.95,
  /** For each further word that says otherwise: "old-price". */
  contrary: 0.3,
  /** For each that says nothing: "product-price". */
  neutral: 0.97,
  /** For each other one, before the phrase and behind it. */
  before: 0.8,
  behind: 0.65,
  /** Below this the name means something else. */
  least: 0.25,
};

export class NameIndex {
  private readonly fields: readonly WantedField[];
  private readonly around: ReadonlySet<string>;
  /** By the list itself: a page has one for each of its names. */
  private readonly known = new Map<readonly string[], Match[]>();
  /** All words of the fields' phrases: other names need no closer look. */
  private readonly words = new Set<string>();
  /** Phrases of several words, written as one: "preptime". */
  private readonly joined = new Map<string, Match[]>();

  constructor(fields: readonly WantedField[], around: readonly string[]) {
    this.fields = fields;
    this.around = new Set(around);
    for (const field of fields) {
      for (const [phrase, weight] of field.phrases) {
        const words = phrase.split(" ");
        for (const word of words) this.words.add(word);
        if (words.length > 1)
          this.joined.set(words.join(""), [
            ...(this.joined.get(words.join("")) ?? []),
            { field, weight: weight * weights.joined },
          ]);
      }
    }
  }

  find(page: TextOfPage): NamedElement[] {
    const found: NamedElement[] = [];
    for (const element of page.elements) {
      let best: Map<WantedField, { weight: number; name: string }> | null = null;
      for (const words of page.namesOf(element)) {
        const matches = this.matchesOf(words);
        if (matches.length === 0) continue;
        best ??= new Map();
        const name = words.join("-");
        for (const { field, weight } of matches) {
          if (weight > (best.get(field)?.weight ?? 0)) best.set(field, { weight, name });
        }
      }
      if (best) for (const [field, match] of best) found.push({ field, element, ...match });
    }
    return found;
  }

  private matchesOf(words: readonly string[]): Match[] {
    let matches = this.known.get(words);
    if (matches) return matches;
    const singulars = words.map(singular);
    matches = this.joined.get(singulars.join("")) ?? [];
    if (matches.length === 0 && words.length <= 8 && singulars.some((word) => this.words.has(word))) {
      matches = this.fields.flatMap((field) => {
        const weight = weightOf(field, words, singulars, this.around);
        return weight > 0 ? [{ field, weight }] : [];
      });
    }
    this.known.set(words, matches);
    return matches;
  }
}

function weightOf(
  field: WantedField,
  words: readonly string[],
  singulars: readonly string[],
  around: ReadonlySet<string>,
): number {
  const whole = field.phrases.get(phraseOf(words));
  if (whole !== undefined) return whole;
  let best = 0;
  for (let from = 0; from < words.length; from += 1) {
    for (let to = Math.min(words.length, from + 3); to > from; to -= 1) {
      const weight = field.phrases.get(singulars.slice(from, to).join(" "));
      if (weight === undefined || (to - from === 1 && (words[from] as string).length < 3)) continue;
      const rest = [...words.slice(0, from), ...words.slice(to)];
      let share = 1;
      for (const word of rest) {
        if (contrary.has(word) && !isOwn(field, word)) share *= weights.contrary;
        else if (neutral.has(word) || around.has(word) || /^\d+$/.test(word)) share *= weights.neutral;
        else share *= to === words.length ? weights.before : weights.behind;
      }
      best = Math.max(best, weight * share);
      break;
    }
  }
  return best < weights.least ? 0 : best;
}

function isOwn(field: WantedField, word: string): boolean {
  return (
    field.wanted.words.includes(word) ||
    (field.kind === "rating" && /^(?:review|reviews|rate)$/.test(word)) ||
    (field.kind === "image" && /^(?:image|img|photo)$/.test(word))
  );
}
