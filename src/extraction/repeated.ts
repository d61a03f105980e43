// Lists of things: rows of a table under named columns, things of structured data, or blocks of one look beside each other.
import type { Element } from "domhandler";
import { attribute, isElement } from "../content/index.ts";
import { coerce, type Reading, tidy } from "./coerce.ts";
import { type Entity, isProperties, textsOf, valuesAt } from "./entities.ts";
import { type Field, readFields, wordsAround } from "./fields.ts";
import type { Found, Method } from "./finding.ts";
import { type NamedElement, NameIndex } from "./named-elements.ts";
import { phraseOfText, singular } from "./names.ts";
import { findMoney } from "./numbers.ts";
import type { Page } from "./page.ts";
import { selectorOf } from "./page-text.ts";
import { rowsOf } from "./pairs.ts";
import { isFramed } from "./title.ts";
import type { Wanted } from "./wanted.ts";

interface Group {
  items: Found[];
  /** Values found an item, of those wanted. */
  share: number;
  trust: number;
}

const maxItems = 500;
const maxGroups = 40;
const leastBlocks = 3;

/** A list of objects, or null when nothing on the page is one. `entities`: the subject, whose properties may be the list. */
export function readList(page: Page, wanted: Wanted, entities: readonly Entity[]): Found | null {
  const { items } = wanted;
  if (items?.kind !== "object" || items.fields.length === 0) return null;
  const around = [...wordsAround(wanted), ...wordsAround(items)].map(singular);
  const fields = readFields(items.fields, around);
  if (fields.length === 0) return null;
  const groups = [
    ...ofSubject(page, wanted, fields, entities),
    ...ofEntities(page, fields, around),
    ...ofTables(page, fields),
    ...ofBlocks(page, fields, around),
  ].filter(
    ({ items: found, share }) => found.length > 0 && share >= (Math.min(fields.length, 2) / fields.length) * 0.6,
  );
  const best = groups.reduce<Group | null>((one, other) => (!one || worthOf(other) > worthOf(one) ? other : one), null);
  return best ? { kind: "list", items: best.items.slice(0, maxItems) } : null;
}

function worthOf({ items, share, trust }: Group): number {
  return share * trust * Math.log2(1 + Math.min(items.length, 30));
}

function ofSubject(page: Page, wanted: Wanted, fields: readonly Field[], entities: readonly Entity[]): Group[] {
  const names = [wanted.words.join(""), singular(wanted.words.join(""))];
  return entities.flatMap((entity) =>
    names.flatMap((name) => {
      const things = valuesAt(entity.properties, [name]).filter(isProperties);
      return things.length > 0
        ? [
            groupOf(
              things.map((properties) => fromEntity(page, fields, { ...entity, properties })),
              fields,
              1,
            ),
          ]
        : [];
    }),
  );
}

function ofEntities(page: Page, fields: readonly Field[], around: readonly string[]): Group[] {
  const byType = new Map<string, Entity[]>();
  for (const entity of page.entities)
    for (const type of entity.types) byType.set(type, [...(byType.get(type) ?? []), entity]);
  return [...byType].flatMap(([type, things]) => {
    const isKind = around.includes(singular(type.toLowerCase()));
    // The page of one thing is a list of one, when that is what the list is of: such pages add up.
    const least = isKind ? 1 : 2;
    if (
      things.length < least ||
      /^(?:ListItem|BreadcrumbList|ImageObject|WebPage|WebSite|Organization|SearchAction)$/.test(type)
    )
      return [];
    return [
      groupOf(
        things.slice(0, maxItems).map((thing) => fromEntity(page, fields, thing)),
        fields,
        isKind ? 1 : 0.85,
      ),
    ];
  });
}

function fromEntity(page: Page, fields: readonly Field[], { properties, element, method }: Entity): Found | null {
  const values: Record<string, Found> = {};
  for (const field of fields) {
    for (const key of field.keys) {
      const [first] = valuesAt(properties, key).flatMap((value) => textsOf(value, element));
      const found = first ? valueAt(page, field, method, first.text, first.element, 0.93) : null;
      if (!found) continue;
      values[field.wanted.name] = found;
      break;
    }
  }
  return objectOf(values);
}

function ofTables(page: Page, fields: readonly Field[]): Group[] {
  return page.text.elements.flatMap((table) => {
    if (table.name !== "table") return [];
    const [header, ...rows] = rowsOf(table).slice(0, maxItems);
    if (!header || rows.length === 0 || header.length < 2) return [];
    const columns = header.map((cell) => {
      const phrase = phraseOfText(page.text.of(cell, 60));
      return (
        fields.find((field) => field.phrases.has(phrase)) ??
        fields.find((field) =>
          phrase.split(" ").some((word) => word.length > 3 && (field.phrases.get(word) ?? 0) >= 0.9),
        )
      );
    });
    if (!columns.some((column) => column)) return [];
    const found = rows.map((row) => {
      const values: Record<string, Found> = {};
      for (const [place, field] of columns.entries()) {
        const cell = row[place];
        const value =
          field && cell && !Object.hasOwn(values, field.wanted.name)
            ? valueAt(page, field, "table", page.text.of(cell), cell, 0.8)
            : null;
        if (field && value) values[field.wanted.name] = value;
      }
      return objectOf(values);
    });
    return [groupOf(found, fields, 0.95)];
  });
}

function ofBlocks(page: Page, fields: readonly Field[], around: readonly string[]): Group[] {
  const groups = blockGroups(page);
  if (groups.length === 0) return [];
  const named = new NameIndex(fields, around).find(page.text);
  return groups.flatMap((blocks) => {
    const sample = groupOf(
      blocks.slice(0, 3).map((block) => readBlock(page, block, fields, named)),
      fields,
      0.8,
    );
    if (sample.items.length < Math.min(2, blocks.length) || sample.share < 0.3) return [];
    return [
      groupOf(
        blocks.map((block) => readBlock(page, block, fields, named)),
        fields,
        0.8,
      ),
    ];
  });
}

/** Elements of one parent, of one name and class, with text of their own; those with the most text first. */
function blockGroups(page: Page): Element[][] {
  const groups: { blocks: Element[]; size: number }[] = [];
  for (const parent of page.text.elements) {
    const children = parent.children.filter(isElement);
    if (children.length < leastBlocks) continue;
    const byLook = new Map<string, Element[]>();
    for (const child of children) {
      if (page.text.isEmpty(child) || child.name === "br" || child.name === "option") continue;
      const look = `${child.name}.${(attribute(child, "class") ?? "").split(/\s+/)[0] ?? ""}`;
      byLook.set(look, [...(byLook.get(look) ?? []), child]);
    }
    for (const blocks of byLook.values()) {
      if (blocks.length < leastBlocks || isFramed(parent, page.text)) continue;
      const first = page.text.range(blocks[0] as Element);
      const last = page.text.range(blocks.at(-1) as Element);
      groups.push({ blocks: blocks.slice(0, maxItems), size: last.to - first.from });
    }
  }
  return groups
    .sort((one, other) => other.size - one.size)
    .slice(0, maxGroups)
    .map(({ blocks }) => blocks);
}

function readBlock(page: Page, block: Element, fields: readonly Field[], named: readonly NamedElement[]): Found | null {
  const { from, to } = page.text.range(block);
  const inside = named.filter(({ element }) => {
    const range = page.text.range(element);
    return range.from >= from && range.to <= to && range.from < range.to && element !== block;
  });
  const values: Record<string, Found> = {};
  for (const field of fields) {
    const own = inside.filter((one) => one.field === field).sort((one, other) => other.weight - one.weight);
    let found: Found | null = null;
    for (const { element, weight } of own.slice(0, 3)) {
      if (weight > 0.6 && field.kind !== "url" && field.kind !== "image")
        found ??= valueAt(page, field, "repeated-block", page.text.of(element), element, 0.75 * weight);
    }
    found ??= byForm(page, block, field);
    if (found) values[field.wanted.name] = found;
  }
  return objectOf(values);
}

function byForm(page: Page, block: Element, field: Field): Found | null {
  const at = (text: string, element: Element, confidence: number) =>
    valueAt(page, field, "repeated-block", text, element, confidence);
  const inside = elementsIn(page, block);
  switch (field.kind) {
    case "title": {
      const heading =
        inside.find(({ name }) => /^h[1-6]$/.test(name)) ??
        inside.find((element) => element.name === "a" && page.text.of(element, 300).length > 3);
      return heading ? at(page.text.of(heading, 300), heading, 0.65) : null;
    }
    case "url": {
      const link = [block, ...inside].find((element) => element.name === "a" && attribute(element, "href"));
      return link ? at(page.addresses.web(attribute(link, "href") ?? "") ?? "", link, 0.7) : null;
    }
    case "image": {
      const image = inside.find((element) => element.name === "img");
      const address = image && (attribute(image, "data-src") ?? attribute(image, "src"));
      return image && address ? at(page.addresses.web(address) ?? "", image, 0.7) : null;
    }
    case "long": {
      const paragraph = inside.find((element) => element.name === "p" && page.text.of(element, 400).length > 30);
      return paragraph ? at(page.text.of(paragraph), paragraph, 0.55) : null;
    }
    default:
      return byPattern(page, block, field, at);
  }
}

const patterned = new Set<Field["kind"]>(["money", "currency", "date", "phone", "email", "isbn", "address", "minutes"]);

function byPattern(
  page: Page,
  block: Element,
  field: Field,
  at: (text: string, element: Element, confidence: number) => Found | null,
): Found | null {
  if (!patterned.has(field.kind)) return null;
  const { from, to } = page.text.range(block);
  for (const { text, element } of page.text.pieces.slice(from, to)) {
    if (text.length > 120 || ((field.kind === "money" || field.kind === "currency") && !findMoney(text))) continue;
    const found = at(text, element, 0.6);
    if (found) return found;
  }
  return null;
}

function elementsIn(page: Page, block: Element): Element[] {
  const found: Element[] = [];
  const visit = (element: Element) => {
    for (const child of element.children) {
      if (!isElement(child) || found.length > 300) continue;
      found.push(child);
      visit(child);
    }
  };
  visit(block);
  return found.filter((element) => element.name === "img" || !page.text.isEmpty(element));
}

function valueAt(
  page: Page,
  field: Field,
  method: Method,
  text: string,
  element: Element,
  confidence: number,
): Found | null {
  const clean = tidy(text);
  const reading: Reading | null = clean === "" ? null : coerce(field, clean);
  if (!reading) return null;
  const isAddress = (field.kind === "url" || field.kind === "image") && typeof reading.value === "string";
  const value = isAddress ? (page.addresses.web(String(reading.value)) ?? reading.value) : reading.value;
  const place = {
    method,
    selector: selectorOf(element),
    text: clean.slice(0, 1000),
    confidence: Math.round(confidence * reading.fit * 100) / 100,
  };
  const found: Found = { kind: "value", value, place };
  return field.wanted.kind === "list" ? { kind: "list", items: [found] } : found;
}

function objectOf(values: Record<string, Found>): Found | null {
  return Object.keys(values).length > 0 ? { kind: "object", fields: values } : null;
}

function groupOf(found: readonly (Found | null)[], fields: readonly Field[], trust: number): Group {
  const items = found.filter((item) => item !== null);
  const filled = items.reduce((sum, item) => sum + (item.kind === "object" ? Object.keys(item.fields).length : 0), 0);
  // Things with less than half of what the fullest has are headings and the like.
  const most = Math.max(0, ...items.map((item) => (item.kind === "object" ? Object.keys(item.fields).length : 0)));
  const whole = items.filter((item) => item.kind === "object" && Object.keys(item.fields).length >= most / 2);
  return { items: whole, share: items.length === 0 ? 0 : filled / items.length / fields.length, trust };
}
