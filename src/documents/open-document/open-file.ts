// What texts and presentations of OpenDocument share: the container, styles, facts and objects.
import { FileFault } from "../file/file-fault.ts";
import type { ParsedFile } from "../file/parsed-file.ts";
import { createPictures } from "../html/pictures.ts";
import { openZip } from "../packages/open-zip.ts";
import { findNode, parsePart, type XmlNode, xmlText } from "../packages/xml.ts";
import { OpenStyles } from "./styles.ts";
import type { OpenDocument } from "./text-body.ts";

export interface OpenFile {
  content: XmlNode;
  styles: XmlNode | undefined;
  document: OpenDocument;
  facts: Pick<ParsedFile, "title" | "author" | "createdAt" | "modifiedAt">;
}

export function openFile(bytes: Uint8Array): OpenFile {
  const zip = openZip(bytes);
  const manifest = zip.read("META-INF/manifest.xml")?.toString("latin1") ?? "";
  if (/<(?:\w+:)?encryption-data\b/.test(manifest))
    throw new FileFault("encrypted", "The file is encrypted: it needs a password");
  const part = (name: string) => {
    const data = zip.read(name);
    return data ? parsePart(data) : undefined;
  };
  const content = part("content.xml");
  if (!content) throw new FileFault("broken", "The file has no content.xml");
  const styles = part("styles.xml");
  const meta = part("meta.xml");
  const fact = (name: string) => xmlText(findNode(meta, name)).trim();
  const known = {
    title: fact("title"),
    author: fact("initial-creator") || fact("creator"),
    createdAt: fact("creation-date"),
    modifiedAt: fact("date"),
  };
  const document: OpenDocument = {
    styles: new OpenStyles(styles, content),
    pictures: createPictures(zip),
    notes: [],
    comments: [],
    object: (name) => part(`${name}/content.xml`),
  };
  const facts = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== ""));
  return { content, styles, document, facts };
}
