// The inline half of the renderer: text, emphasis, code, links, pictures, formulas.
import type { AnyNode, Element, Text } from "domhandler";
import { attribute, isElement, textOf } from "../../html/index.ts";
import type { PageUrls } from "../links/page-urls.ts";
import { isCodeExtra } from "./code.ts";
import { inlineCode, linkTarget, linkTitle } from "./escape.ts";
import type { Footnotes } from "./footnotes.ts";
import { imageMarkdown, isPermalink, mediaUrl, raised, usualWeight } from "./inline.ts";
import { type Formula, holdsTex, pictureTex, splitTex } from "./math.ts";
import type { Mark, MarkdownWriter } from "./writer.ts";

export interface MarkdownOptions {
  urls: PageUrls;
  /** Nodes that are left out, with everything below them. */
  dropped: ReadonlySet<AnyNode>;
  removeBase64Images: boolean;
  /** True when a script of the page draws formulas that its text holds as TeX. */
  hasTex?: boolean;
  /** True for files, whose merged cells mean something: such tables are written as HTML. */
  keepsMergedCells?: boolean;
}

/** Most pieces of code, which are kept as they are. */
const oneWord = /^[!-~]+$/;
/** Whole URLs and paths that need no escaping in a link, and that no base adds anything risky to. */
const plainTarget = /^(?:https?:\/)?\/[\w\-~%!$&'*+,=:@/.?#]*$/;

/** <strong> and <em> inside of themselves mean more of it; <b> and <i> mean nothing by that. */
function isStronger({ name, parent }: Element): boolean {
  if (name !== "strong" && name !== "em") return false;
  for (let above = parent; above && isElement(above); above = above.parent) if (above.name === name) return true;
  return false;
}

const innerMarks: Readonly<Record<string, Mark>> = {
  "**": { open: "__", close: "__", isEmphasis: true, isLink: false },
  "*": { open: "_", close: "_", isEmphasis: true, isLink: false },
};

export abstract class InlineRenderer {
  writer: MarkdownWriter;
  protected readonly options: MarkdownOptions;
  protected readonly footnotes: Footnotes;
  protected isInCell = false;
  /** Of the text of the heading that is being written. */
  protected headingLength: number | null = null;
  /** The label of the footnote that is being written. */
  protected noteLabel: string | null = null;

  constructor(options: MarkdownOptions, writer: MarkdownWriter, footnotes: Footnotes) {
    this.options = options;
    this.writer = writer;
    this.footnotes = footnotes;
  }

  abstract node(node: AnyNode): void;

  children(element: Element): void {
    for (const child of element.children) this.node(child);
  }

  protected text(node: Text): void {
    const { data } = node;
    if (this.noteLabel !== null && this.writer.isAtItemStart) {
      this.writer.text(this.footnotes.withoutMark(data, this.noteLabel));
      return;
    }
    const hasTex = this.options.hasTex ? /[\\$]/.test(data) : data.includes("\\") && holdsTex(node);
    if (!hasTex) {
      this.writer.text(data, node);
      return;
    }
    for (const { text, tex } of splitTex(data)) {
      if (tex === null) this.writer.text(text);
      else this.formula({ tex: text, isBlock: tex === "block" });
    }
  }

  protected formula({ tex, isBlock }: Formula): void {
    if (isBlock && !this.isInCell && this.headingLength === null) this.writer.lines(["$$", ...tex.split("\n"), "$$"]);
    else this.writer.raw(`$${tex.replace(/\s+/g, " ")}$`);
  }

  inlineCode(element: Element): void {
    const text = textOf(element, this.options.dropped);
    if (oneWord.test(text)) {
      this.codeSpan(text);
      return;
    }
    // Spaces are shown as part of the code; line ends only part it from its tags.
    const body = text.trim();
    const at = text.indexOf(body);
    const edges = [text.slice(0, at), text.slice(at + body.length)];
    const [before, after] = edges.map((edge) => (edge.includes("\n") || body === "" ? "" : edge));
    if (before !== edges[0]) this.writer.text(" ");
    if (body !== "") this.codeSpan(`${before}${body}${after}`.replace(/\s+/g, " "));
    if (after !== edges[1]) this.writer.text(" ");
  }

  protected codeSpan(code: string): void {
    // In a table, a backslash before a pipe could not be told from an escaped pipe.
    if (this.isInCell && code.includes("\\|")) {
      this.writer.raw(`<code>${code.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/\|/g, "&#124;")}</code>`);
    } else this.writer.code(inlineCode(code));
  }

  marked(element: Element, mark: Mark): void {
    const own = this.writer.has(mark.open) && isStronger(element) ? (innerMarks[mark.open] ?? mark) : mark;
    if (this.writer.has(own.open) || usualWeight(element)) {
      this.children(element);
      return;
    }
    this.writer.openMark(own);
    this.children(element);
    this.writer.closeMark();
  }

  link(element: Element): void {
    const { href } = element.attribs;
    const label = href === undefined ? null : this.footnotes.reference(element, href);
    if (label !== null) {
      this.writer.raw(`[^${label}]`);
      return;
    }
    if (isPermalink(element, this.headingLength)) return;
    const url = href === undefined ? null : this.options.urls.link(href);
    if (url === null || this.writer.inLink) {
      this.children(element);
      return;
    }
    const target = plainTarget.test(href as string) ? url : linkTarget(url);
    const close = `](${target}${linkTitle(element.attribs.title)})`;
    this.writer.openMark({ open: "[", close, isEmphasis: false, isLink: true });
    this.children(element);
    this.writer.closeMark();
  }

  image(element: Element): void {
    const tex = pictureTex(element);
    if (tex !== null) {
      if (tex.tex !== "") this.formula(tex);
      return;
    }
    const image = imageMarkdown(element, this.options.urls, this.options.removeBase64Images);
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

  /** Videos and recordings become links to where they play. */
  media(element: Element): void {
    const url = mediaUrl(element, this.options.urls);
    if (url === null || this.writer.inLink) return;
    const title = attribute(element, "title")?.trim() || attribute(element, "playlabel")?.trim();
    this.writer.break(2);
    this.writer.openMark({ open: "[", close: `](${linkTarget(url)})`, isEmphasis: false, isLink: true });
    this.writer.text(title || (element.name === "audio" ? "Audio" : "Video"));
    this.writer.closeMark();
    this.writer.break(2);
  }

  button(element: Element): void {
    if (!isCodeExtra(element)) this.children(element);
  }
}
