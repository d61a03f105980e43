// What is read without a schema: fields that the prompt names, or the thing that the page is about.

import type { Found } from "../findings/finding.ts";
import { define } from "../findings/merge.ts";
import { concepts } from "../lexicon/concepts.ts";
import { fold, phraseOf, phraseOfText, singular, wordsOfName } from "../lexicon/names.ts";
import { Chooser } from "../methods/candidate-chooser.ts";
import { rankEntities } from "../methods/entity-choice.ts";
import { findPairs } from "../methods/pairs.ts";
import { type Entity, isProperties, textsOf } from "../page/entities.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import { elementPlace, selectorOf } from "../page/text-pieces.ts";
import { readWanted, type Wanted } from "../schema/wanted.ts";

const maxFields = 40;
const longestValue = 5000;
/** Words of requests that do not name a field. */
const requestWords = new Set(
  "extract get find give list show return tell please want need page website site information data each every what who when where which how much many is are was were from with about this that".split(
    " ",
  ),
);

/** Confidence of what the caller did not name (docs/decisions/0010-extraction-weights.md). */
const weights = {
  entity: 0.9,
  meta: 0.7,
};

/** Fields that the prompt names, as far as the page has evidence for them. */
export function readPrompt(page: ParsedPage, prompt: string): Found | null {
  const wanted = wantedOf(page, prompt);
  return wanted.fields.length === 0 ? null : new Chooser(page).object(wanted, rankEntities(page, wanted), []);
}

function wantedOf(page: ParsedPage, prompt: string): Wanted {
  const words = (fold(prompt).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).slice(0, 200);
  const phrase = ` ${words.map(singular).join(" ")} `;
  const written = ` ${words.join(" ")} `;
  const properties: Record<string, unknown> = {};
  for (const concept of concepts) {
    const named = concept.fields
      .map((name) => ({ name, at: phrase.indexOf(` ${phraseOfText(name)} `) }))
      .filter(({ at }) => at >= 0);
    const isAsWritten = ({ name }: { name: string }) => written.includes(` ${fold(name)} `);
    const longest = named.sort(
      (one, other) => Number(isAsWritten(other)) - Number(isAsWritten(one)) || other.name.length - one.name.length,
    )[0];
    if (!longest) continue;
    const isNumber = /^(?:money|number|rating|minutes)$/.test(concept.kind);
    define(properties, camelCase(longest.name), isNumber ? { type: "number" } : { type: "string" });
  }
  const telling = new Set(words.filter((word) => word.length > 2 && !requestWords.has(word)).map(singular));
  for (const { label, phrase: own } of findPairs(page.text, () => false)) {
    const parts = own.split(" ");
    if (Object.keys(properties).length >= maxFields) break;
    if (parts.every((part) => telling.has(part)) && !Object.hasOwn(properties, camelCase(label)))
      define(properties, camelCase(label), { type: "string" });
  }
  return readWanted({ type: "object", properties });
}

function camelCase(name: string): string {
  const [first = "", ...others] = wordsOfName(name);
  return [first, ...others.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join("");
}

const framing =
  /^(?:WebSite|WebPage|CollectionPage|Organization|BreadcrumbList|ListItem|ImageObject|SearchAction|Person|SiteNavigationElement|WPHeader|WPFooter|WPSideBar)$/;

/** The properties of the thing that the page describes most fully; its title and description when it describes none. */
export function readEverything(page: ParsedPage): Found | null {
  const things = page.entities.filter(({ types }) => !types.some((type) => framing.test(type)));
  const fullest = things.reduce<Entity | null>(
    (one, other) => (!one || sizeOf(other) > sizeOf(one) ? other : one),
    null,
  );
  const fields: Record<string, Found> = fullest ? fieldsOf(fullest.properties, fullest, 0) : {};
  if (Object.keys(fields).length === 0) {
    for (const [name, ...metas] of [
      ["title", "og:title", "twitter:title"],
      ["description", "og:description", "description"],
    ] as const) {
      const meta = metas.map((one) => page.meta(one)).find((one) => one);
      if (meta)
        fields[name] = {
          kind: "value",
          value: meta.text,
          place: { method: "meta", selector: selectorOf(meta.element), text: meta.text, confidence: weights.meta },
        };
    }
  }
  return Object.keys(fields).length > 0 ? { kind: "object", fields } : null;
}

function sizeOf({ properties }: Entity): number {
  return Object.keys(properties).length;
}

function fieldsOf(properties: Record<string, unknown>, entity: Entity, depth: number): Record<string, Found> {
  const fields: Record<string, Found> = {};
  for (const [name, value] of Object.entries(properties).slice(0, 100)) {
    if (name.startsWith("@") || phraseOf([name]) === "") continue;
    if (isProperties(value) && depth < 2) {
      const below = fieldsOf(value, entity, depth + 1);
      if (Object.keys(below).length > 0) define(fields, name, { kind: "object", fields: below });
      continue;
    }
    const things = Array.isArray(value) && depth < 2 ? value.filter(isProperties) : [];
    if (things.length > 0) {
      const below = things.slice(0, 100).map((one) => fieldsOf(one, entity, depth + 1));
      const filled = below.filter((one) => Object.keys(one).length > 0);
      const items: Found[] = filled.map((one) => ({ kind: "object", fields: one }));
      if (items.length > 0) define(fields, name, { kind: "list", items });
      if (items.length > 0) continue;
    }
    const items = textsOf(value, entity.element).filter(({ text }) => text !== "" && text.length <= longestValue);
    const values: Found[] = items.slice(0, 100).map(({ text, element }) => ({
      kind: "value",
      value: typeof value === "number" || typeof value === "boolean" ? value : text,
      place: {
        method: entity.method,
        ...elementPlace(element),
        text: text.slice(0, 1000),
        confidence: weights.entity,
      },
    }));
    if (values.length > 0)
      define(fields, name, values.length === 1 ? (values[0] as Found) : { kind: "list", items: values });
  }
  return fields;
}
