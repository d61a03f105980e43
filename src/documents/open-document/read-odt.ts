// OpenDocument texts (odt) -> HTML. Tracked changes are accepted.
import { FileFault } from "../file/file-fault.ts";
import type { ParsedFile } from "../file/parsed-file.ts";
import { commentsSection, notesSection, parsedFile } from "../html/document-html.ts";
import { findNode } from "../packages/xml.ts";
import { openFile } from "./open-file.ts";
import { TextBody } from "./text-body.ts";

export function readOdt(bytes: Uint8Array): ParsedFile {
  const { content, document, facts } = openFile(bytes);
  const text = findNode(findNode(content, "body"), "text");
  if (!text) throw new FileFault("broken", "The file has no text");
  const html = new TextBody(document).read(text).toString();
  const body = html + notesSection(document.notes) + commentsSection(document.comments);
  return parsedFile(body, facts, document.pictures.warnings());
}
