// Lists of things: rows of a table under named columns, things of structured data, or blocks of one look beside each other.

import type { Element } from "domhandler";
import { attribute, isElement } from "../../html/index.ts";
import { readFields, type WantedField, wordsAround } from "../fields/wanted-fields.ts";
import type { FindingMethod, Found } from "../findings/finding.ts";
import { phraseOfText, singular } from "../lexicon/names.ts";
import { type Entity, isProperties, textsOf, valuesAt } from "../page/entities.ts";
import type { ParsedPage } from "../page/parsed-page.ts";
import { elementPlace } from "../page/text-pieces.ts";
import type { Wanted } from "../schema/wanted.ts";
import { coerce, type Reading, tidy } from "../values/coerce.ts";
import { findMoney } from "../values/numbers.ts";
import { type NamedElement, NameIndex } from "./named-elements.ts";
import { tableRows } from "./pairs.ts";
import { headedGroups, type ItemBlock, lookGroups } from "./similar-parts.ts";

interface Group {
  items: Found[];
  /** Values found an item, of those wanted. */
  share: number;
  trust: number;
}

const maxItems = 500;
/** What begins a block names it. */
const heads = /^(?:h[1-6]|summary|dt)$/;

/** How lists are compared, and how sure their values are (docs/decisions/0010-extraction-weights.md). */
const weights = {
  /** Of two fields an item, so much must be found for a list. */
  leastShare: 0.6,
  /** What a list is trusted with: things of another type, rows of a table, blocks of one look. */
  otherKind: 0.85,
  table: 0.95,
  blocks: 0.8,
  /** Of the first blocks of one look so much is found, or the others are not read. */
  leastSample: 0.3,
  /** Of texts under headings so many have what makes them a list of things. */
  most: 0.6,
  /** A word of a column's header names a field that is as sure as this. */
  sureWord: 0.9,
  /** An element is read by a name that is surer than this. */
  likelyName: 0.6,
  /** Confidence of values: of structured data, a cell, a named element, an item of a list … */
  entityValue: 0.93,
  cell: 0.8,
  named: 0.75,
  listItem: 0.6,
  /** … and of what is told by its form: headings, links and images, paragraphs, other text, patterns. */
  heading: 0.65,
  link: 0.7,
  paragraph: 0.55,
  rest: 0.5,
  pattern: 0.6,
};

/** A list of objects, or null when nothing on the page is one. `entities`: the subject, whose properties may be the list. */
export function readList(page: ParsedPage, wanted: Wanted, entities: readonly Entity[]): Found | null {
  const { items } = wanted;
  if (items?.kind !== "object" || items.fields.length === 0) return null;
  const around = [...wordsAround(wanted), ...wordsAround(items)].map(singular);
  const fields = readFields(items.fields, around, page.isDayFirst);
  if (fields.length === 0) return null;
  const groups = [
    ...ofSubject(page, wanted, fields, entities),
    ...ofEntities(page, fields, around),
    ...ofTables(page, fields),
    ...ofBlocks(page, fields, around),
  ].filter(
    ({ items: found, share }) =>
      found.length > 0 && share >= (Math.min(fields.length, 2) / fields.length) * weights.leastShare,
  );
  const best = groups.reduce<Group | null>((one, other) => (!one || worthOf(other) > worthOf(one) ? other : one), null);
  return best ? { kind: "list", items: best.items.slice(0, maxItems) } : null;
}

function worthOf({ items, share, trust }: Group): number {
  return share * trust * Math.log2(1 + Math.min(items.length, 30));
}

function ofSubject(
  page: ParsedPage,
  wanted: Wanted,
  fields: readonly WantedField[],
  entities: readonly Entity[],
): Group[] {
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

function ofEntities(page: ParsedPage, fields: readonly WantedField[], around: readonly string[]): Group[] {
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
        isKind ? 1 : weights.otherKind,
      ),
    ];
  });
}

function fromEntity(
  page: ParsedPage,
  fields: readonly WantedField[],
  { properties, element, method }: Entity,
): Found | null {
  const values: Record<string, Found> = {};
  for (const field of fields) {
    for (const key of field.keys) {
      const [first] = valuesAt(properties, key).flatMap((value) => textsOf(value, element));
      const found = first ? valueAt(page, field, method, first.text, first.element, weights.entityValue) : null;
      if (!found) continue;
      values[field.wanted.name] = found;
      break;
    }
  }
  return objectOf(values);
}

function ofTables(page: ParsedPage, fields: readonly WantedField[]): Group[] {
  return page.text.elements.flatMap((table) => {
    if (table.name !== "table") return [];
    const [header, ...rows] = tableRows(table).slice(0, maxItems);
    if (!header || rows.length === 0 || header.length < 2) return [];
    const columns = header.map((cell) => {
      const phrase = phraseOfText(page.text.of(cell, 60));
      return (
        fields.find((field) => field.phrases.has(phrase)) ??
        fields.find((field) =>
          phrase.split(" ").some((word) => word.length > 3 && (field.phrases.get(word) ?? 0) >= weights.sureWord),
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
            ? valueAt(page, field, "table", page.text.of(cell), cell, weights.cell)
            : null;
        if (field && value) values[field.wanted.name] = value;
      }
      return objectOf(values);
    });
    return [groupOf(found, fields, weights.table)];
  });
}

function ofBlocks(page: ParsedPage, fields: readonly WantedField[], around: readonly string[]): Group[] {
  const alike = lookGroups(page);
  const headed = headedGroups(page);
  if (alike.length + headed.length === 0) return [];
  const named = new NameIndex(fields, around).find(page.text);
  const read = (blocks: readonly ItemBlock[]) =>
    groupOf(
      blocks.map((block) => readBlock(page, block, fields, named)),
      fields,
      weights.blocks,
    );
  return [
    ...alike.flatMap((blocks) => {
      const sample = read(blocks.slice(0, 3));
      if (sample.items.length < Math.min(2, blocks.length) || sample.share < weights.leastSample) return [];
      return [read(blocks)];
    }),
    // Any text has headings: only what else is found below them makes them a list of things.
    ...headed.map(read).filter(({ items }) => isTelling(items, fields)),
  ];
}

function isTelling(items: readonly Found[], fields: readonly WantedField[]): boolean {
  const isMost = (is: (found: Found | undefined) => boolean, { wanted: { name } }: WantedField) =>
    items.filter((item) => is(item.kind === "object" ? item.fields[name] : undefined)).length >=
    items.length * weights.most;
  const isQuestion = (found: Found | undefined) =>
    found?.kind === "value" && typeof found.value === "string" && /[?？؟]$/.test(found.value);
  return fields.some((field) => {
    if (field.phrases.has("question")) return isMost(isQuestion, field);
    const isSaidByForm = field.kind !== "title" && field.kind !== "long" && field.wanted.kind !== "list";
    return isSaidByForm && isMost((found) => found !== undefined, field);
  });
}

function readBlock(
  page: ParsedPage,
  block: ItemBlock,
  fields: readonly WantedField[],
  named: readonly NamedElement[],
): Found | null {
  const { from, to, holder } = block;
  const inside = named.filter(({ element }) => {
    const range = page.text.range(element);
    return range.from >= from && range.to <= to && range.from < range.to && element !== holder;
  });
  const values: Record<string, Found> = {};
  const lists = fields.filter(({ wanted }) => wanted.kind === "list");
  for (const field of fields) {
    const own = inside.filter((one) => one.field === field).sort((one, other) => other.weight - one.weight);
    let found: Found | null = null;
    for (const { element, weight } of own.slice(0, 3)) {
      if (weight > weights.likelyName && field.kind !== "url" && field.kind !== "image")
        found ??= valueAt(page, field, "repeated-block", page.text.of(element), element, weights.named * weight);
    }
    found ??= lists.length === 1 && lists[0] === field ? onlyList(page, block, field) : null;
    found ??= byForm(page, block, field);
    if (found) values[field.wanted.name] = found;
  }
  return objectOf(values);
}

/** The items of the one list that a block has. */
function onlyList(page: ParsedPage, block: ItemBlock, field: WantedField): Found | null {
  const inside = elementsIn(page, block);
  if (inside.filter(({ name }) => name === "ul" || name === "ol").length !== 1) return null;
  const items = inside
    .filter(({ name }) => name === "li")
    .map((element) => valueAt(page, field, "repeated-block", page.text.of(element), element, weights.listItem))
    .flatMap((found) => (found?.kind === "list" ? found.items : []));
  return items.length > 0 ? { kind: "list", items } : null;
}

function byForm(page: ParsedPage, block: ItemBlock, field: WantedField): Found | null {
  const at = (text: string, element: Element, confidence: number) =>
    valueAt(page, field, "repeated-block", text, element, confidence);
  const inside = elementsIn(page, block);
  switch (field.kind) {
    case "title": {
      const heading =
        inside.find(({ name }) => heads.test(name)) ??
        inside.find((element) => element.name === "a" && page.text.of(element, 300).length > 3);
      return heading ? at(page.text.of(heading, 300), heading, weights.heading) : null;
    }
    case "url": {
      const link = [...(block.holder ? [block.holder] : []), ...inside].find(
        (element) => element.name === "a" && attribute(element, "href"),
      );
      return link ? at(page.urls.web(attribute(link, "href") ?? "") ?? "", link, weights.link) : null;
    }
    case "image": {
      const image = inside.find((element) => element.name === "img");
      const url = image && (attribute(image, "data-src") ?? attribute(image, "src"));
      return image && url ? at(page.urls.web(url) ?? "", image, weights.link) : null;
    }
    case "email":
    case "phone": {
      const scheme = field.kind === "email" ? /^mailto:/i : /^tel:/i;
      const link = inside.find((element) => element.name === "a" && scheme.test(attribute(element, "href") ?? ""));
      const url = link && (attribute(link, "href") ?? "").replace(scheme, "").replace(/\?.*$/, "");
      return (link && url ? at(url, link, weights.link) : null) ?? byPattern(page, block, field, at);
    }
    case "long": {
      const paragraph = inside.find((element) => element.name === "p" && page.text.of(element, 400).length > 30);
      if (paragraph) return at(page.text.of(paragraph), paragraph, weights.paragraph);
      const head = inside.find(({ name }) => heads.test(name));
      const rest = head ? page.text.range(head).to : block.to;
      const first = page.text.pieces[rest];
      return first && rest < block.to ? at(page.text.between(rest, block.to), first.element, weights.rest) : null;
    }
    default:
      return byPattern(page, block, field, at);
  }
}

const patterned = new Set<WantedField["kind"]>([
  "money",
  "currency",
  "date",
  "phone",
  "email",
  "isbn",
  "address",
  "minutes",
]);

function byPattern(
  page: ParsedPage,
  { from, to }: ItemBlock,
  field: WantedField,
  at: (text: string, element: Element, confidence: number) => Found | null,
): Found | null {
  const { pattern } = field;
  if (!patterned.has(field.kind) && !pattern) return null;
  for (const { text, element } of page.text.pieces.slice(from, to)) {
    if (pattern && !pattern.test(text)) continue;
    if (text.length > 120 || ((field.kind === "money" || field.kind === "currency") && !findMoney(text))) continue;
    const found = at(text, element, weights.pattern);
    if (found) return found;
  }
  return null;
}

function elementsIn(page: ParsedPage, { roots }: ItemBlock): Element[] {
  const found: Element[] = [];
  const visit = (element: Element) => {
    if (found.length > 300) return;
    found.push(element);
    for (const child of element.children) if (isElement(child)) visit(child);
  };
  for (const root of roots) visit(root);
  return found.filter((element) => element.name === "img" || !page.text.isEmpty(element));
}

function valueAt(
  page: ParsedPage,
  field: WantedField,
  method: FindingMethod,
  text: string,
  element: Element,
  confidence: number,
): Found | null {
  const clean = tidy(text);
  const reading: Reading | null = clean === "" ? null : coerce(field, clean);
  if (!reading) return null;
  const isUrl = (field.kind === "url" || field.kind === "image") && typeof reading.value === "string";
  const value = isUrl ? (page.urls.web(String(reading.value)) ?? reading.value) : reading.value;
  const place = {
    method,
    ...elementPlace(element),
    text: clean.slice(0, 1000),
    confidence: Math.round(confidence * reading.fit * 100) / 100,
  };
  const found: Found = { kind: "value", value, place };
  return field.wanted.kind === "list" ? { kind: "list", items: [found] } : found;
}

function objectOf(values: Record<string, Found>): Found | null {
  return Object.keys(values).length > 0 ? { kind: "object", fields: values } : null;
}

function groupOf(found: readonly (Found | null)[], fields: readonly WantedField[], trust: number): Group {
  const items = found.filter((item) => item !== null);
  const filled = items.reduce((sum, item) => sum + (item.kind === "object" ? Object.keys(item.fields).length : 0), 0);
  // Items with less than half the fields of the fullest one are headings or similar.
  const most = Math.max(0, ...items.map((item) => (item.kind === "object" ? Object.keys(item.fields).length : 0)));
  const whole = items.filter((item) => item.kind === "object" && Object.keys(item.fields).length >= most / 2);
  return { items: whole, share: items.length === 0 ? 0 : filled / items.length / fields.length, trust };
}
