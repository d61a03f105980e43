// What a page draws, in points from its top left corner, before it is interpreted.

/** One drawn character. `y` is its baseline; `order` is its place in the file. */
export interface Glyph {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
  font: number;
  order: number;
  /** A space is drawn after it. */
  isSpaced: boolean;
  /** Marked content that it belongs to, as the tags of the file count it; -1 without. */
  mark: number;
  /** A form value, which is not drawn on the page. */
  isField?: boolean;
  /** The formula that it represents, as MathML. */
  formula?: string;
}

export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export interface PageFont {
  name: string;
  isBold: boolean;
  isItalic: boolean;
  isMono: boolean;
}

export interface LinkArea {
  box: Box;
  url: string;
}

/** Text that runs in another direction than most of the page, turned upright by quarter turns. */
export interface TurnedText {
  quarterTurns: number;
  glyphs: Glyph[];
}

/** What the file's tags say about marked content. */
export interface TagNode {
  role: string;
  /** The text that its content represents. */
  text?: string;
  /** The formula that its content represents, as MathML. */
  formula?: string;
  /** Its position, if the file says so. */
  box?: Box;
  /** Marked content, where the node has no children. */
  mark?: number;
  children: TagNode[];
}

export interface PageLayer {
  width: number;
  height: number;
  glyphs: Glyph[];
  turned: TurnedText[];
  /** Straight rules, as boxes of almost no height or width. */
  horizontal: Box[];
  vertical: Box[];
  /** Filled areas as large as a cell or larger. */
  fills: Box[];
  /** Boxes of images. */
  images: Box[];
  fonts: PageFont[];
  links: LinkArea[];
  tags: TagNode | null;
  /** Characters for which the file gives no text. */
  unreadable: number;
}

/** Where a point of a page lies after so many quarter turns against the clock. */
export function turnPoint(x: number, y: number, quarterTurns: number, width: number, height: number): [number, number] {
  if (quarterTurns === 1) return [y, width - x];
  if (quarterTurns === 2) return [width - x, height - y];
  if (quarterTurns === 3) return [height - y, x];
  return [x, y];
}

export function turnBox(box: Box, quarterTurns: number, width: number, height: number): Box {
  const [ax, ay] = turnPoint(box.x0, box.y0, quarterTurns, width, height);
  const [bx, by] = turnPoint(box.x1, box.y1, quarterTurns, width, height);
  return { x0: Math.min(ax, bx), y0: Math.min(ay, by), x1: Math.max(ax, bx), y1: Math.max(ay, by) };
}
