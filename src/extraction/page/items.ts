// Things described by attributes of elements: microdata (itemscope, itemprop) and RDFa (typeof, property).

import type { Element } from "domhandler";
import type { PageUrls } from "../../content/index.ts";
import { attribute } from "../../html/index.ts";
import { type Entity, Leaf, type Properties, typesOfThing } from "./entities.ts";
import { parentOf, type TextOfPage } from "./text-pieces.ts";

const maxItems = 2000;
const longestValue = 20_000;

interface Syntax {
  method: "microdata" | "rdfa";
  scope: string;
  type: string;
  property: string;
}

const microdata: Syntax = { method: "microdata", scope: "itemscope", type: "itemtype", property: "itemprop" };
const rdfa: Syntax = { method: "rdfa", scope: "typeof", type: "typeof", property: "property" };

export function readItems(page: TextOfPage, metas: readonly Element[], urls: PageUrls): Entity[] {
  return [...readSyntax(page, metas, urls, microdata), ...readSyntax(page, metas, urls, rdfa)];
}

function readSyntax(page: TextOfPage, metas: readonly Element[], urls: PageUrls, syntax: Syntax): Entity[] {
  const items = new Map<Element, Properties>();
  const entities: Entity[] = [];
  const marked = [...page.elements, ...metas].filter(
    (element) => attribute(element, syntax.scope) !== undefined || attribute(element, syntax.property) !== undefined,
  );
  if (!marked.some((element) => attribute(element, syntax.scope) !== undefined)) return [];
  for (const element of marked.slice(0, maxItems)) {
    const isItem = attribute(element, syntax.scope) !== undefined;
    let value: unknown;
    if (isItem) {
      const properties: Properties = { "@type": (attribute(element, syntax.type) ?? "").split(/\s+/) };
      items.set(element, properties);
      value = properties;
    } else value = textIn(element, page, urls);
    const owner = ownerOf(element, items);
    const names = (attribute(element, syntax.property) ?? "").split(/\s+/).filter((name) => name !== "");
    if (owner) for (const name of names) add(owner, name.replace(/^.*[/#:]/, ""), value);
    if (isItem) {
      const properties = items.get(element) as Properties;
      entities.push({ method: syntax.method, types: typesOfThing(properties), properties, element });
    }
  }
  return entities;
}

function ownerOf(element: Element, items: ReadonlyMap<Element, Properties>): Properties | null {
  for (let place = parentOf(element); place; place = parentOf(place)) {
    const item = items.get(place);
    if (item) return item;
  }
  return null;
}

function add(owner: Properties, name: string, value: unknown): void {
  if (value === null || name === "__proto__" || name.startsWith("@")) return;
  const before = Object.hasOwn(owner, name) ? owner[name] : undefined;
  owner[name] = before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value];
}

function textIn(element: Element, page: TextOfPage, urls: PageUrls): Leaf | null {
  const own = (name: string) => attribute(element, name)?.trim();
  const urlIn = (name: string) => urls.web(own(name) ?? "") ?? own(name);
  let text: string | undefined;
  switch (element.name) {
    case "meta":
      text = own("content");
      break;
    case "link":
    case "area":
      text = urlIn("href");
      break;
    case "a":
      // Words of a link are what a reader sees; many sites mark names with it.
      text = own("content") ?? (page.isEmpty(element) ? urlIn("href") : page.of(element, longestValue));
      break;
    case "img":
    case "source":
    case "audio":
    case "video":
    case "embed":
    case "iframe":
      text = own("content") ?? urlIn("src");
      break;
    case "time":
      text = own("datetime") ?? page.of(element);
      break;
    case "data":
    case "meter":
      text = own("value") ?? page.of(element);
      break;
    default:
      text = own("content") ?? page.of(element, longestValue);
  }
  return text ? new Leaf(text.slice(0, longestValue), element) : null;
}
