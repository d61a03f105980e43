// Blocks in reading order -> HTML: list items become nested lists, lines of code one block, quotes one quote.
import { escapeHtml } from "./escape-html.ts";

export interface BlockItem {
  /** From 0. */
  depth: number;
  isOrdered: boolean;
  /** The number that it carries. */
  number?: number | undefined;
  html: string;
}

interface OpenList {
  tag: "ul" | "ol";
  depth: number;
}

export class Blocks {
  private readonly parts: string[] = [];
  private readonly lists: OpenList[] = [];
  private code: string[] | null = null;
  private isQuoting = false;

  get isEmpty(): boolean {
    return this.parts.length === 0 && this.code === null;
  }

  paragraph(html: string, attributes = ""): void {
    if (html.trim() !== "") this.raw(`<p${attributes}>${html}</p>`);
  }

  heading(level: number, html: string, attributes = ""): void {
    const tag = `h${Math.min(6, Math.max(1, level))}`;
    if (html.trim() !== "") this.raw(`<${tag}${attributes}>${html}</${tag}>`);
  }

  /** Blocks that are complete by themselves. */
  raw(html: string): void {
    this.close();
    this.parts.push(html);
  }

  quote(html: string): void {
    if (html.trim() === "") return;
    this.closeCode();
    this.closeLists();
    if (!this.isQuoting) this.parts.push("<blockquote>");
    this.isQuoting = true;
    this.parts.push(`<p>${html}</p>`);
  }

  /** One line of code; lines that follow each other are one block. */
  codeLine(text: string): void {
    if (this.code === null) this.close();
    this.code ??= [];
    this.code.push(text);
  }

  item({ depth, isOrdered, number, html }: BlockItem): void {
    this.closeCode();
    this.closeQuote();
    const tag = isOrdered ? "ol" : "ul";
    while (this.lists.length > 0) {
      const top = this.lists[this.lists.length - 1] as OpenList;
      if (top.depth < depth || (top.depth === depth && top.tag === tag)) break;
      this.endList();
    }
    const top = this.lists[this.lists.length - 1];
    if (top?.depth === depth) this.parts.push("</li>");
    else {
      const start = isOrdered && number !== undefined && number !== 1 ? ` start="${number}"` : "";
      this.parts.push(`<${tag}${start}>`);
      this.lists.push({ tag, depth });
    }
    this.parts.push(`<li>${html}`);
  }

  /** More of the last item; false when no list is open. */
  continueItem(html: string): boolean {
    if (this.lists.length === 0 || this.code !== null) return false;
    this.parts.push(html);
    return true;
  }

  toString(): string {
    this.close();
    return this.parts.join("");
  }

  private close(): void {
    this.closeCode();
    this.closeLists();
    this.closeQuote();
  }

  private closeCode(): void {
    if (this.code === null) return;
    this.parts.push(`<pre><code>${escapeHtml(this.code.join("\n"))}</code></pre>`);
    this.code = null;
  }

  private closeQuote(): void {
    if (this.isQuoting) this.parts.push("</blockquote>");
    this.isQuoting = false;
  }

  private closeLists(): void {
    while (this.lists.length > 0) this.endList();
  }

  private endList(): void {
    const list = this.lists.pop() as OpenList;
    this.parts.push(`</li></${list.tag}>`);
  }
}
