// PowerPoint presentations (pptx, pptm) -> one section per slide, in the order of the show, with the speaker's notes.

import { mathMl } from "../equations/mathml.ts";
import { FileFault, type ParsedFile, type ReadFileOptions, wantedSlides } from "../file/file-reading.ts";
import {
  type Cell,
  cellContent,
  escapeHtml,
  imageHtml,
  Pictures,
  parsedFile,
  slideSection,
  speakerNotes,
  tableHtml,
} from "../html/document-html.ts";
import { Blocks, Inline, type Look } from "../html/html-blocks.ts";
import { openZip } from "../packages/containers.ts";
import { chosenAlternative, numberOf, OfficePackage, type Relations } from "../packages/opc.ts";
import {
  attributeOf,
  childOf,
  descend,
  findNode,
  findNodes,
  nodesOf,
  relationOf,
  type XmlNode,
  xmlText,
} from "../packages/xml.ts";

const monospaced = /^(?:courier|consolas|menlo|monaco|lucida console|dejavu sans mono|source code pro)/i;

/** `hasBullets`: paragraphs are items unless they say otherwise. */
function readTextBody(body: XmlNode | undefined, blocks: Blocks, relations: Relations, hasBullets = false): void {
  const counts: number[] = [];
  for (const paragraph of nodesOf(body, "p")) {
    const properties = childOf(paragraph, "pPr");
    const depth = Math.min(8, Math.max(0, numberOf(properties, "lvl") ?? 0));
    const { inline, plain, isCode } = readParagraph(paragraph, relations);
    if (inline.isEmpty) continue;
    const numbered = childOf(properties, "buAutoNum");
    const isItem =
      numbered !== undefined ||
      childOf(properties, "buChar") !== undefined ||
      childOf(properties, "buBlip") !== undefined ||
      (hasBullets &&
        childOf(properties, "buNone") === undefined &&
        attributeOf(properties ?? paragraph, "indent") !== "0");
    if (isItem) {
      counts.length = depth + 1;
      const start = numberOf(numbered, "startAt") ?? 1;
      counts[depth] = counts[depth] === undefined ? start : (counts[depth] as number) + 1;
      const number = counts[depth];
      blocks.item({ depth, isOrdered: numbered !== undefined, number, html: inline.toString() });
      continue;
    }
    counts.length = 0;
    if (isCode) blocks.code(plain);
    else blocks.paragraph(inline.toString());
  }
}

function readParagraph(paragraph: XmlNode, relations: Relations) {
  const inline = new Inline();
  let plain = "";
  let isCode = true;
  const visit = (node: XmlNode) => {
    if (node.name === "r" || node.name === "fld") {
      const look = lookOf(childOf(node, "rPr"), relations);
      const text = xmlText(childOf(node, "t"));
      inline.text(text.replace(/\v/g, "\n"), look);
      plain += text;
      if (!look.isCode && text.trim() !== "") isCode = false;
    } else if (node.name === "br") {
      inline.break();
      plain += "\n";
    } else if (node.name === "AlternateContent") nodesOf(chosenAlternative(node)).forEach(visit);
    else if (node.name === "m") {
      for (const math of findNodes(node, "oMath")) inline.html(mathMl(math, false));
      isCode = false;
    }
  };
  nodesOf(paragraph).forEach(visit);
  return { inline, plain, isCode: isCode && plain.trim() !== "" };
}

function lookOf(properties: XmlNode | undefined, relations: Relations): Look {
  if (!properties) return {};
  const isSet = (name: string) => /^(?:1|true|on)$/.test(attributeOf(properties, name) ?? "") || undefined;
  const strike = attributeOf(properties, "strike");
  const baseline = Number(attributeOf(properties, "baseline") ?? 0);
  const font = attributeOf(childOf(properties, "latin"), "typeface") ?? "";
  const relation = relations.get(relationOf(childOf(properties, "hlinkClick")) ?? "");
  return {
    href: relation?.isExternal ? relation.target : undefined,
    isBold: isSet("b"),
    isItalic: isSet("i"),
    isStruck: strike !== undefined && strike !== "noStrike" ? true : undefined,
    script: baseline > 0 ? "sup" : baseline < 0 ? "sub" : undefined,
    isCode: monospaced.test(font) || undefined,
  };
}

const maxSlides = 5000;
const maxDepth = 30;

interface Slide {
  file: OfficePackage;
  relations: Relations;
  pictures: Pictures;
  /** Whether the placeholders of its layout have marks, by their index and type. */
  layoutBullets: (shape: XmlNode) => boolean;
}

export function readPptx(bytes: Uint8Array, options: Partial<ReadFileOptions> = {}): ParsedFile {
  const file = new OfficePackage(openZip(bytes));
  const main = file.mainPart("ppt/presentation.xml");
  const presentation = childOf(file.part(main), "presentation");
  if (!presentation) throw new FileFault("broken", "The presentation has no list of slides");
  const relations = file.relationsOf(main);
  const ids = nodesOf(childOf(presentation, "sldIdLst"), "sldId").slice(0, maxSlides);
  const pictures = new Pictures(file.zip);
  const sections: string[] = [];
  const warnings: string[] = [];
  const parts = ids.flatMap((id) => relations.get(relationOf(id) ?? "")?.target ?? []);
  for (const [part, number] of wantedSlides(parts, options)) {
    try {
      sections.push(readSlide(file, part, pictures, number));
    } catch (error) {
      if (!(error instanceof FileFault) || error.kind === "limit") throw error;
      warnings.push(`Slide ${number} cannot be read`);
      sections.push("");
    }
  }
  const facts = { ...file.facts(), totalPages: ids.length, pagesRead: sections.length };
  return parsedFile(sections.join(""), facts, [...warnings, ...pictures.warnings()]);
}

function readSlide(file: OfficePackage, part: string, pictures: Pictures, number: number): string {
  const root = childOf(file.part(part), "sld");
  if (!root) return "";
  const relations = file.relationsOf(part);
  const slide: Slide = { file, relations, pictures, layoutBullets: layoutBullets(file, relations) };
  const tree = descend(root, "cSld", "spTree");
  const blocks = new Blocks();
  const shapes = shapesOf(tree);
  const title = shapes.find((shape) => /^(?:title|ctrTitle)$/.test(placeholderOf(shape)?.type ?? ""));
  const isHidden = attributeOf(root, "show") === "0";
  const name = title ? titleHtml(title, relations) : "";
  if (name !== "" || isHidden) blocks.heading(2, name + (isHidden ? `${name ? "" : `Slide ${number}`} (hidden)` : ""));
  for (const shape of shapes) if (shape !== title) readShape(shape, slide, blocks);
  return slideSection(number, blocks.toString() + speakerNotes(notesOf(file, relations)));
}

/** Groups are taken apart; alternatives decided. */
function shapesOf(tree: XmlNode | undefined, depth = 0): XmlNode[] {
  if (depth > maxDepth) return [];
  return nodesOf(tree).flatMap((node) => {
    if (node.name === "grpSp") return shapesOf(node, depth + 1);
    if (node.name === "AlternateContent") return shapesOf(chosenAlternative(node), depth + 1);
    return /^(?:sp|pic|graphicFrame|cxnSp)$/.test(node.name) ? [node] : [];
  });
}

function placeholderOf(shape: XmlNode): { type: string; index: string } | null {
  const properties = nodesOf(shape).find(({ name }) => /^nv\w+Pr$/.test(name));
  const placeholder = descend(properties, "nvPr", "ph");
  if (!placeholder) return null;
  return { type: attributeOf(placeholder, "type") ?? "obj", index: attributeOf(placeholder, "idx") ?? "" };
}

function titleHtml(shape: XmlNode, relations: Relations): string {
  const lines = nodesOf(childOf(shape, "txBody"), "p").map((paragraph) => readParagraph(paragraph, relations).inline);
  return lines.flatMap((line) => (line.isEmpty ? [] : [line.toString()])).join("<br>");
}

function readShape(shape: XmlNode, slide: Slide, blocks: Blocks): void {
  const placeholder = placeholderOf(shape);
  // Numbers, dates and feet are those of every slide.
  if (placeholder && /^(?:sldNum|dt|ftr|hdr)$/.test(placeholder.type)) return;
  if (shape.name === "graphicFrame") readFrame(shape, slide, blocks);
  else if (shape.name === "pic") readPicture(shape, slide, blocks);
  else {
    const hasBullets = placeholder !== null && slide.layoutBullets(shape);
    readTextBody(childOf(shape, "txBody"), blocks, slide.relations, hasBullets);
  }
}

function readPicture(shape: XmlNode, { relations, pictures }: Slide, blocks: Blocks): void {
  const blip = findNode(shape, "blip");
  const relation = relations.get(relationOf(blip, "embed") ?? relationOf(blip, "link") ?? "");
  const described = findNode(shape, "cNvPr");
  const alt = attributeOf(described, "descr") ?? attributeOf(described, "title") ?? "";
  const source = relation && (relation.isExternal ? relation.target : pictures.source(relation.target));
  blocks.paragraph(source ? imageHtml(source, alt) : escapeHtml(alt));
}

/** Tables, and the texts of charts and diagrams. */
function readFrame(shape: XmlNode, { file, relations }: Slide, blocks: Blocks): void {
  const data = descend(shape, "graphic", "graphicData");
  const table = childOf(data, "tbl");
  if (table) {
    blocks.raw(readTable(table, relations));
    return;
  }
  const reference = childOf(data, "chart") ?? childOf(data, "relIds");
  const relation = relations.get(relationOf(reference) ?? relationOf(reference, "dm") ?? "");
  if (!relation || relation.isExternal) return;
  const root = file.part(relation.target);
  if (reference?.name === "chart") {
    readChart(root, blocks);
    return;
  }
  for (const point of findNodes(root, "pt")) {
    const text = nodesOf(childOf(point, "t"), "p").map(xmlText).join(" ").trim();
    if (text !== "") blocks.item({ depth: 0, isOrdered: false, html: escapeHtml(text) });
  }
}

function readTable(table: XmlNode, relations: Relations): string {
  const rows = nodesOf(table, "tr").map((row) =>
    nodesOf(row, "tc").flatMap((cell): Cell[] => {
      if (attributeOf(cell, "hMerge") === "1" || attributeOf(cell, "vMerge") === "1") return [];
      const blocks = new Blocks();
      readTextBody(childOf(cell, "txBody"), blocks, relations);
      return [
        {
          html: cellContent(blocks.toString()),
          columns: numberOf(cell, "gridSpan") ?? 1,
          rows: numberOf(cell, "rowSpan") ?? 1,
        },
      ];
    }),
  );
  const hasHead = attributeOf(childOf(table, "tblPr") ?? table, "firstRow") === "1";
  return tableHtml(rows, hasHead && rows.length > 1 ? 1 : 0);
}

/** The numbers that a chart draws, as a table of its series. */
function readChart(root: XmlNode | undefined, blocks: Blocks): void {
  const title = xmlText(findNode(findNode(root, "title"), "rich")).trim();
  if (title !== "") blocks.paragraph(`<strong>${escapeHtml(title)}</strong>`);
  const series = findNodes(root, "ser").map((one) => ({
    name: findNodes(childOf(one, "tx"), "v").map(xmlText).join(" "),
    names: findNodes(childOf(one, "cat") ?? childOf(one, "xVal"), "v").map(xmlText),
    values: findNodes(childOf(one, "val") ?? childOf(one, "yVal"), "v").map(xmlText),
  }));
  const [first] = series;
  if (!first || first.values.length === 0) return;
  const cell = (text: string): Cell => ({ html: escapeHtml(text), columns: 1, rows: 1 });
  const head = [cell(""), ...series.map(({ name }) => cell(name))];
  const rows = first.values.map((_, index) => [
    cell(first.names[index] ?? String(index + 1)),
    ...series.map(({ values }) => cell(values[index] ?? "")),
  ]);
  blocks.raw(tableHtml([head, ...rows.slice(0, 1000)], 1));
}

function notesOf(file: OfficePackage, relations: Relations): string {
  const part = file.related(relations, "notesSlide");
  if (part === undefined) return "";
  const blocks = new Blocks();
  for (const shape of shapesOf(findNode(file.part(part), "spTree")))
    if (placeholderOf(shape)?.type === "body") readTextBody(childOf(shape, "txBody"), blocks, file.relationsOf(part));
  return blocks.toString();
}

/** Placeholders of the kinds "body" and "obj" have marks unless their layout or master takes them away. */
function layoutBullets(file: OfficePackage, relations: Relations): (shape: XmlNode) => boolean {
  const part = file.related(relations, "slideLayout");
  const shapes = part === undefined ? [] : shapesOf(findNode(file.partIfReadable(part), "spTree"));
  return (shape) => {
    const placeholder = placeholderOf(shape);
    if (!placeholder || !/^(?:body|obj)$/.test(placeholder.type)) return false;
    const own = descend(shape, "txBody", "lstStyle", "lvl1pPr");
    if (childOf(own, "buNone")) return false;
    const layout = shapes.find((each) => placeholderOf(each)?.index === placeholder.index);
    const style = descend(layout, "txBody", "lstStyle", "lvl1pPr");
    return childOf(style, "buNone") === undefined;
  };
}
