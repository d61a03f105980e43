// One page of an open PDF -> what it draws.

import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist";
import { type Glyph, type PageFont, type PageLayer, turnBox, turnPoint } from "../../layout/page-layer.ts";
import { boxOf, readAnnotations, readTags } from "./annotations.ts";
import { PagePainter, type PaintedGlyph } from "./page-painter.ts";
import { type DrawnChar, type DrawnFont, readMatrix } from "./text-state.ts";

export type OperatorCodes = Record<string, number>;

interface LayerConfig {
  isVisible(group: unknown): boolean;
}

export interface PageTools {
  codes: OperatorCodes;
  /** Which optional layers are switched on. */
  layers: LayerConfig | null;
  isTagged: boolean;
}

export async function readPdfPage(document: PDFDocumentProxy, number: number, tools: PageTools): Promise<PageLayer> {
  const page = await document.getPage(number);
  try {
    return await readLayer(page, tools);
  } finally {
    page.cleanup();
  }
}

async function readLayer(page: PDFPageProxy, tools: PageTools): Promise<PageLayer> {
  const viewport = page.getViewport({ scale: 1 });
  const base = readMatrix(viewport.transform);
  // Annotations are read by their values, not by how they are drawn.
  const operators = await page.getOperatorList({ annotationMode: 0 });
  const painter = new PagePainter(base);
  const fonts = new Map<string, DrawnFont>();
  await paint(page, operators, painter, fonts, tools);
  const { links, fields } = await readAnnotations(page, base, painter.glyphs.length);
  const shown = painter.glyphs.filter(
    ({ x, y, size }) => x > -2 && y > 0 && x < viewport.width + 2 && y < viewport.height + size / 2,
  );
  const upright = turnUpright([...shown, ...fields], viewport.width, viewport.height);
  const turn = (box: PageLayer["fills"][number]) => turnBox(box, upright.quarterTurns, viewport.width, viewport.height);
  const isSideways = upright.quarterTurns % 2 === 1;
  const rules = [...painter.horizontal, ...painter.vertical].map(turn);
  return {
    width: isSideways ? viewport.height : viewport.width,
    height: isSideways ? viewport.width : viewport.height,
    glyphs: upright.glyphs,
    turned: upright.turned,
    horizontal: rules.filter((rule) => rule.x1 - rule.x0 >= rule.y1 - rule.y0),
    vertical: rules.filter((rule) => rule.x1 - rule.x0 < rule.y1 - rule.y0),
    fills: painter.fills.map(turn),
    images: painter.images.map(turn),
    fonts: painter.fontKeys.map((key) => fontOf(fonts.get(key))),
    links: links.map((link) => ({ ...link, box: turn(link.box) })),
    tags: tools.isTagged ? await readTags(page, (box) => turn(boxOf(box, base))) : null,
    unreadable: painter.unreadable,
  };
}

type Operators = Awaited<ReturnType<PDFPageProxy["getOperatorList"]>>;

async function paint(
  page: PDFPageProxy,
  operators: Operators,
  painter: PagePainter,
  fonts: Map<string, DrawnFont>,
  { codes, layers }: PageTools,
): Promise<void> {
  const setFont = async (key: string, size: number) => {
    let font = fonts.get(key);
    if (!font) {
      font = await fontObject(page, key);
      fonts.set(key, font);
    }
    painter.setFont(key, font, size);
  };
  const strokes = new Set([codes.stroke, codes.closeStroke]);
  const fills = new Set([codes.fill, codes.eoFill]);
  const both = new Set([codes.fillStroke, codes.eoFillStroke, codes.closeFillStroke, codes.closeEOFillStroke]);
  const steps: Record<number, (args: unknown[]) => void | Promise<void>> = {};
  const on = (name: string, step: (args: unknown[]) => void | Promise<void>) => {
    const code = codes[name];
    if (code !== undefined) steps[code] = step;
  };
  // A matrix that nothing was drawn with is that of an image, which the library has left out.
  let isForImage = false;
  const endImage = () => {
    if (isForImage) painter.image();
    isForImage = false;
  };
  on("save", () => painter.save());
  on("restore", () => {
    endImage();
    painter.restore();
  });
  on("transform", (args) => {
    painter.transform(readMatrix(args));
    isForImage = true;
  });
  on("paintFormXObjectBegin", ([matrix]) => {
    isForImage = false;
    painter.beginForm(matrix);
  });
  on("shadingFill", () => {
    isForImage = false;
  });
  on("paintFormXObjectEnd", () => painter.restore());
  on("beginText", () => {
    isForImage = false;
    painter.text.begin();
  });
  on("setFont", ([key, size]) => setFont(String(key), Number(size)));
  on("setGState", async ([entries]) => {
    for (const [name, value] of entries as [string, unknown][]) {
      if (name === "Font" && Array.isArray(value)) await setFont(String(value[0]), Number(value[1]));
    }
  });
  on("setCharSpacing", ([value]) => painter.text.setSpacing("char", Number(value)));
  on("setWordSpacing", ([value]) => painter.text.setSpacing("word", Number(value)));
  on("setHScale", ([value]) => painter.text.setSpacing("scale", Number(value)));
  on("setLeading", ([value]) => painter.text.setSpacing("leading", Number(value)));
  on("setTextRise", ([value]) => painter.text.setSpacing("rise", Number(value)));
  on("setTextMatrix", (args) =>
    painter.text.setMatrix(readMatrix(Array.isArray(args[0]) || ArrayBuffer.isView(args[0]) ? args[0] : args)),
  );
  on("moveText", ([x, y]) => painter.text.move(Number(x), Number(y)));
  on("setLeadingMoveText", ([x, y]) => {
    painter.text.setSpacing("leading", -Number(y));
    painter.text.move(Number(x), Number(y));
  });
  on("nextLine", () => painter.text.nextLine());
  on("showText", ([chars]) => painter.show(chars as (DrawnChar | number)[]));
  on("setFillRGBColor", ([color]) => painter.setFill(color));
  on("setFillColorN", () => painter.setFill(null));
  on("beginMarkedContent", () => painter.beginMark(-1, true));
  on("beginMarkedContentProps", ([tag, value]) => {
    const isShown = tag !== "OC" || !value || !layers || layers.isVisible(value);
    painter.beginMark(typeof value === "number" ? value : -1, isShown);
  });
  on("endMarkedContent", () => painter.endMark());
  on("constructPath", ([how, data]) => {
    const path = (data as [ArrayLike<number> | null])[0];
    if (!path) return;
    const code = how as number;
    if (strokes.has(code) || both.has(code) || fills.has(code)) isForImage = false;
    if (strokes.has(code) || both.has(code)) painter.paintPath(path, true);
    if (fills.has(code) || both.has(code)) painter.paintPath(path, false);
  });
  for (let at = 0; at < operators.fnArray.length; at += 1) {
    const step = steps[operators.fnArray[at] as number];
    if (!step) continue;
    const done = step((operators.argsArray[at] ?? []) as unknown[]);
    if (done) await done;
  }
  endImage();
}

function fontObject(page: PDFPageProxy, key: string): Promise<DrawnFont> {
  return new Promise((resolve) => {
    try {
      (page.commonObjs as { get(id: string, then: (font: DrawnFont) => void): void }).get(key, (font) =>
        resolve(font ?? {}),
      );
    } catch {
      resolve({});
    }
  });
}

function fontOf(font: DrawnFont | undefined): PageFont {
  const name = (font?.name ?? "").replace(/^[A-Z]{6}\+/, "");
  return {
    name,
    isBold:
      font?.bold === true ||
      font?.black === true ||
      /bold|black|heavy|semibold|demi(?!c)|(?:^|[-,_])bd(?:$|[^a-z])|cmbx|-medi|[-,]b$/i.test(name),
    isItalic: font?.italic === true || /ital|obli|cmti|cmmi|slanted/i.test(name),
    isMono: /mono|courier|consol|typewriter|cmtt|menlo|inconsolata|sourcecode|letter ?gothic|lucidasanstyp|fixed/i.test(
      name,
    ),
  };
}

function turnUpright(glyphs: readonly PaintedGlyph[], width: number, height: number) {
  const counts = [0, 0, 0, 0];
  for (const glyph of glyphs) counts[glyph.quarterTurns] = (counts[glyph.quarterTurns] ?? 0) + 1;
  const quarterTurns = counts.indexOf(Math.max(...counts));
  const groups: Glyph[][] = [[], [], [], []];
  for (const { quarterTurns: turns, ...glyph } of glyphs) {
    [glyph.x, glyph.y] = turnPoint(glyph.x, glyph.y, turns, width, height);
    groups[turns]?.push(glyph);
  }
  const turned = groups.flatMap((group, turns) =>
    turns !== quarterTurns && group.length > 0 ? [{ quarterTurns: (turns - quarterTurns + 4) % 4, glyphs: group }] : [],
  );
  return { quarterTurns, glyphs: groups[quarterTurns] ?? [], turned };
}
