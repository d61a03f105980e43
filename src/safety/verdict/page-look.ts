// What a glance at a page shows: its words, and the programs, forms and frames on it. One walk that ends as soon as there
// is more text than any wall has, so most pages cost little.
import type { Document, Element, Text } from "domhandler";
import { attribute, isText, isTight, type PageParts, textOf, trimmedLength, walk } from "../../html/index.ts";

export interface PageGlance {
  title: string;
  /** Words outside of links, menus and footers; lower case, single spaces. */
  text: string;
  /** Words of links and buttons. */
  linkText: string;
  /** Words of menus, footers and choices. */
  sideText: string;
  /** What only browsers without scripts show. */
  noscript: string;
  headings: string;
  /** URLs of scripts, frames, forms and pictures, each on a line. */
  sources: string;
  /** URLs of links, each on a line. */
  targets: string;
  /** The beginnings of the page's own scripts. */
  code: string;
  /** Names of elements: ids and classes, each on a line. */
  names: string;
  refresh: string;
  /** The page asks search engines to pass by. */
  isHidden: boolean;
  links: number;
  images: number;
  passwords: number;
  fields: number;
  forms: number;
  programs: number;
}

/** Walls, errors and place holders say less than this. */
export const longText = 3500;
const longSide = 3000;
/** Programs and names of walls stand at the beginning of what is theirs. */
const longScript = 2500;
const longCode = 8000;
const longSources = 3000;
const longTargets = 1500;
const longNames = 3000;

/** Nothing of these is seen, or it is not words of the page. */
const unseen = new Set(["style", "template", "svg", "math", "title", "object", "textarea"]);
const menus = new Set(["nav", "footer", "aside", "select", "menu"]);
/** What does not count as text of the page. */
const beside = new Set([...unseen, ...menus, "a", "button", "script", "noscript", "iframe", "frame"]);

type Zone = "text" | "linkText" | "sideText";

export function emptyLook(): PageGlance {
  return {
    title: "",
    text: "",
    linkText: "",
    sideText: "",
    noscript: "",
    headings: "",
    sources: "",
    targets: "",
    code: "",
    names: "",
    refresh: "",
    isHidden: false,
    links: 0,
    images: 0,
    passwords: 0,
    fields: 0,
    forms: 0,
    programs: 0,
  };
}

/** Null for a page that has more text than any wall. */
export function lookAt(root: Document, parts: PageParts): PageGlance | null {
  if (isLong(root)) return null;
  const look = emptyLook();
  look.title = parts.title.slice(0, 500).toLowerCase();
  for (const meta of parts.metas) noteMeta(meta, look);
  collect(root, "text", look);
  look.text = tidyWords(look.text);
  look.linkText = tidyWords(look.linkText);
  look.sideText = tidyWords(look.sideText);
  look.headings = tidyWords(look.headings);
  look.noscript = tidyWords(look.noscript);
  return look;
}

/** Apostrophes have several forms in print. */
export function tidyWords(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[’‘]/g, "'").trim().toLowerCase();
}

/** Counts only, and ends where there is enough: what most pages cost. */
function isLong(root: Document): boolean {
  let letters = 0;
  walk(root, (node) => {
    if (!isText(node)) return !beside.has(node.name) || isShadowTree(node);
    letters += trimmedLength(node.data);
    return letters > longText && "stop";
  });
  return letters > longText;
}

/** Written in the page, and seen. */
function isShadowTree(element: Element): boolean {
  return element.name === "template" && attribute(element, "shadowrootmode") !== undefined;
}

function noteMeta(meta: Element, look: PageGlance): void {
  const value = attribute(meta, "content") ?? "";
  if (attribute(meta, "http-equiv")?.toLowerCase() === "refresh") look.refresh ||= value;
  if (attribute(meta, "name")?.toLowerCase() === "robots") look.isHidden ||= /noindex|none/i.test(value);
}

function collect(root: Document | Element, zone: Zone, look: PageGlance): void {
  walk(root, (node) => (isText(node) ? take(node, zone, look) : enter(node, zone, look)));
}

function take({ data }: Text, zone: Zone, look: PageGlance): boolean {
  if (zone === "text" || look[zone].length <= longSide) look[zone] += isTight(data) ? `${data} ` : `${data.trim()} `;
  return false;
}

function enter(element: Element, zone: Zone, look: PageGlance): boolean {
  const { name } = element;
  noteNames(element, look);
  switch (name) {
    case "script":
      noteScript(element, look);
      return false;
    case "noscript":
      if (look.noscript.length < longSide) look.noscript += `${textOf(element).slice(0, longSide)} `;
      return false;
    case "iframe":
    case "frame":
      noteSource(attribute(element, "src"), look);
      return false;
    case "form":
      look.forms += 1;
      noteSource(attribute(element, "action"), look);
      return true;
    case "img":
      look.images += 1;
      noteSource(attribute(element, "src"), look);
      return true;
    case "input":
      noteInput(element, look);
      return false;
    case "h1":
    case "h2":
      if (look.headings.length < longSide) look.headings += `${textOf(element).slice(0, 500)} `;
      return true;
    case "a":
      look.links += 1;
      noteTarget(attribute(element, "href"), look);
      return within(element, zone, "linkText", look);
    case "button":
      return within(element, zone, "linkText", look);
    default:
      if (menus.has(name)) return within(element, zone, "sideText", look);
      return !unseen.has(name) || isShadowTree(element);
  }
}

/** Parts of the page that have words of their own; inside one of them no other begins. */
function within(element: Element, zone: Zone, inner: Zone, look: PageGlance): boolean {
  if (zone !== "text") return true;
  collect(element, inner, look);
  return false;
}

function noteScript(script: Element, look: PageGlance): void {
  const type = attribute(script, "type")?.toLowerCase() ?? "";
  if (type === "" || type === "module" || type.endsWith("javascript")) look.programs += 1;
  const source = attribute(script, "src");
  noteSource(source, look);
  const [first] = script.children;
  if (source !== undefined || first === undefined || !isText(first) || look.code.length > longCode) return;
  look.code += `${first.data.slice(0, longScript)}\n`;
}

function noteSource(url: string | undefined, look: PageGlance): void {
  if (url && look.sources.length < longSources) look.sources += `${url.slice(0, 300).toLowerCase()}\n`;
}

function noteTarget(url: string | undefined, look: PageGlance): void {
  if (url && look.targets.length < longTargets) look.targets += `${url.slice(0, 200).toLowerCase()}\n`;
}

function noteNames({ attribs }: Element, look: PageGlance): void {
  const { id, class: classes } = attribs;
  if ((id === undefined && classes === undefined) || look.names.length > longNames) return;
  if (id !== undefined) look.names += `#${id.slice(0, 100).toLowerCase()}\n`;
  if (classes !== undefined) look.names += `.${classes.slice(0, 200).toLowerCase()}\n`;
}

function noteInput(input: Element, look: PageGlance): void {
  const type = attribute(input, "type")?.toLowerCase() ?? "text";
  if (type === "hidden") return;
  if (type === "password") look.passwords += 1;
  if (type === "submit" || type === "button") {
    if (look.linkText.length < longSide) look.linkText += ` ${(attribute(input, "value") ?? "").slice(0, 200)} `;
    return;
  }
  look.fields += 1;
}
