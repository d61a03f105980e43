// The kept part of a tree -> markdown (GitHub flavour), in one walk.
import type { AnyNode, ChildNode, Element } from "domhandler";
import type { Addresses } from "./addresses.ts";
import { codeBlock, codeTable, isCodeExtra, isCodeText } from "./markdown-code.ts";
import { inlineCode, linkTarget, linkTitle } from "./markdown-escape.ts";
import { Footnotes } from "./markdown-footnotes.ts";
import { imageMarkdown, isPermalink, raised, videoAddress } from "./markdown-inline.ts";
import { listMarkers } from "./markdown-list.ts";
import { isDrawnFormula, isTexScript, pictureTex, splitTex, texOf } from "./markdown-math.ts";
import { isLayout, rowsOf, tableLines } from "./markdown-table.ts";
import { type Mark, MarkdownWriter } from "./markdown-writer.ts";
import { attribute, findBelow, isElement, isText, textOf } from "./nodes.ts";

export interface MarkdownOptions {
  addresses: Addresses;
  /** Nodes that are left out, with everything below them. */
  dropped: ReadonlySet<AnyNode>;
  removeBase64Images: boolean;
  /** True when a script of the page draws formulas that stand in its text as TeX. */
  hasTex?: boolean;
}

const strong: Mark = { open: "**", close: "**", isEmphasis: true, isLink: false };
const emphasis: Mark = { open: "*", close: "*", isEmphasis: true, isLink: false };
const strike: Mark = { open: "~~", close: "~~", isEmphasis: true, isLink: false };

/** Turns nodes, in their order, into markdown. */
export function toMarkdown(nodes: readonly ChildNode[], options: MarkdownOptions): string {
  const renderer = new Renderer(options, new MarkdownWriter(false), new Footnotes(nodes, options.dropped));
  for (const [index, node] of nodes.entries()) {
    if (index > 0 && node.prev !== nodes[index - 1]) renderer.writer.break(2);
    renderer.node(node);
  }
  return renderer.writer.toString();
}

class Renderer {
  readonly writer: MarkdownWriter;
  private readonly options: MarkdownOptions;
  private readonly footnotes: Footnotes;
  private listDepth = 0;
  private isInCell = false;
  private isInHeading = false;
  private isInNote = false;

  constructor(options: MarkdownOptions, writer: MarkdownWriter, footnotes: Footnotes) {
    this.options = options;
    this.writer = writer;
    this.footnotes = footnotes;
  }

  node(node: AnyNode): void {
    if (this.options.dropped.has(node)) return;
    if (isText(node)) this.text(node.data);
    else if (isElement(node)) this.element(node);
  }

  private text(data: string): void {
    if (!this.options.hasTex || !/\\[([]|\$\$/.test(data)) {
      this.writer.text(data);
      return;
    }
    for (const { text, tex } of splitTex(data)) {
      if (tex === null) this.writer.text(text);
      else this.formula(text, tex === "block");
    }
  }

  private formula(tex: string, isBlock: boolean): void {
    if (isBlock && !this.isInCell) this.writer.lines(["$$", ...tex.split("\n"), "$$"]);
    else this.writer.raw(`$${tex.replace(/\s+/g, " ")}$`);
  }

  private children(element: Element): void {
    for (const child of element.children) this.node(child);
  }

  private element(element: Element): void {
    if (element.attribs.class !== undefined && isDrawnFormula(element)) return;
    if (this.isInNote && this.footnotes.isWayBack(element)) return;
    const label = this.footnotes.labelOf(element);
    if (label !== undefined && !this.isInNote && !this.isInCell) {
      this.note(element, label);
      return;
    }
    const render = renderers[element.name];
    if (render) render.call(this, element);
    else this.children(element);
  }

  block(element: Element): void {
    this.writer.break(2);
    this.children(element);
    this.writer.break(2);
  }

  /** A line of its own without a blank one: rows and cells of tables that only lay out. */
  line(element: Element): void {
    this.writer.break(1);
    this.children(element);
    this.writer.break(1);
  }

  private note(element: Element, label: string): void {
    this.writer.break(2);
    this.writer.pushPrefix(`[^${label}]: `, "    ");
    this.isInNote = true;
    this.children(element);
    this.isInNote = false;
    this.writer.endItem();
    this.writer.popPrefix();
  }

  heading(element: Element): void {
    this.writer.break(2);
    this.isInHeading = true;
    if (this.isInCell) {
      this.marked(element, strong);
    } else {
      this.writer.pushPrefix(`${"#".repeat(Number(element.name[1]))} `, "");
      const release = this.writer.holdLine();
      this.children(element);
      release();
      this.writer.popPrefix();
    }
    this.isInHeading = false;
    this.writer.break(2);
  }

  quote(element: Element): void {
    this.writer.break(2);
    if (!this.isInCell) this.writer.pushPrefix("> ", "> ");
    this.children(element);
    this.writer.break(2);
    if (!this.isInCell) this.writer.popPrefix();
  }

  list(element: Element): void {
    this.writer.break(this.listDepth === 0 ? 2 : 1);
    this.listDepth += 1;
    const markers = listMarkers(element);
    for (const child of element.children) {
      const marker = markers.get(child);
      const isNote = isElement(child) && this.footnotes.labelOf(child) !== undefined;
      if (marker !== undefined && !isNote && !this.options.dropped.has(child)) this.item(child as Element, marker);
      else this.node(child);
    }
    this.listDepth -= 1;
    this.writer.break(this.listDepth === 0 ? 2 : 1);
  }

  item(element: Element, marker = "- "): void {
    this.writer.break(1);
    if (this.isInCell) this.writer.raw(marker);
    else this.writer.pushPrefix(marker, " ".repeat(marker.length));
    this.children(element);
    this.writer.endItem();
    if (!this.isInCell) this.writer.popPrefix();
  }

  checkbox(element: Element): void {
    if (this.listDepth === 0 || attribute(element, "type")?.toLowerCase() !== "checkbox") return;
    this.writer.raw(attribute(element, "checked") === undefined ? "[ ]" : "[x]");
    this.writer.text(" ");
  }

  term(element: Element): void {
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

  rule(): void {
    if (!this.isInCell) this.writer.lines(["---"]);
  }

  lineBreak(): void {
    this.writer.hardBreak();
  }

  pre(element: Element): void {
    const lines = codeBlock(element, this.options.dropped);
    if (!this.isInCell) this.writer.lines(lines);
    else for (const line of lines.slice(1, -1)) this.codeLine(line);
  }

  /** A line of a code block in a cell: there is no room for a fence. */
  private codeLine(line: string): void {
    this.writer.hardBreak();
    if (line.trim() !== "") this.writer.raw(inlineCode(line.trimEnd()));
  }

  code(element: Element): void {
    if (isCodeText(element)) {
      this.pre(element);
      return;
    }
    const code = textOf(element, this.options.dropped).replace(/\s+/g, " ");
    const body = code.trim();
    if (body === "") {
      this.writer.text(code);
      return;
    }
    if (code.startsWith(" ")) this.writer.text(" ");
    this.writer.raw(inlineCode(body));
    if (code.endsWith(" ")) this.writer.text(" ");
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
    const lines = tableLines(rows, (cell) => this.cell(cell));
    this.writer.lines(lines);
  }

  private cell(element: Element): string {
    const inner = new Renderer(this.options, new MarkdownWriter(true), this.footnotes);
    inner.isInCell = true;
    inner.children(element);
    return inner.writer.toString();
  }

  marked(element: Element, mark: Mark): void {
    if (this.writer.has(mark.open)) {
      this.children(element);
      return;
    }
    this.writer.openMark(mark);
    this.children(element);
    this.writer.closeMark();
  }

  link(element: Element): void {
    const href = attribute(element, "href");
    const label = href === undefined ? null : this.footnotes.reference(element, href);
    if (label !== null) {
      this.writer.raw(`[^${label}]`);
      return;
    }
    if (this.isInHeading && isPermalink(element)) return;
    const address = href === undefined ? null : this.options.addresses.web(href);
    if (address === null || this.writer.inLink) {
      this.children(element);
      return;
    }
    const close = `](${linkTarget(address)}${linkTitle(attribute(element, "title"))})`;
    this.writer.openMark({ open: "[", close, isEmphasis: false, isLink: true });
    this.children(element);
    this.writer.closeMark();
  }

  image(element: Element): void {
    const tex = pictureTex(element);
    if (tex !== null) {
      if (tex !== "") this.formula(tex, false);
      return;
    }
    const image = imageMarkdown(element, this.options.addresses, this.options.removeBase64Images);
    if (image !== null) this.writer.raw(image);
  }

  raised(element: Element): void {
    const form = raised(element, this.options.dropped);
    if (form === "flat") this.children(element);
    else if (form === "html") {
      this.writer.raw(`<${element.name}>`);
      this.children(element);
      this.writer.raw(`</${element.name}>`);
    } else this.writer.raw(form.characters);
  }

  quotation(element: Element): void {
    this.writer.text("“");
    this.children(element);
    this.writer.text("”");
  }

  /** Reading aids in parentheses, unless the page brings its own. */
  reading(element: Element): void {
    const hasOwn = element.prev !== null && isElement(element.prev) && element.prev.name === "rp";
    if (!hasOwn) this.writer.text("(");
    this.children(element);
    if (!hasOwn) this.writer.text(")");
  }

  summary(element: Element): void {
    if (/^h[1-6]$/.test(element.children.find(isElement)?.name ?? "")) this.children(element);
    else this.term(element);
    this.writer.break(2);
  }

  math(element: Element): void {
    const tex = texOf(element);
    if (tex === "") this.children(element);
    else this.formula(tex, attribute(element, "display") === "block");
  }

  /** MathJax draws with elements of its own and keeps MathML beside them for readers of the screen. */
  mathJax(element: Element): void {
    const math = findBelow(element, "math");
    if (math === null) this.children(element);
    else this.formula(texOf(math), attribute(element, "display") === "true");
  }

  script(element: Element): void {
    if (isTexScript(element))
      this.formula(textOf(element).trim(), /mode=display/.test(attribute(element, "type") ?? ""));
  }

  video(element: Element): void {
    const address = videoAddress(element, this.options.addresses);
    if (address === null || this.writer.inLink) return;
    this.writer.break(2);
    this.writer.openMark({ open: "[", close: `](${linkTarget(address)})`, isEmphasis: false, isLink: true });
    this.writer.text(attribute(element, "title")?.trim() || "Video");
    this.writer.closeMark();
    this.writer.break(2);
  }

  button(element: Element): void {
    if (!isCodeExtra(element)) this.children(element);
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
  ["pre listing xmp", method.pre],
  ["code kbd samp tt", method.code],
  ["table", method.table],
  ["b strong", markedWith(strong)],
  ["i em cite", markedWith(emphasis)],
  ["del s strike", markedWith(strike)],
  ["a", method.link],
  ["img", method.image],
  ["sup sub", method.raised],
  ["q", method.quotation],
  ["rt", method.reading],
  ["summary", method.summary],
  ["math", method.math],
  ["mjx-container", method.mathJax],
  ["script", method.script],
  ["iframe", method.video],
  ["button span", method.button],
  ["select textarea datalist", method.nothing],
]);
