// Which of the things that a page describes is the wanted one: the one whose properties are the wanted fields.
import { type Entity, textsOf, valuesAt } from "./entities.ts";
import { readFields, wordsAround } from "./fields.ts";
import { keyOf, singular, wordsOfName } from "./names.ts";
import type { Page } from "./page.ts";
import type { Wanted } from "./wanted.ts";

/** Best first; things that share nothing with the schema are left out, and those of other kinds than the best, too. */
export function rankEntities(page: Page, wanted: Wanted): Entity[] {
  const around = wordsAround(wanted).map(singular);
  const fields = readFields(wanted.fields, around);
  const title = keyOf(page.titles[0]?.text ?? "");
  const scored = page.entities.map((entity) => {
    const hits = fields.filter((field) => field.keys.some((key) => valuesAt(entity.properties, key).length > 0)).length;
    const isKind = entity.types.some((type) => wordsOfName(type).some((word) => around.includes(singular(word))));
    const name = keyOf(valuesAt(entity.properties, ["name"]).concat(valuesAt(entity.properties, ["headline"])).flatMap((value) => textsOf(value, entity.element))[0]?.text ?? "");
    const isSubject = name !== "" && title !== "" && (name.includes(title) || title.includes(name));
    return { entity, score: hits === 0 ? 0 : hits + (isKind ? 3 : 0) + (isSubject ? 1.5 : 0), hits };
  });
  scored.sort((one, other) => other.score - one.score);
  const best = scored[0];
  if (!best || best.score === 0 || best.hits < Math.min(2, fields.length)) return [];
  return scored
    .filter(({ entity, score }) => score > 0 && (entity === best.entity || entity.types.some((type) => best.entity.types.includes(type))))
    .filter(({ entity }) => entity === best.entity || sameName(entity, best.entity))
    .slice(0, 5)
    .map(({ entity }) => entity);
}

function sameName(one: Entity, other: Entity): boolean {
  const [a, b] = [one, other].map(({ properties, element }) => keyOf(valuesAt(properties, ["name"]).flatMap((value) => textsOf(value, element))[0]?.text ?? ""));
  return a === b;
}
