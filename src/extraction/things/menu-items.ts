// What all sources of a menu share: the form of its dishes, and how they are gathered within bounds.
import type { Document } from "../../contract/index.ts";
import { availabilityOf } from "../lexicon/availability-words.ts";
import { fold } from "../lexicon/names.ts";
import { type Diet, dietsIn, type Marks, takeMarks } from "./diets.ts";
import { optionalField, type ThingImage, type ThingMoney } from "./product-texts.ts";

export type Menu = NonNullable<Document["menu"]>;
type Dish = Menu["sections"][number]["items"][number];
type Availability = Dish["availability"];

export const maxItems = 2000;
const maxSections = 200;
export const longestName = 200;
const longestDescription = 1000;
/** The section of dishes that are below no heading. */
const withoutHeading = "Menu";

export interface OptionGroup {
  name: string;
  required: boolean;
  options: { name: string; price: ThingMoney | null }[];
}

/** A dish as a source tells it. */
export interface ToldDish {
  name: string;
  /** Texts beside the name. */
  texts: readonly string[];
  price: ThingMoney | null;
  url?: string | null;
  images?: ThingImage[];
  availability?: Availability | null;
  /** Texts that name diets, such as those of icons. */
  diets?: readonly string[];
  calories?: number | null;
  groups?: readonly OptionGroup[];
  merchantItemId?: string;
}

/** Takes dishes in order, within bounds. */
export class MenuGatherer {
  readonly sections: Menu["sections"] = [];
  count = 0;
  leftOut = 0;
  private readonly ids = new Set<string>();
  private readonly marks: Marks;
  private readonly sourceUrl: string;

  constructor(sourceUrl: string, marks: Marks) {
    this.sourceUrl = sourceUrl;
    this.marks = marks;
  }

  /** The currency of the first price that has one. */
  get currency(): string | null {
    for (const { items } of this.sections)
      for (const { price } of items) if (price?.currency !== undefined) return price.currency;
    return null;
  }

  add(section: { name: string; description?: string }, told: ToldDish): void {
    const name = section.name || withoutHeading;
    const last = this.sections.at(-1);
    const known =
      last?.name === name ? last : section.name === "" ? this.sections.find((one) => one.name === name) : undefined;
    if (this.count >= maxItems || (!known && this.sections.length >= maxSections)) {
      this.leftOut += 1;
      return;
    }
    const holder = known ?? {
      id: this.idOf(name),
      name,
      ...optionalField("description", (section.description ?? "").slice(0, longestDescription)),
      items: [],
    };
    if (!known) this.sections.push(holder);
    holder.items.push(this.dishOf(holder.id, told));
    this.count += 1;
  }

  clear(): void {
    this.sections.length = 0;
    this.count = 0;
  }

  /** Made of the name, so that it stays when others come and go. */
  private idOf(name: string, above = ""): string {
    const slug = (fold(name).match(/[\p{L}\p{N}]+/gu) ?? ["item"]).join("-").slice(0, 60);
    let id = above + slug;
    for (let again = 2; this.ids.has(id); again += 1) id = `${above}${slug}-${again}`;
    this.ids.add(id);
    return id;
  }

  private dishOf(sectionId: string, told: ToldDish): Dish {
    const named = takeMarks(told.name, this.marks);
    const read = readTexts(told.texts, this.marks);
    const diets = [named.text, read.description, ...(told.diets ?? [])].flatMap(dietsIn);
    const calories = told.calories ?? read.calories;
    const name = (named.text || told.name).slice(0, longestName);
    const id = this.idOf(name, `${sectionId}/`);
    return {
      id,
      name,
      sourceUrl: this.sourceUrl,
      ...optionalField("description", read.description.slice(0, longestDescription)),
      ...optionalField("url", told.url ?? ""),
      ...(told.price ? { price: told.price } : {}),
      images: told.images ?? [],
      availability: told.availability ?? read.availability ?? { inStock: true },
      dietary: [...new Set([...named.diets, ...read.diets, ...diets])],
      ...(calories === null ? {} : { calories }),
      optionGroups: (told.groups ?? []).map((group) => this.groupOf(group, id)),
      identifiers: optionalField("merchantItemId", told.merchantItemId ?? ""),
    };
  }

  private groupOf({ name, required, options }: OptionGroup, dishId: string): Dish["optionGroups"][number] {
    const id = this.idOf(name, `${dishId}/`);
    return {
      id,
      name,
      required,
      ...(required ? { min: 1, max: 1 } : {}),
      options: options.map((one) => ({
        id: this.idOf(one.name, `${id}/`),
        name: one.name,
        ...(one.price ? { price: one.price } : {}),
      })),
    };
  }
}

/** Of several sizes the lowest price counts; those with a name are a choice that has to be made. */
export function sizesOf(sizes: readonly { name: string; price: ThingMoney | null }[]) {
  const prices = sizes.flatMap(({ price }) => price ?? []);
  const lowest = prices.reduce<ThingMoney | null>((low, one) => (low && low.amount <= one.amount ? low : one), null);
  const isChoice = sizes.length > 1 && sizes.every(({ name }) => name !== "");
  return { price: lowest, groups: isChoice ? [{ name: "Size", required: true, options: [...sizes] }] : [] };
}

const energy = /(?<![\d.,])(\d{1,4})\s?(?:kcal|cal(?:ories|orías|orie)?)(?!\p{L})/iu;
const longestNote = 40;

export function caloriesIn(text: string): number | null {
  const written = energy.exec(text)?.[1];
  return written === undefined ? null : Number(written);
}

interface ReadTexts {
  description: string;
  diets: Diet[];
  availability: Availability | null;
  calories: number | null;
}

/** What is beside a name: marks, notes that it is sold out, calories; the rest describes the dish. */
function readTexts(texts: readonly string[], marks: Marks): ReadTexts {
  const read: ReadTexts = { description: "", diets: [], availability: null, calories: null };
  const kept: string[] = [];
  for (const text of texts) {
    const taken = takeMarks(text, marks);
    read.diets.push(...taken.diets);
    read.calories ??= caloriesIn(taken.text);
    if (taken.text.length <= longestNote && availabilityOf(taken.text) === false) {
      read.availability = { inStock: false, text: taken.text };
    } else if (taken.text.replace(energy, "").trim() !== "") kept.push(taken.text);
  }
  return { ...read, description: kept.join(" ") };
}
