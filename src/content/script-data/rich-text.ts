// Texts as editors and content services store them (blocks, spans, marks, trees of tags) -> HTML.
import { isThing, readReferences, type Thing } from "../../html/index.ts";
import names from "./data-names.json" with { type: "json" };
import { asHtmlText, asHtmlValue, countLetters, seenWords } from "./written-html.ts";

const maxDepth = 60;

export interface RichText {
  html: string;
  /** Letters that are read. */
  letters: number;
}

const markup =
  /<(?:p|div|h[1-6]|ul|ol|li|br|span|a|b|i|strong|em|table|section|article|blockquote|figure|img)(?:\s[^<>]*)?\/?>/i;
const escapedMarkup = /&lt;(?:p|div|h[1-6]|ul|ol|br|section|article)\b/i;
/** Texts in the language of an editor: their signs are not what a reader sees. */
const otherMarkup = /^#{1,6} \S|\]\(|\*\*\S|^```|^\s*\[\/?\w+\]|\{\{|^import .* from /m;
/** What a block is, whatever it is called. */
const kinds = Object.entries(names.kinds).map(([tag, pattern]) => [new RegExp(`^(?:${pattern})$`, "i"), tag] as const);
const tagNames = new Set(names.tags.split(" "));
const inlineTags = new Set("a b i em strong span u s sub sup small code mark abbr".split(" "));
const inlineKinds = /^(?:text|span|a|link|hyperlink|strong|em|bold|italic|inline|#text|.*-hyperlink)$/i;
/** Not the text: pictures, videos, advertisements, links to other pages. */
const beside =
  /image|img|picture|photo|gallery|video|audio|podcast|\bad\b|advert|promo|newsletter|related|recommend|embed|iframe|script|social|tweet|widget|banner|toc|breadcrumb|navigation|menu|button|cta|divider|separator|^comment$|^style$/i;
const texts = ["html", "text", "value", "markdown", "rendered", "processed", "plain"] as const;
/** Names of the properties that hold the text of a thing, or the things below it; in this order. */
const below = names.below.split(" ");

/** How many nodes may still be read. */
export interface TextBudget {
  nodes: number;
}

export function readRichText(value: unknown, budget: TextBudget): RichText {
  const reader = new RichTextReader(budget);
  const html = reader.read(value, 0, false);
  return { html, letters: reader.isUnreadable ? 0 : reader.letters };
}

class RichTextReader {
  letters = 0;
  /** Some of it is written in a language that is not read here. */
  isUnreadable = false;
  private readonly budget: TextBudget;

  constructor(budget: TextBudget) {
    this.budget = budget;
  }

  read(value: unknown, depth: number, isInline: boolean): string {
    this.budget.nodes -= 1;
    if (depth > maxDepth || this.budget.nodes < 0) return "";
    if (typeof value === "string") return this.text(value, isInline);
    if (Array.isArray(value)) return this.list(value, depth, isInline);
    return isThing(value) ? this.thing(value, depth, isInline) : "";
  }

  private text(written: string, isInline: boolean): string {
    if (markup.test(written)) return this.html(written);
    if (escapedMarkup.test(written)) return this.html(readReferences(written));
    if (otherMarkup.test(written)) this.isUnreadable = true;
    this.letters += countLetters(written);
    const text = asHtmlText(readReferences(written));
    if (isInline) return text.replace(/\n/g, "<br>");
    const paragraphs = text.split(/\n\s*\n|\r?\n/).filter((each) => each.trim() !== "");
    return paragraphs.map((each) => `<p>${each}</p>`).join("");
  }

  private html(written: string): string {
    this.letters += countLetters(seenWords(written));
    return written;
  }

  private list(values: readonly unknown[], depth: number, isInline: boolean): string {
    // Elements as lists: ["p", {…}, "text", …], with or without attributes.
    const [name, props] = values;
    if (typeof name === "string" && tagNames.has(name) && values.length > 1) {
      return isThing(props)
        ? this.element(name, props, values.slice(2), depth)
        : this.element(name, {}, values.slice(1), depth);
    }
    return values.map((each) => this.read(each, depth + 1, isInline)).join("");
  }

  private element(name: string, props: Thing, children: unknown, depth: number): string {
    if (name === "br" || name === "hr") return `<${name}>`;
    if (/^(?:style|script|template|img|root|minimark)$/.test(name)) {
      return name === "root" || name === "minimark" ? this.read(children, depth + 1, false) : "";
    }
    const inner = this.read(
      children,
      depth + 1,
      inlineTags.has(name) || /^(?:p|h[1-6]|li|td|th|pre|dt|dd)$/.test(name),
    );
    return `<${name}${linkOf(props)}>${inner}</${name}>`;
  }

  private thing(thing: Thing, depth: number, isInline: boolean): string {
    const kind = kindOf(thing);
    const tag = thing.tagName ?? thing.tag ?? (kind === "tag" || kind === "element" ? thing.name : undefined);
    if (typeof tag === "string" && tagNames.has(tag.toLowerCase())) {
      const props = asThing(thing.props ?? thing.properties ?? thing.attribs ?? thing.attrs ?? thing.attributes);
      return this.element(tag.toLowerCase(), props, thing.children ?? thing.content, depth);
    }
    if (beside.test(kind)) return "";
    const heading = headingOf(thing, kind);
    if (heading !== null) return `<h${heading}>${this.inside(thing, depth, true)}</h${heading}>`;
    const found = kinds.find(([pattern]) => pattern.test(kind))?.[1];
    if (inlineKinds.test(kind) || (kind === "" && isInline)) return this.inline(thing, found, depth);
    if (found === undefined) return this.inside(thing, depth, isInline);
    const isListed = found === "p" && typeof thing.listItem === "string";
    const name = isListed ? "li" : found;
    const inner = this.inside(thing, depth, name === "p" || name === "li" || name === "pre");
    return inner === "" ? "" : `<${name}>${inner}</${name}>`;
  }

  private inline(thing: Thing, tag: string | undefined, depth: number): string {
    const inner = this.inside(thing, depth, true);
    return tag === "a"
      ? `<a${linkOf({ ...thing, ...asThing(thing.data), ...asThing(thing.attrs) })}>${inner}</a>`
      : inner;
  }

  /** A block has its text in one field; other things may have it in several. */
  private inside(thing: Thing, depth: number, isInline: boolean): string {
    const isBlock = kindOf(thing) !== "";
    const parts: string[] = [];
    for (const key of below) {
      const value = thing[key];
      if (value === undefined || value === null || value === "") continue;
      if (typeof value === "string" && !isWords(key, value)) continue;
      const part = this.read(value, depth + 1, isInline);
      if (part === "") continue;
      parts.push(key === "title" || key === "heading" || key === "headline" ? `<h2>${part}</h2>` : part);
      if (isBlock && isInline) break;
      // The same text in another form.
      if ((texts as readonly string[]).includes(key)) break;
    }
    return parts.join("");
  }
}

function kindOf(thing: Thing): string {
  for (const key of ["_type", "type", "nodeType", "__typename", "kind", "component", "blockName", "layout", "object"]) {
    const value = thing[key];
    if (typeof value === "string") return value;
  }
  return "";
}

function headingOf(thing: Thing, kind: string): number | null {
  const style = typeof thing.style === "string" ? thing.style : "";
  const name = /^h[1-6]$/.test(style) ? style : kind;
  const written = /^(?:h|heading[-_]?)([1-6])$/i.exec(name)?.[1];
  if (written !== undefined) return Number(written);
  if (!/^(?:heading|header|sub-?heading|core\/heading)$/i.test(kind)) return null;
  const level = Number(thing.level ?? thing.depth ?? asThing(thing.attrs).level ?? asThing(thing.data).level);
  return level >= 1 && level <= 6 ? level : 2;
}

function linkOf(props: Thing): string {
  const url = props.href ?? props.url ?? props.uri;
  return typeof url === "string" ? ` href="${asHtmlValue(url)}"` : "";
}

/** Texts, and not the names by which programs call things. */
function isWords(key: string, value: string): boolean {
  return (texts as readonly string[]).includes(key) || /\s/.test(value);
}

function asThing(value: unknown): Thing {
  return isThing(value) ? value : {};
}
