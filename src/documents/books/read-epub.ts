// E-books (epub) -> one HTML document, its chapters in the order of the spine.

import { decodeEscapes } from "../../base/index.ts";
import { FileFault, type ParsedFile } from "../file/file-reading.ts";
import { escapeHtml, Pictures, parsedFile } from "../html/document-html.ts";
import { openZip } from "../packages/containers.ts";
import { resolvePart } from "../packages/opc.ts";
import {
  attributeOf,
  childOf,
  decodeXml,
  findNode,
  findNodes,
  nodesOf,
  parsePart,
  type XmlNode,
  xmlText,
} from "../packages/xml.ts";

const maxChapters = 2000;

export function readEpub(bytes: Uint8Array): ParsedFile {
  const zip = openZip(bytes);
  const container = zip.read("META-INF/container.xml");
  const named = container ? findNode(parsePart(container), "rootfile") : undefined;
  const path = attributeOf(named, "full-path") ?? zip.names.find((name) => name.endsWith(".opf"));
  const source = path === undefined ? null : zip.read(path);
  if (!source || path === undefined) throw new FileFault("broken", "The book has no package file");
  if (
    zip.has("META-INF/encryption.xml") &&
    /Algorithm="[^"]*(?:aes|xmlenc#)/i.test(zip.read("META-INF/encryption.xml")?.toString("latin1") ?? "")
  )
    throw new FileFault("encrypted", "The book is encrypted");
  const book = parsePart(source);
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const chapters = spineOf(book, folder);
  const pictures = new Pictures(zip);
  const places = new Map(chapters.map((name, index) => [name, index]));
  const warnings: string[] = [];
  const sections = chapters.slice(0, maxChapters).flatMap((name, index) => {
    const chapter = zip.read(name);
    if (!chapter) {
      warnings.push(`A chapter of the book is missing: ${name}`);
      return [];
    }
    return [`<section id="c${index}">${chapterBody(decodeXml(chapter), name, index, places, pictures)}</section>`];
  });
  if (sections.length === 0) throw new FileFault("broken", "The book has no chapters");
  return parsedFile(sections.join(""), factsOf(book), [...warnings.slice(0, 5), ...pictures.warnings()]);
}

function spineOf(book: XmlNode, folder: string): string[] {
  const items = new Map(findNodes(findNode(book, "manifest"), "item").map((item) => [attributeOf(item, "id"), item]));
  return nodesOf(findNode(book, "spine"), "itemref").flatMap((reference) => {
    const item = items.get(attributeOf(reference, "idref"));
    const href = attributeOf(item, "href");
    // The list of contents repeats the headings.
    const isContents = /\bnav\b/.test(attributeOf(item, "properties") ?? "");
    return href && !isContents ? [resolvePart(folder, decodeEscapes(href))] : [];
  });
}

function factsOf(book: XmlNode) {
  const metadata = findNode(book, "metadata");
  const fact = (name: string) => xmlText(childOf(metadata, name)).trim();
  const modified = nodesOf(metadata, "meta").find((meta) => attributeOf(meta, "property") === "dcterms:modified");
  return {
    title: fact("title"),
    author: fact("creator"),
    createdAt: fact("date"),
    modifiedAt: xmlText(modified).trim(),
  };
}

/** The body's content, with links and pictures that hold inside the one document. */
function chapterBody(
  html: string,
  name: string,
  index: number,
  places: ReadonlyMap<string, number>,
  pictures: Pictures,
): string {
  const open = /<body[^>]*>/i.exec(html);
  const close = html.search(/<\/body\s*>/i);
  const body = open ? html.slice(open.index + open[0].length, close === -1 ? undefined : close) : html;
  const folder = name.slice(0, name.lastIndexOf("/") + 1);
  return body
    .replace(
      /(<[a-z][^<>]*?\s(?:id|name)\s*=\s*)(["'])([^"'<>]*)\2/gi,
      (_all, before, quote, id) => `${before}${quote}c${index}-${id}${quote}`,
    )
    .replace(/(<[a-z][^<>]*?\s(?:xlink:)?(href|src)\s*=\s*)(["'])([^"'<>]*)\3/gi, (all, before, kind, quote, url) => {
      if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return all;
      const [path = "", place] = url.split("#", 2);
      const target = path === "" ? name : resolvePart(folder, decodeEscapes(path));
      if (kind.toLowerCase() === "src") return `${before}${quote}${pictures.source(target) ?? ""}${quote}`;
      const chapter = places.get(target);
      const link = chapter === undefined ? "" : `#c${chapter}${place ? `-${place}` : ""}`;
      return `${before}${quote}${escapeHtml(link)}${quote}`;
    });
}
