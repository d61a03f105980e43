// OpenDocument presentations (odp) -> one section a slide, with the speaker's notes.

import { type ParsedFile, type ReadFileOptions, wantedSlides } from "../file/file-reading.ts";
import { commentsSection, parsedFile, slideSection, speakerNotes } from "../html/document-html.ts";
import { Blocks } from "../html/html-blocks.ts";
import { attributeOf, childOf, isNode, nodesOf, type XmlNode } from "../packages/xml.ts";
import { openFile } from "./open-file.ts";
import { TextBody } from "./read-odt.ts";

const maxSlides = 5000;

export function readOdp(bytes: Uint8Array, options: Partial<ReadFileOptions> = {}): ParsedFile {
  const { body, document, facts } = openFile(bytes, "presentation");
  const reader = new TextBody(document);
  const slides = nodesOf(body, "page").slice(0, maxSlides);
  const sections = wantedSlides(slides, options).map(([slide, number]) =>
    slideSection(number, readSlide(slide, reader)),
  );
  const all = { ...facts, totalPages: slides.length, pagesRead: sections.length };
  return parsedFile(sections.join("") + commentsSection(document.comments), all, document.pictures.warnings());
}

function readSlide(slide: XmlNode, reader: TextBody): string {
  const blocks = new Blocks();
  for (const shape of nodesOf(slide)) readShape(shape, reader, blocks);
  const notes = childOf(slide, "notes");
  const frames = nodesOf(notes, "frame").filter((frame) => attributeOf(frame, "class") === "notes");
  const said = frames.map((frame) => reader.read(childOf(frame, "text-box") ?? frame).toString()).join("");
  return blocks.toString() + speakerNotes(said);
}

function readShape(shape: XmlNode, reader: TextBody, blocks: Blocks): void {
  const kind = attributeOf(shape, "class");
  if (shape.name === "notes" || /^(?:page-number|date-time|footer|header)$/.test(kind ?? "")) return;
  if (shape.name === "g") {
    for (const child of nodesOf(shape)) readShape(child, reader, blocks);
    return;
  }
  if (kind === "title") {
    const box = childOf(shape, "text-box");
    const lines = nodesOf(box).filter(({ name }) => name === "p" || name === "h");
    const html = lines.map((line) => reader.content(line, {}, new Blocks()).inline.toString()).filter(Boolean);
    blocks.heading(2, html.join("<br>"));
    return;
  }
  reader.read(
    { name: "", attributes: {}, children: shape.name === "frame" ? [shape] : shape.children.filter(isNode) },
    blocks,
  );
}
