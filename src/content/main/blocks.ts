// The visible part of a tree -> its blocks: runs of text that appear together on the screen, with what can be counted in
// one pass over their characters. All later steps use these numbers, not the tree.
import type { AnyNode, ChildNode, Element, Text } from "domhandler";
import { isElement, isText } from "../../html/index.ts";
import { addLetter, emptyWord, kindOfLetter, pairOf, wordNumber } from "./word-hash.ts";

/** Elements that begin and end a block. */
const blockNames = new Set(
  (
    "address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset figcaption figure " +
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html label legend li main menu nav noscript ol option p pre search section " +
    "summary table tbody td template tfoot th thead tr ul"
  ).split(" "),
);
/** Their text is never shown in markdown. */
const silent = new Set(["select", "textarea", "datalist", "script"]);

/** One run of text. `first` and `end` are places in `texts` and `words` of the page. */
export type Block = ReturnType<typeof emptyBlock>;

function emptyBlock(owner: number, texts: number, words: number, links: number) {
  return {
    /** The innermost element that begins or ends blocks, as its place in `elements`. */
    owner,
    textFirst: texts,
    textEnd: texts,
    wordFirst: words,
    wordEnd: words,
    chars: 0,
    linkChars: 0,
    links,
    digits: 0,
    capitals: 0,
    commas: 0,
    stops: 0,
    marks: 0,
    ideographs: 0,
    lastCode: 0,
    firstKind: 0,
    /** Characters in emphasis or code, and line breaks. */
    strongChars: 0,
    breaks: 0,
    images: 0,
  };
}

/** An element that begins and ends blocks, with those it holds: `firstBlock` up to, not including, `endBlock`. */
export interface BlockElement {
  element: Element;
  parent: number;
  depth: number;
  firstBlock: number;
  endBlock: number;
}

export class PageBlocks {
  readonly elements: BlockElement[] = [];
  readonly blocks: Block[] = [];
  readonly texts: Text[] = [];
  readonly words: number[] = [];
  private readonly dropped: ReadonlySet<AnyNode>;
  private current: Block | null = null;
  private owner = 0;
  private links = 0;
  private strong = 0;
  private code = 0;
  private hash = emptyWord;
  private wordLength = 0;
  /** Links that began where no run was open yet. */
  private pendingLinks = 0;

  constructor(nodes: readonly ChildNode[], dropped: ReadonlySet<AnyNode>) {
    this.dropped = dropped;
    for (const node of nodes) this.node(node, -1, 0);
    this.endRun();
  }

  private node(node: ChildNode, parent: number, depth: number): void {
    if (isText(node)) this.text(node);
    else if (isElement(node) && !this.dropped.has(node) && !silent.has(node.name)) this.element(node, parent, depth);
  }

  private element(element: Element, parent: number, depth: number): void {
    const { name } = element;
    if (name === "br") {
      this.endWord();
      if (this.current) this.current.breaks += 1;
    } else if (name === "img" || name === "iframe") {
      if (this.current) this.current.images += 1;
    } else if (this.code === 0 && (blockNames.has(name) || isCustomBlock(element))) this.block(element, parent, depth);
    else this.inline(element, parent, depth);
  }

  private block(element: Element, parent: number, depth: number): void {
    this.endRun();
    const place = this.elements.length;
    const entry = { element, parent, depth, firstBlock: this.blocks.length, endBlock: this.blocks.length };
    this.elements.push(entry);
    const ownerBefore = this.owner;
    this.owner = place;
    const isCode = element.name === "pre";
    if (isCode) this.code += 1;
    for (const child of element.children) this.node(child, place, depth + 1);
    if (isCode) this.code -= 1;
    this.endRun();
    this.owner = ownerBefore;
    entry.endBlock = this.blocks.length;
  }

  /** Inline elements are counted, but have no entries: a page has more of them than of all others. */
  private inline(element: Element, parent: number, depth: number): void {
    const { name } = element;
    const isLink = name === "a";
    const isStrong = name === "b" || name === "strong" || name === "em" || name === "i" || name === "code";
    if (isLink) {
      this.links += 1;
      if (this.current) this.current.links += 1;
      else this.pendingLinks += 1;
    }
    if (isStrong) this.strong += 1;
    for (const child of element.children) this.node(child, parent, depth);
    if (isLink) this.links -= 1;
    if (isStrong) this.strong -= 1;
  }

  private text(node: Text): void {
    const { data } = node;
    const block = this.current;
    if (block === null && isSpace(data)) return;
    const open = block ?? this.begin();
    this.texts.push(node);
    open.textEnd = this.texts.length;
    const before = open.chars;
    this.scan(data, open);
    const added = open.chars - before;
    if (this.links > 0) open.linkChars += added;
    if (this.strong > 0) open.strongChars += added;
  }

  private begin(): Block {
    const block = emptyBlock(this.owner, this.texts.length, this.words.length, this.pendingLinks);
    this.pendingLinks = 0;
    this.current = block;
    this.blocks.push(block);
    return block;
  }

  private scan(data: string, block: Block): void {
    let { hash, wordLength } = this;
    let { chars, digits, capitals, commas, stops, marks, lastCode } = block;
    for (let at = 0; at < data.length; at += 1) {
      const code = data.charCodeAt(at);
      if (code <= 32 || code === 0xa0) {
        if (wordLength > 0) {
          this.words.push(wordNumber(hash));
          hash = emptyWord;
          wordLength = 0;
        }
        continue;
      }
      chars += 1;
      lastCode = code;
      const kind = kindOfLetter(code);
      if (kind === 0) {
        if (wordLength > 0) {
          this.words.push(wordNumber(hash));
          hash = emptyWord;
          wordLength = 0;
        }
        if (code === 44 || code === 0x3001 || code === 0xff0c) commas += 1;
        else if (code === 46 || code === 33 || code === 63 || code === 0x3002) stops += 1;
        else marks += 1;
        continue;
      }
      if (wordLength === 0) {
        if (kind === 2) capitals += 1;
        if (block.firstKind === 0) block.firstKind = kind;
      }
      if (kind === 3) digits += 1;
      else if (kind === 4) block.ideographs += 1;
      hash = addLetter(hash, code, kind);
      wordLength += 1;
    }
    this.hash = hash;
    this.wordLength = wordLength;
    block.chars = chars;
    block.digits = digits;
    block.capitals = capitals;
    block.commas = commas;
    block.stops = stops;
    block.marks = marks;
    block.lastCode = lastCode;
  }

  private endWord(): void {
    if (this.wordLength > 0) this.words.push(wordNumber(this.hash));
    this.hash = emptyWord;
    this.wordLength = 0;
  }

  private endRun(): void {
    this.pendingLinks = 0;
    if (this.current === null) return;
    this.endWord();
    this.current.wordEnd = this.words.length;
    this.current = null;
  }
}

export function wordCount({ wordFirst, wordEnd }: Block): number {
  return wordEnd - wordFirst;
}

/** One number for all words of a block together. */
export function hashOfWords({ words }: PageBlocks, { wordFirst, wordEnd }: Block): number {
  let hash = 17;
  for (let word = wordFirst; word < wordEnd; word += 1) hash = pairOf(hash, words[word] as number);
  return hash;
}

/** How many words an element holds. */
export function wordsBetween({ blocks }: PageBlocks, { firstBlock, endBlock }: BlockElement): number {
  if (endBlock <= firstBlock) return 0;
  return (blocks[endBlock - 1] as Block).wordEnd - (blocks[firstBlock] as Block).wordFirst;
}

/** A custom element is a block if its content is. */
function isCustomBlock({ name, children }: Element): boolean {
  return name.includes("-") && children.some((child) => isElement(child) && blockNames.has(child.name));
}

function isSpace(data: string): boolean {
  for (let at = 0; at < data.length; at += 1) {
    const code = data.charCodeAt(at);
    if (code > 32 && code !== 0xa0 && code !== 0x200b && code !== 0xfeff) return false;
  }
  return true;
}
