// Which of the things that a page describes is the wanted one: the one whose properties are the wanted fields.

import { readFields, type WantedField, wordsAround } from "../fields/wanted-fields.ts";
import { keyOf, singular, wordsOfName } from "../lexicon/names.ts";
import { type Entity, isProperties, type Properties, textsOf, valuesAt } from "../page/entities.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import { readPageState } from "../page/script-state.ts";
import type { Wanted } from "../schema/wanted.ts";

interface Scored {
  entity: Entity;
  score: number;
  hits: number;
}

/** Of page state, which is full of other things, this many may hold values of the subject. */
const maxOfState = 3;

/** Best first; things that share nothing with the schema are left out, and those of other kinds than the best, too. */
export function rankEntities(page: ParsedPage, wanted: Wanted): Entity[] {
  const around = wordsAround(wanted).map(singular);
  const fields = readFields(wanted.fields, around, page.isDayFirst);
  const title = keyOf(page.titles[0]?.text ?? "");
  const scored = page.entities.map((entity) => scoreOf(entity, fields, around, title));
  scored.sort((one, other) => other.score - one.score);
  const [best] = scored;
  const own =
    !best || best.score === 0 || best.hits < Math.min(2, fields.length)
      ? []
      : scored
          .filter(
            ({ entity, score }) =>
              score > 0 && (entity === best.entity || entity.types.some((type) => best.entity.types.includes(type))),
          )
          .filter(({ entity }) => entity === best.entity || sameName(entity, best.entity))
          .slice(0, 5)
          .map(({ entity }) => entity);
  return [...own, ...ofState(page, fields, title)];
}

function ofState(page: ParsedPage, fields: readonly WantedField[], title: string): Entity[] {
  if (title === "") return [];
  const firstKeys = new Set(fields.flatMap((field) => field.keys.map(([key]) => key ?? "")));
  const folded = new Map<string, string>();
  const isWanted = (properties: Properties) => {
    let shared = 0;
    for (const name in properties) {
      let key = folded.get(name);
      if (key === undefined) {
        key = name.length > 40 ? "" : keyOf(name);
        folded.set(name, key);
      }
      if (firstKeys.has(key)) shared += 1;
    }
    return shared >= 2;
  };
  return readPageState(page.text.scripts, isWanted)
    .filter((entity) => isNamed(entity, title))
    .map((entity) => scoreOf(entity, fields, [], title))
    .filter(({ hits }) => hits >= Math.min(2, fields.length))
    .sort((one, other) => other.hits - one.hits)
    .slice(0, maxOfState)
    .map(({ entity }) => entity);
}

/** What a thing of the structured data gains beside one for each wanted field that it has (docs/decisions/0010-extraction-weights.md). */
const weights = {
  /** Its type is the kind of thing that is wanted. */
  isKind: 3,
  /** Its name is the page's title. */
  isNamed: 1.5,
};

function scoreOf(entity: Entity, fields: readonly WantedField[], around: readonly string[], title: string): Scored {
  const hits = fields.filter((field) => field.keys.some((key) => valuesAt(entity.properties, key).length > 0)).length;
  const isKind = entity.types.some((type) => wordsOfName(type).some((word) => around.includes(singular(word))));
  return {
    entity,
    hits,
    score: hits === 0 ? 0 : hits + (isKind ? weights.isKind : 0) + (isNamed(entity, title) ? weights.isNamed : 0),
  };
}

/** Whether a thing's name is the page's title. */
function isNamed(entity: Entity, title: string): boolean {
  const name = nameOf(entity);
  return name.length > 2 && title !== "" && (name.includes(title) || title.includes(name));
}

function nameOf({ properties, element }: Entity): string {
  for (const key of ["name", "headline", "title"]) {
    const [first] = valuesAt(properties, [key]).flatMap((value) => textsOf(value, element));
    if (first) return keyOf(first.text);
  }
  return "";
}

function sameName(one: Entity, other: Entity): boolean {
  return nameOf(one) === nameOf(other);
}

/** Things nested in others under the name of a wanted object. */
export function entitiesBelow(entities: readonly Entity[], wanted: Wanted): Entity[] {
  const key = wanted.words.join("");
  return entities.flatMap((entity) =>
    valuesAt(entity.properties, [key])
      .filter(isProperties)
      .map((properties) => ({ ...entity, properties })),
  );
}
