// What verdicts look at: a page's words, scripts, forms and frames. The walk ends as soon as there is more text than any block
// page has, so most pages cost little.
import type { Document, Element, Text } from "domhandler";
import { attribute, isText, isTight, type PageParts, textOf, trimmedLength, walk } from "../../html/index.ts";

export type PageView = ReturnType<typeof emptyView>;

/** Block pages, errors and placeholders have less text. */
export const longText = 3500;
const longSide = 3000;
/** Scripts and names of block pages are at the beginning. */
const longScript = 2500;
const longCode = 8000;
const longSources = 3000;
const longTargets = 1500;
const longNames = 3000;

/** Not displayed, or no words of the page. */
const unseen = new Set(["style", "template", "svg", "math", "title", "object", "textarea"]);
const menus = new Set(["nav", "footer", "aside", "select", "menu"]);
/** What does not count as text of the page. */
const beside = new Set([...unseen, ...menus, "a", "button", "script", "noscript", "iframe", "frame"]);

const notFree = /"isAccessibleForFree"\s*:\s*"?false/i;

type Zone = "text" | "linkText" | "sideText";

export function emptyView() {
  return {
    title: "",
    /** Words outside of links, menus and footers; lower case, single spaces. */
    text: "",
    /** Words of links and buttons. */
    linkText: "",
    /** Words of menus, footers and choices. */
    sideText: "",
    /** What only browsers without scripts show. */
    noscript: "",
    headings: "",
    /** URLs of scripts, frames, forms and pictures, each on a line. */
    sources: "",
    /** URLs of links, each on a line. */
    targets: "",
    /** The beginnings of the page's own scripts. */
    code: "",
    /** Names of elements: ids and classes, each on a line. */
    names: "",
    refresh: "",
    /** The page asks search engines to pass by. */
    isHidden: false,
    /** The page's own data say that it is not free. */
    isPaid: false,
    links: 0,
    images: 0,
    passwords: 0,
    fields: 0,
    programs: 0,
  };
}

/** Null for a page that has more text than any block page. */
export function viewPage(root: Document, parts: PageParts): PageView | null {
  if (isLong(root)) return null;
  const view = emptyView();
  view.title = parts.title.slice(0, 500).toLowerCase();
  for (const meta of parts.metas) noteMeta(meta, view);
  view.isPaid ||= parts.data.some((script) => notFree.test(textOf(script)));
  collect(root, "text", view);
  view.text = tidyWords(view.text);
  view.linkText = tidyWords(view.linkText);
  view.sideText = tidyWords(view.sideText);
  view.headings = tidyWords(view.headings);
  view.noscript = tidyWords(view.noscript);
  return view;
}

/** Apostrophes have several forms in print. */
export function tidyWords(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[’‘]/g, "'").trim().toLowerCase();
}

/** Only counts, and stops where there is enough: for most pages that is all. */
function isLong(root: Document): boolean {
  let letters = 0;
  walk(root, (node) => {
    if (!isText(node)) return !beside.has(node.name) || isShadowTree(node);
    letters += trimmedLength(node.data);
    return letters > longText && "stop";
  });
  return letters > longText;
}

/** A declarative shadow root, which is displayed. */
function isShadowTree(element: Element): boolean {
  return element.name === "template" && attribute(element, "shadowrootmode") !== undefined;
}

function noteMeta(meta: Element, view: PageView): void {
  const value = attribute(meta, "content") ?? "";
  if (attribute(meta, "http-equiv")?.toLowerCase() === "refresh") view.refresh ||= value;
  if (attribute(meta, "name")?.toLowerCase() === "robots") view.isHidden ||= /noindex|none/i.test(value);
}

function collect(root: Document | Element, zone: Zone, view: PageView): void {
  walk(root, (node) => (isText(node) ? take(node, zone, view) : enter(node, zone, view)));
}

function take({ data }: Text, zone: Zone, view: PageView): boolean {
  if (zone === "text" || view[zone].length <= longSide) view[zone] += isTight(data) ? `${data} ` : `${data.trim()} `;
  return false;
}

function enter(element: Element, zone: Zone, view: PageView): boolean {
  const { name } = element;
  noteNames(element, view);
  switch (name) {
    case "script":
      noteScript(element, view);
      return false;
    case "noscript":
      if (view.noscript.length < longSide) view.noscript += `${textOf(element).slice(0, longSide)} `;
      return false;
    case "iframe":
    case "frame":
      noteSource(attribute(element, "src"), view);
      return false;
    case "form":
      noteSource(attribute(element, "action"), view);
      return true;
    case "img":
      view.images += 1;
      noteSource(attribute(element, "src"), view);
      return true;
    case "input":
      noteInput(element, view);
      return false;
    case "h1":
    case "h2":
      if (view.headings.length < longSide) view.headings += `${textOf(element).slice(0, 500)} `;
      return true;
    case "a":
      view.links += 1;
      noteTarget(attribute(element, "href"), view);
      return within(element, zone, "linkText", view);
    case "button":
      return within(element, zone, "linkText", view);
    default:
      if (menus.has(name)) return within(element, zone, "sideText", view);
      return !unseen.has(name) || isShadowTree(element);
  }
}

/** Links and menus have their own words; they do not nest. */
function within(element: Element, zone: Zone, inner: Zone, view: PageView): boolean {
  if (zone !== "text") return true;
  collect(element, inner, view);
  return false;
}

function noteScript(script: Element, view: PageView): void {
  const type = attribute(script, "type")?.toLowerCase() ?? "";
  if (type === "" || type === "module" || type.endsWith("javascript")) view.programs += 1;
  const source = attribute(script, "src");
  noteSource(source, view);
  const [first] = script.children;
  if (source !== undefined || first === undefined || !isText(first) || view.code.length > longCode) return;
  view.code += `${first.data.slice(0, longScript)}\n`;
}

function noteSource(url: string | undefined, view: PageView): void {
  if (url && view.sources.length < longSources) view.sources += `${url.slice(0, 300).toLowerCase()}\n`;
}

function noteTarget(url: string | undefined, view: PageView): void {
  if (url && view.targets.length < longTargets) view.targets += `${url.slice(0, 200).toLowerCase()}\n`;
}

function noteNames({ attribs }: Element, view: PageView): void {
  const { id, class: classes } = attribs;
  if ((id === undefined && classes === undefined) || view.names.length > longNames) return;
  if (id !== undefined) view.names += `#${id.slice(0, 100).toLowerCase()}\n`;
  if (classes !== undefined) view.names += `.${classes.slice(0, 200).toLowerCase()}\n`;
}

function noteInput(input: Element, view: PageView): void {
  const type = attribute(input, "type")?.toLowerCase() ?? "text";
  if (type === "hidden") return;
  if (type === "password") view.passwords += 1;
  if (type === "submit" || type === "button") {
    if (view.linkText.length < longSide) view.linkText += ` ${(attribute(input, "value") ?? "").slice(0, 200)} `;
    return;
  }
  view.fields += 1;
}
