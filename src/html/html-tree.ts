// Tags and texts in the order of the page -> a tree, nested as htmlparser2 nests it, but never deeper than the bound.

import type { Element } from "domhandler";
import type { ContentModel, HtmlSink } from "./html-scanner.ts";
import { type Attributes, noAttributes } from "./nodes.ts";
import { type Language, type TagRule, tagRule } from "./tag-rules.ts";
import { SurplusEndTags, type TreeBuilder } from "./tree-builder.ts";

export class HtmlTree implements HtmlSink {
  /** True when elements nested too deeply were put beside each other. */
  isFlattened = false;
  canHide = false;
  openName = "";
  private readonly builder: TreeBuilder;
  /** Whose rules hold in each open element, and at the place where the next tag comes. */
  private readonly languages: Language[] = ["html"];
  private language: Language = "html";
  private readonly surplus = new SurplusEndTags();

  constructor(builder: TreeBuilder) {
    this.builder = builder;
  }

  text(data: string): void {
    this.builder.addText(data);
  }

  get isForeign(): boolean {
    return this.language !== "html";
  }

  cdata(data: string): void {
    this.builder.addText(data);
  }

  startTag(written: string, attributes: Attributes, isSelfClosing: boolean): ContentModel {
    const rule = this.ruleOf(written);
    const content = this.language === "html" ? rule.content : "markup";
    const isTooDeep = this.builder.isDeep;
    if (isTooDeep && !rule.isVoid) {
      this.isFlattened = true;
      this.surplus.expect(rule.name);
    }
    // Forms are not nested: the inner tag is as if it were not there.
    if (rule.name === "form" && this.placeOf("form") !== -1) return content;
    if (rule.closes !== null) while (rule.closes.has(this.openName)) this.close();
    const language = rule.language ?? this.language;
    const isEmpty = rule.isVoid || isTooDeep || (isSelfClosing && language !== "html");
    if (isEmpty) this.builder.addElement(rule.name, attributes);
    else {
      this.builder.openElement(rule.name, attributes);
      this.languages.push(language);
      this.language = language;
      this.openName = rule.name;
    }
    return content;
  }

  endTag(written: string): void {
    if (written === this.openName && !this.isFlattened) {
      this.close();
      return;
    }
    const { name, isVoid } = this.ruleOf(written);
    if (this.isFlattened && this.surplus.take(name)) return;
    const place = isVoid ? -1 : this.placeOf(name);
    if (place !== -1) while (this.builder.open.length > place) this.close();
    // Browsers make an element of these two even when nothing was open.
    else if (name === "p" || name === "br") this.builder.addElement(name, noAttributes);
  }

  private ruleOf(written: string): TagRule {
    const rule = tagRule(written);
    const { svgName } = rule;
    if (svgName !== null && (this.language === "svg" || this.placeOf(svgName) !== -1)) return tagRule(svgName);
    return written === "image" && this.language === "html" ? tagRule("img") : rule;
  }

  private close(): void {
    this.builder.closeElement();
    this.languages.pop();
    this.language = this.languages[this.languages.length - 1] as Language;
    const { open } = this.builder;
    this.openName = open.length > 1 ? (open[open.length - 1] as Element).name : "";
  }

  /** Index of the innermost open element of a name, or -1. */
  private placeOf(name: string): number {
    const { open } = this.builder;
    for (let place = open.length - 1; place > 0; place -= 1) if ((open[place] as Element).name === name) return place;
    return -1;
  }
}
