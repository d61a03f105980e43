// What all parts of a Word document share: styles, numbering, notes and relations.

import type { Note, Pictures } from "../html/document-html.ts";
import { numberOf, type OfficePackage, type Relations } from "../packages/opc.ts";
import { attributeOf, childOf, isOn, nodesOf, valueIn, type XmlNode } from "../packages/xml.ts";

export interface StyleLook {
  isBold?: boolean | undefined;
  isItalic?: boolean | undefined;
  isStruck?: boolean | undefined;
  isHidden?: boolean | undefined;
  script?: "sup" | "sub" | undefined;
  font?: string | undefined;
}

export interface Style extends StyleLook {
  id: string;
  name: string;
  /** 1 to 9. */
  headingLevel?: number | undefined;
  numberId?: string | undefined;
  numberLevel?: number | undefined;
  isCode: boolean;
  isQuote: boolean;
  isTitle: boolean;
}

const codeNames =
  /^(?:source ?code|code|verbatim(?: ?char)?|code block|preformatted(?: text)?|html (?:preformatted|code)|plain text code|macro text|inline code|code char)/i;
const quoteNames = /^(?:quote|block ?text|intense quote|block ?quote|quotations?|cita|zitat|citation)/i;
const monospaced =
  /^(?:courier|consolas|menlo|monaco|lucida console|dejavu sans mono|liberation mono|source code pro|andale mono|fira code|fira mono|ubuntu mono|inconsolata|cascadia|jetbrains mono)/i;

export class Styles {
  private readonly byId = new Map<string, Style>();
  private readonly sources = new Map<string, XmlNode>();
  private readonly defaults = new Map<string, string>();

  constructor(root: XmlNode | undefined) {
    for (const style of nodesOf(childOf(root, "styles"), "style")) {
      const id = attributeOf(style, "styleId") ?? "";
      this.sources.set(id, style);
      if (/^(?:1|true|on)$/.test(attributeOf(style, "default") ?? ""))
        this.defaults.set(attributeOf(style, "type") ?? "", id);
    }
  }

  find(id: string | undefined): Style | undefined {
    if (id === undefined) return undefined;
    const known = this.byId.get(id);
    if (known) return known;
    const source = this.sources.get(id);
    if (!source) return undefined;
    const style = this.read(id, source, 0);
    this.byId.set(id, style);
    return style;
  }

  get paragraphDefault(): Style | undefined {
    return this.find(this.defaults.get("paragraph"));
  }

  private read(id: string, source: XmlNode, depth: number): Style {
    const baseId = attributeOf(childOf(source, "basedOn") ?? source, "val");
    const baseSource = baseId === undefined ? undefined : this.sources.get(baseId);
    const base =
      baseId !== undefined && baseSource && depth < 20 ? this.read(baseId, baseSource, depth + 1) : undefined;
    const paragraph = childOf(source, "pPr");
    const name = attributeOf(childOf(source, "name") ?? source, "val") ?? id;
    const numbering = childOf(paragraph, "numPr");
    const level = numberOf(childOf(paragraph, "outlineLvl"), "val");
    const named =
      /^(?:heading|überschrift|titre|título|titolo|kop|rubrik|заголовок|nagłówek|nadpis|otsikko) ?(\d)$/i.exec(
        name,
      )?.[1];
    const look = lookOf(childOf(source, "rPr"));
    return {
      ...base,
      ...defined(look),
      id,
      name,
      headingLevel: named ? Number(named) : levelOfOutline(level, base?.headingLevel),
      numberId: attributeOf(childOf(numbering, "numId") ?? source, "val") ?? base?.numberId,
      numberLevel: numberOf(childOf(numbering, "ilvl"), "val") ?? base?.numberLevel,
      isCode: codeNames.test(name) || base?.isCode === true || isMonospaced(look.font),
      isQuote: quoteNames.test(name) || base?.isQuote === true,
      isTitle: /^(?:title|titel|titre|título|titolo)$/i.test(name),
    };
  }
}

/** Outlines count from 0; beyond 8 a paragraph is text. */
function levelOfOutline(outline: number | undefined, otherwise: number | undefined): number | undefined {
  if (outline === undefined) return otherwise;
  return outline < 9 ? outline + 1 : undefined;
}

export function isMonospaced(font: string | undefined): boolean {
  return font !== undefined && monospaced.test(font);
}

/** What run properties say. */
export function lookOf(properties: XmlNode | undefined): StyleLook {
  if (!properties) return {};
  const place = valueIn(properties, "vertAlign");
  const fonts = childOf(properties, "rFonts");
  return {
    isBold: isOn(childOf(properties, "b")),
    isItalic: isOn(childOf(properties, "i")),
    isStruck: isOn(childOf(properties, "strike")) || isOn(childOf(properties, "dstrike")) || undefined,
    isHidden: isOn(childOf(properties, "vanish")),
    script: place === "superscript" ? "sup" : place === "subscript" ? "sub" : undefined,
    font: attributeOf(fonts, "ascii") ?? attributeOf(fonts, "hAnsi"),
  };
}

export function defined<Value extends object>(value: Value): Partial<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Partial<Value>;
}

interface ListLevel {
  format: string;
  start: number;
}

export interface NumberedItem {
  isOrdered: boolean;
  number: number;
}

export class Numbering {
  /** Levels by the id that paragraphs name. */
  private readonly lists = new Map<string, Map<number, ListLevel>>();
  private readonly counts = new Map<string, number[]>();
  private readonly abstractOf = new Map<string, string>();

  constructor(root: XmlNode | undefined) {
    const numbering = childOf(root, "numbering");
    const abstracts = new Map<string, Map<number, ListLevel>>();
    const styled = new Map<string, string>();
    for (const each of nodesOf(numbering, "abstractNum")) {
      const id = attributeOf(each, "abstractNumId") ?? "";
      abstracts.set(id, levelsOf(each));
      if (childOf(each, "styleLink")) styled.set(valueIn(each, "styleLink") ?? "", id);
    }
    for (const each of nodesOf(numbering, "abstractNum")) {
      const link = childOf(each, "numStyleLink");
      const target = link && styled.get(attributeOf(link, "val") ?? "");
      const levels = target === undefined ? undefined : abstracts.get(target);
      if (levels) abstracts.set(attributeOf(each, "abstractNumId") ?? "", levels);
    }
    for (const each of nodesOf(numbering, "num")) {
      const id = attributeOf(each, "numId") ?? "";
      const abstract = attributeOf(childOf(each, "abstractNumId") ?? each, "val") ?? "";
      this.abstractOf.set(id, abstract);
      const levels = new Map(abstracts.get(abstract));
      for (const override of nodesOf(each, "lvlOverride")) this.override(levels, override, id);
      this.lists.set(id, levels);
    }
  }

  /** The item's mark and number; null for a paragraph that is in no list after all. */
  next(numberId: string, level: number): NumberedItem | null {
    if (numberId === "0") return null;
    const levels = this.lists.get(numberId);
    if (!levels) return null;
    const { format, start } = levels.get(level) ?? { format: "bullet", start: 1 };
    const key = this.abstractOf.get(numberId) ?? numberId;
    const counts = this.counts.get(key) ?? [];
    counts.length = level + 1;
    const number = counts[level] === undefined ? start : counts[level] + 1;
    counts[level] = number;
    this.counts.set(key, counts);
    if (format === "none") return null;
    return { isOrdered: format !== "bullet", number };
  }

  private override(levels: Map<number, ListLevel>, override: XmlNode, id: string): void {
    const level = numberOf(override, "ilvl") ?? 0;
    const start = numberOf(childOf(override, "startOverride"), "val");
    const whole = childOf(override, "lvl");
    if (whole) levels.set(level, levelOf(whole));
    const known = levels.get(level);
    if (start === undefined || !known) return;
    levels.set(level, { ...known, start });
    // A list that restarts has its own counters.
    this.abstractOf.set(id, `num ${id}`);
  }
}

function levelsOf(abstract: XmlNode): Map<number, ListLevel> {
  return new Map(nodesOf(abstract, "lvl").map((level) => [numberOf(level, "ilvl") ?? 0, levelOf(level)]));
}

function levelOf(level: XmlNode): ListLevel {
  return { format: valueIn(level, "numFmt") ?? "decimal", start: numberOf(childOf(level, "start"), "val") ?? 1 };
}

export interface WordDocument {
  file: OfficePackage;
  styles: Styles;
  numbering: Numbering;
  /** Of the part that is being read. */
  relations: Relations;
  footnotes: ReadonlyMap<string, XmlNode>;
  endnotes: ReadonlyMap<string, XmlNode>;
  comments: ReadonlyMap<string, XmlNode>;
  /** Those that the text refers to, in its order. */
  notes: Note[];
  pictures: Pictures;
}
