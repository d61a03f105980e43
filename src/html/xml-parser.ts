// XML text -> a tree, by htmlparser2, but never deeper than the bound.
import { Parser } from "htmlparser2";
import { SurplusEndTags } from "./surplus-end-tags.ts";
import type { TreeBuilder } from "./tree-builder.ts";

/**
 * htmlparser2 keeps its open elements in an array that it shifts, so 100,000 open elements cost quadratic time. Beyond
 * the limit an element is treated as one that has no content (the parser's own hook for that), and its end tag is eaten.
 */
export class BoundedXmlParser extends Parser {
  isFlattened = false;
  private readonly builder: TreeBuilder;
  private readonly source: string;
  private isTooDeep = false;
  private isClosing = false;
  private readonly surplus = new SurplusEndTags();

  constructor(builder: TreeBuilder, source: string) {
    super(
      {
        onopentag: (name, attributes) => builder.openElement(name, attributes),
        onclosetag: () => builder.closeElement(),
        ontext: (data) => builder.addText(data),
      },
      { xmlMode: true },
    );
    this.builder = builder;
    this.source = source;
  }

  protected override isVoidElement(): boolean {
    return this.isTooDeep && !this.isClosing;
  }

  override onopentagname(start: number, endIndex: number): void {
    this.isTooDeep = this.builder.isDeep;
    if (this.isTooDeep) {
      this.isFlattened = true;
      this.surplus.expect(this.nameAt(start, endIndex));
    }
    super.onopentagname(start, endIndex);
  }

  override onclosetag(start: number, endIndex: number): void {
    if (this.isFlattened && this.surplus.take(this.nameAt(start, endIndex))) return;
    this.isClosing = true;
    super.onclosetag(start, endIndex);
    this.isClosing = false;
  }

  /** The source is written in one piece, so the tokenizer's places are places in it. */
  private nameAt(start: number, endIndex: number): string {
    return this.source.slice(start, endIndex).toLowerCase();
  }
}
