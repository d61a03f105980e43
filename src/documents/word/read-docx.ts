// Word documents (docx, docm) -> HTML. Tracked changes are accepted; macros are never looked at.
import { FileFault } from "../file/file-fault.ts";
import type { ParsedFile } from "../file/parsed-file.ts";
import { commentsSection, notesSection, parsedFile } from "../html/document-html.ts";
import { createPictures } from "../html/pictures.ts";
import { OfficePackage } from "../packages/opc.ts";
import { openZip } from "../packages/open-zip.ts";
import { attributeOf, childOf, findNode, nodesOf, type XmlNode } from "../packages/xml.ts";
import { WordBody } from "./body.ts";
import { Numbering } from "./numbering.ts";
import type { WordDocument } from "./word-document.ts";
import { Styles } from "./word-styles.ts";

const maxNotes = 10_000;

export function readDocx(bytes: Uint8Array): ParsedFile {
  const file = new OfficePackage(openZip(bytes));
  const main = file.mainPart("word/document.xml");
  const body = findNode(file.part(main), "body");
  if (!body) throw new FileFault("broken", "The document has no body");
  const relations = file.relationsOf(main);
  const related = (type: string) => {
    const part = file.related(relations, type);
    return part === undefined ? undefined : readAnyway(() => file.part(part));
  };
  const pictures = createPictures(file.zip);
  const document: WordDocument = {
    file,
    styles: new Styles(related("styles")),
    numbering: new Numbering(related("numbering")),
    relations,
    footnotes: byId(related("footnotes"), "footnotes", "footnote"),
    endnotes: byId(related("endnotes"), "endnotes", "endnote"),
    comments: byId(related("comments"), "comments", "comment"),
    notes: [],
    picture: pictures.source,
  };
  const reader = new WordBody(document);
  const text = reader.read(body).toString();
  const notes = readNotes(document, file, relations);
  const comments = [...document.comments.values()].map((comment) => ({
    author: attributeOf(comment, "author") ?? "",
    html: reader.read(comment).toString(),
  }));
  const edges = readEdges(document, file);
  const html = `${edges.head}${text}${notesSection(notes)}${commentsSection(comments)}${edges.foot}`;
  return parsedFile(html, file.facts(), pictures.warnings());
}

function readAnyway(read: () => XmlNode | undefined): XmlNode | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof FileFault && error.kind === "limit") throw error;
    return undefined;
  }
}

function byId(root: XmlNode | undefined, list: string, name: string): Map<string, XmlNode> {
  const found = new Map<string, XmlNode>();
  for (const node of nodesOf(childOf(root, list), name)) {
    const type = attributeOf(node, "type");
    if (type === undefined || type === "normal") found.set(attributeOf(node, "id") ?? "", node);
  }
  return found;
}

/** A note may refer to further notes, so the list grows while it is read. */
function readNotes(document: WordDocument, file: OfficePackage, relations: WordDocument["relations"]) {
  const { notes } = document;
  for (let index = 0; index < Math.min(notes.length, maxNotes); index += 1) {
    const note = notes[index] as (typeof notes)[number];
    const isFoot = note.id.startsWith("f");
    const source = (isFoot ? document.footnotes : document.endnotes).get(note.id.slice(1));
    const part = file.related(relations, isFoot ? "footnotes" : "endnotes");
    const own = part === undefined ? document : { ...document, relations: file.relationsOf(part) };
    note.html = source ? new WordBody(own).read(source).toString() : "";
  }
  return notes;
}

/** Running heads and feet: each text once, beside the main content. */
function readEdges(document: WordDocument, file: OfficePackage): { head: string; foot: string } {
  const read = (type: string, tag: string) => {
    const texts = new Set<string>();
    for (const relation of document.relations.values()) {
      if (relation.type !== type || relation.isExternal || texts.size > 20) continue;
      const root = readAnyway(() => file.part(relation.target));
      const edge = root && (childOf(root, "hdr") ?? childOf(root, "ftr"));
      if (!edge) continue;
      const own = { ...document, relations: file.relationsOf(relation.target) };
      const html = new WordBody(own).read(edge).toString();
      if (html !== "") texts.add(html);
    }
    return texts.size > 0 ? `<${tag}>${[...texts].join("")}</${tag}>` : "";
  };
  return { head: read("header", "header"), foot: read("footer", "footer") };
}
