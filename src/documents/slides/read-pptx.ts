// PowerPoint presentations (pptx, pptm) -> one section a slide, in the order of the show, with the speaker's notes.
import { FileFault } from "../file/file-fault.ts";
import type { ParsedFile } from "../file/parsed-file.ts";
import { type ReadFileOptions, wantedSlides } from "../file/read-options.ts";
import { parsedFile } from "../html/document-html.ts";
import { escapeHtml } from "../html/escape-html.ts";
import { Blocks } from "../html/html-blocks.ts";
import { createPictures, type Pictures } from "../html/pictures.ts";
import { type Cell, tableHtml } from "../html/table-html.ts";
import { chosenAlternative, numberOf, OfficePackage, type Relations } from "../packages/opc.ts";
import { openZip } from "../packages/open-zip.ts";
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
import { readParagraph, readTextBody } from "./slide-text.ts";

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
  const pictures = createPictures(file.zip);
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
  const shapes = tree ? shapesOf(tree) : [];
  const title = shapes.find((shape) => /^(?:title|ctrTitle)$/.test(placeholderOf(shape)?.type ?? ""));
  const isHidden = attributeOf(root, "show") === "0";
  const name = title ? titleHtml(title, relations) : "";
  if (name !== "" || isHidden) blocks.heading(2, name + (isHidden ? `${name ? "" : `Slide ${number}`} (hidden)` : ""));
  for (const shape of shapes) if (shape !== title) readShape(shape, slide, blocks);
  const notes = notesOf(file, relations);
  if (notes !== "") blocks.raw(`<blockquote><p>Notes:</p>${notes}</blockquote>`);
  return `<section data-page="${number}">${blocks.toString()}</section>`;
}

/** Groups are taken apart; alternatives decided. */
function shapesOf(tree: XmlNode, depth = 0): XmlNode[] {
  if (depth > maxDepth) return [];
  return nodesOf(tree).flatMap((node) => {
    if (node.name === "grpSp") return shapesOf(node, depth + 1);
    if (node.name === "AlternateContent") {
      const chosen = chosenAlternative(node);
      return chosen ? shapesOf(chosen, depth + 1) : [];
    }
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
  if (shape.name === "graphicFrame") {
    readFrame(shape, slide, blocks);
    return;
  }
  if (shape.name === "pic") {
    readPicture(shape, slide, blocks);
    return;
  }
  const body = childOf(shape, "txBody");
  if (!body) return;
  const hasBullets = placeholder !== null && slide.layoutBullets(shape);
  readTextBody(body, blocks, slide.relations, { hasBullets });
}

function readPicture(shape: XmlNode, { relations, pictures }: Slide, blocks: Blocks): void {
  const blip = findNode(shape, "blip");
  const relation = relations.get((blip && (relationOf(blip, "embed") ?? relationOf(blip, "link"))) ?? "");
  const described = findNode(shape, "cNvPr");
  const alt = (described && (attributeOf(described, "descr") ?? attributeOf(described, "title"))) ?? "";
  const source = relation && (relation.isExternal ? relation.target : pictures.source(relation.target));
  if (source) blocks.raw(`<p><img alt="${escapeHtml(alt)}" src="${escapeHtml(source)}"></p>`);
  else if (alt !== "") blocks.paragraph(escapeHtml(alt));
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
  const id = reference && (relationOf(reference) ?? relationOf(reference, "dm"));
  const relation = relations.get(id ?? "");
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
      const body = childOf(cell, "txBody");
      if (body) readTextBody(body, blocks, relations, { hasBullets: false });
      const html = blocks.toString().replace(/^<p>((?:(?!<\/?p>)[\s\S])*)<\/p>$/, "$1");
      return [{ html, columns: numberOf(cell, "gridSpan") ?? 1, rows: numberOf(cell, "rowSpan") ?? 1 }];
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
  const tree = part === undefined ? undefined : findNode(file.part(part), "spTree");
  if (!tree || part === undefined) return "";
  const blocks = new Blocks();
  for (const shape of shapesOf(tree)) {
    const body = childOf(shape, "txBody");
    if (body && placeholderOf(shape)?.type === "body")
      readTextBody(body, blocks, file.relationsOf(part), { hasBullets: false });
  }
  return blocks.toString();
}

/** Placeholders of the kinds "body" and "obj" have marks unless their layout or master takes them away. */
function layoutBullets(file: OfficePackage, relations: Relations): (shape: XmlNode) => boolean {
  const part = file.related(relations, "slideLayout");
  const tree = part === undefined ? undefined : findNode(readAnyway(file, part), "spTree");
  const shapes = tree ? shapesOf(tree) : [];
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

function readAnyway(file: OfficePackage, part: string): XmlNode | undefined {
  try {
    return file.part(part);
  } catch {
    // A layout only says how things look.
    return undefined;
  }
}
