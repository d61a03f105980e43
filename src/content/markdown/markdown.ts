// The kept part of a tree -> markdown (GitHub flavour), in one walk.
import type { AnyNode, ChildNode, Element } from "domhandler";
import { attribute, isElement, isText, textOf } from "../../html/index.ts";
import { codeBlock, codeTable, isCodeText } from "./code.ts";
import { Footnotes } from "./footnotes.ts";
import { hasMergedCells, htmlTableLines } from "./html-table.ts";
import { isForScreenReaders } from "./inline.ts";
import { InlineRenderer, type MarkdownOptions } from "./inline-renderer.ts";
import { holdsParagraph, isLoose, listNumbers, markerOf, startsWithHeading, taskMark } from "./list.ts";
import { formulaOf, isDrawnFormula, isTexScript } from "./math.ts";
import { ShadowTrees } from "./shadow.ts";
import { isLayout, rowsOf, tableLines } from "./table.ts";
import { type Mark, MarkdownWriter } from "./writer.ts";

const strong: Mark = { open: "**", close: "**", isEmphasis: true, isLink: false };
const emphasis: Mark = { open: "*", close: "*", isEmphasis: true, isLink: false };
const strike: Mark = { open: "~~", close: "~~", isEmphasis: true, isLink: false };

/** Turns nodes, in their order, into markdown. */
export function toMarkdown(
  nodes: readonly ChildNode[],
  options: MarkdownOptions,
  footnotes = footnotesOf(nodes, options),
): string {
  const renderer = new Renderer(options, new MarkdownWriter(false), footnotes);
  for (const [index, node] of nodes.entries()) {
    if (index > 0 && node.prev !== nodes[index - 1]) renderer.writer.break(2);
    renderer.node(node);
  }
  return renderer.writer.toString();
}

/** Of a whole, for those who write its parts one by one in their order. */
export function footnotesOf(nodes: readonly ChildNode[], { dropped, urls }: MarkdownOptions): Footnotes {
  return new Footnotes(nodes, dropped, urls);
}

const noList = { end: -1, sign: "", last: 0 as number | null };

class Renderer extends InlineRenderer {
  private listDepth = 0;
  private cells: Renderer | null = null;
  private readonly shadows = new ShadowTrees();
  /** The item that is being written, when it holds no paragraph: between its blocks are no blank lines. */
  private tightItem: Element | null = null;
  /** The list that ended last: where, how its markers were written, and the number of its last item. */
  private lastList = noList;

  node(node: AnyNode): void {
    if (!this.shadows.isPlaced(node)) this.show(node);
  }

  private show(node: AnyNode): void {
    if (this.options.dropped.has(node)) return;
    if (isText(node)) this.text(node);
    else if (isElement(node)) this.element(node);
  }

  private element(element: Element): void {
    const { attribs, name } = element;
    if (attribs.class !== undefined && this.isUnseen(element)) return;
    if (this.noteLabel !== null && this.isSignOfNote(element, this.noteLabel)) return;
    const label = this.footnotes.labelOf(element);
    if (label !== undefined && this.noteLabel === null && !this.isInCell) {
      this.note(element, label);
      return;
    }
    if (attribs.role === "heading" && this.headingLength === null) {
      this.heading(element);
      return;
    }
    const render = renderers[name];
    if (render) render.call(this, element);
    else this.children(element);
  }

  /** Text for people who do not see the page, of what others see beside it; and formulas that come again as TeX. */
  private isUnseen(element: Element): boolean {
    if (isForScreenReaders(element)) return !this.footnotes.isRoot(element);
    return isDrawnFormula(element);
  }

  private isSignOfNote(element: Element, label: string): boolean {
    if (this.footnotes.isWayBack(element)) return true;
    return this.writer.isAtItemStart && this.footnotes.isOwnMark(element, label);
  }

  block(element: Element): void {
    this.writer.break(2);
    this.children(element);
    this.writer.break(2);
  }

  /** A line without a blank one before it: rows and cells of layout tables. */
  line(element: Element): void {
    this.writer.break(1);
    this.children(element);
    this.writer.break(1);
  }

  private note(element: Element, label: string): void {
    this.writer.break(2);
    this.writer.pushPrefix(`[^${label}]: `, "    ");
    this.noteLabel = label;
    this.children(element);
    this.noteLabel = null;
    this.writer.break(2);
    this.writer.popPrefix();
  }

  /** How many line ends part a block from what is before it in its item or around it. */
  private gapAt(element: Element): number {
    return element.parent === this.tightItem ? 1 : 2;
  }

  heading(element: Element): void {
    const gap = this.gapAt(element);
    this.writer.break(gap);
    const isInner = this.headingLength !== null;
    this.headingLength ??= textOf(element).trim().length;
    if (this.isInCell) this.marked(element, strong);
    else if (isInner) this.children(element);
    else this.headingLine(element);
    if (!isInner) this.headingLength = null;
    this.writer.break(gap);
  }

  private headingLine(element: Element): void {
    const level = Number(/^h[1-6]$/.test(element.name) ? element.name[1] : (attribute(element, "aria-level") ?? 2));
    this.writer.pushPrefix(`${"#".repeat(level >= 1 && level <= 6 ? level : 2)} `, "");
    const release = this.writer.holdLine();
    const before = this.writer.length;
    this.children(element);
    if (this.writer.length > before) this.writer.endHeading();
    release();
    this.writer.popPrefix();
  }

  quote(element: Element): void {
    this.writer.break(this.gapAt(element));
    if (!this.isInCell) this.writer.pushPrefix("> ", "> ");
    this.children(element);
    this.writer.break(2);
    if (!this.isInCell) this.writer.popPrefix();
  }

  list(element: Element): void {
    const numbers = listNumbers(element);
    const [first = null] = numbers.values();
    const sign = this.signOf(first);
    const loose = isLoose(numbers.keys(), this.options.dropped);
    this.writer.break(this.listDepth === 0 ? 2 : 1);
    this.listDepth += 1;
    let lastMarker: string | null = null;
    for (const child of element.children) {
      const number = numbers.get(child);
      const before = this.writer.length;
      if (number === undefined || !isElement(child) || this.footnotes.labelOf(child) !== undefined) {
        this.besideItems(child, lastMarker);
      } else if (!this.options.dropped.has(child)) {
        const marker = markerOf(number, sign);
        // Only a list that begins with 1 may follow a text without a blank line.
        if (lastMarker === null ? number !== null && number !== 1 : loose) this.writer.break(2);
        this.item(child, marker);
        if (this.writer.length > before) lastMarker = marker;
      }
    }
    this.listDepth -= 1;
    this.lastList = { end: this.writer.length, sign, last: [...numbers.values()].pop() ?? null };
    this.writer.break(2);
  }

  /** Two lists in a row would be one, unless their markers are written in two ways. */
  private signOf(first: number | null): string {
    const [usual, other] = first === null ? ["-", "*"] : [".", ")"];
    const { end, sign, last } = this.lastList;
    const goesOn = first !== null && last !== null && first === last + 1;
    if (end !== this.writer.length || this.writer.isAtItemStart || goesOn || sign !== usual) return usual as string;
    return other as string;
  }

  /** A list directly inside a list, without an item, is shown as part of the item before. */
  private besideItems(child: AnyNode, lastMarker: string | null): void {
    const isInner = isElement(child) && (child.name === "ul" || child.name === "ol");
    if (!isInner || lastMarker === null || this.isInCell) {
      this.node(child);
      return;
    }
    this.writer.pushPrefix(null, " ".repeat(lastMarker.length));
    this.node(child);
    this.writer.endItem();
    this.writer.popPrefix();
  }

  item(element: Element, marker = "- "): void {
    // A card: its heading says more than a bullet, and belongs at the start of its line.
    if (!/\d/.test(marker) && !this.isInCell && startsWithHeading(element, this.options.dropped)) {
      this.block(element);
      return;
    }
    this.writer.break(1);
    if (this.isInCell) this.writer.raw(marker);
    else this.writer.pushPrefix(marker, " ".repeat(marker.length));
    const around = this.tightItem;
    this.tightItem = this.isInCell || holdsParagraph(element, this.options.dropped) ? null : element;
    this.children(element);
    this.tightItem = around;
    this.writer.endItem();
    if (!this.isInCell) this.writer.popPrefix();
  }

  checkbox(element: Element): void {
    const mark = this.listDepth === 0 ? null : taskMark(element);
    if (mark === null) return;
    this.writer.raw(mark);
    this.writer.text(" ");
  }

  span(element: Element): void {
    if (element.attribs.role === "checkbox") this.checkbox(element);
    this.button(element);
  }

  term(element: Element): void {
    if (this.footnotes.isLabel(element)) return;
    if (startsWithHeading(element, this.options.dropped)) {
      this.block(element);
      return;
    }
    this.writer.break(2);
    this.marked(element, strong);
    this.writer.break(1);
  }

  definition(element: Element): void {
    this.writer.break(1);
    if (!this.isInCell) this.writer.pushPrefix(": ", "  ");
    this.children(element);
    if (!this.isInCell) this.writer.popPrefix();
    this.writer.endItem();
  }

  rule(element: Element): void {
    if (this.isInCell) this.writer.hardBreak();
    // In an item, dashes would underline a heading or be a rule together with their marker.
    else if (!this.footnotes.isDivider(element))
      this.writer.lines([this.listDepth > 0 ? "___" : "---"], this.gapAt(element));
  }

  lineBreak(): void {
    this.writer.hardBreak();
  }

  pre(element: Element): void {
    const lines = codeBlock(element, this.options.dropped);
    if (!this.isInCell) this.writer.lines(lines, this.gapAt(element));
    else for (const line of lines.slice(1, -1)) this.codeLine(line);
  }

  /** A line of a code block in a cell, where a fence does not fit. */
  private codeLine(line: string): void {
    this.writer.hardBreak();
    if (line.trim() !== "") this.codeSpan(line.trimEnd());
  }

  code(element: Element): void {
    if (isCodeText(element)) this.pre(element);
    else this.inlineCode(element);
  }

  table(element: Element): void {
    const { dropped } = this.options;
    const rows = rowsOf(element, dropped);
    const code = this.isInCell ? [] : codeTable(element, rows, dropped);
    if (code.length > 0) {
      this.writer.lines(code);
      return;
    }
    if (this.isInCell || rows.length === 0 || isLayout(element, rows)) {
      this.block(element);
      return;
    }
    this.writer.break(2);
    for (const child of element.children) {
      if (isElement(child) && child.name === "caption" && !dropped.has(child)) this.block(child);
    }
    const isMerged = this.options.keepsMergedCells && hasMergedCells(rows);
    this.writer.lines(isMerged ? htmlTableLines(rows, this.options) : tableLines(rows, (cell) => this.cell(cell)));
  }

  private cell(element: Element): string {
    this.cells ??= new Renderer(this.options, new MarkdownWriter(true), this.footnotes);
    return this.cells.cellText(element);
  }

  /** There are no tables in cells, so one renderer makes all cells of a page. */
  private cellText(element: Element): string {
    this.isInCell = true;
    this.lastList = noList;
    this.writer = new MarkdownWriter(true);
    this.children(element);
    return this.writer.toString();
  }

  summary(element: Element): void {
    this.term(element);
    this.writer.break(2);
  }

  math(element: Element): void {
    const formula = formulaOf(element);
    if (formula === null) this.children(element);
    else this.formula(formula);
  }

  script(element: Element): void {
    if (!isTexScript(element)) return;
    this.formula({ tex: textOf(element).trim(), isBlock: /mode=display/.test(attribute(element, "type") ?? "") });
  }

  /** What a custom element shows: its own tree, with what was written into it at the places for that. */
  shadow(element: Element): void {
    this.shadows.enter(element);
    this.children(element);
    this.shadows.leave();
  }

  slot(element: Element): void {
    const assigned = this.shadows.take(element);
    if (assigned.length === 0) this.children(element);
    else for (const node of assigned) this.show(node);
  }

  nothing(): void {}
}

type Render = (this: Renderer, element: Element) => void;
const method = Renderer.prototype;

function markedWith(mark: Mark): Render {
  return function (element) {
    this.marked(element, mark);
  };
}

function table(entries: [names: string, render: Render][]): Record<string, Render> {
  const rows: Record<string, Render> = Object.create(null);
  for (const [names, render] of entries) for (const name of names.split(" ")) rows[name] = render;
  return rows;
}

const renderers = table([
  [
    "address article aside body center details dialog dir div dl fieldset figcaption figure footer form header hgroup html " +
      "legend main menu nav optgroup p search section caption",
    method.block,
  ],
  ["tbody thead tfoot tr td th option", method.line],
  ["h1 h2 h3 h4 h5 h6", method.heading],
  ["blockquote", method.quote],
  ["ul ol", method.list],
  ["li", method.item],
  ["input", method.checkbox],
  ["dt", method.term],
  ["dd", method.definition],
  ["hr", method.rule],
  ["br", method.lineBreak],
  ["template", method.shadow],
  ["slot", method.slot],
  ["pre listing xmp", method.pre],
  ["code kbd samp tt", method.code],
  ["table", method.table],
  ["b strong", markedWith(strong)],
  ["i em cite", markedWith(emphasis)],
  ["del s strike", markedWith(strike)],
  ["a", method.link],
  ["img amp-img", method.image],
  ["sup sub", method.raised],
  ["q", method.quotation],
  ["rt", method.reading],
  ["summary", method.summary],
  ["math mjx-container", method.math],
  ["script", method.script],
  ["iframe video audio lite-youtube lite-vimeo", method.media],
  ["button", method.button],
  ["span", method.span],
  ["select textarea datalist", method.nothing],
]);
