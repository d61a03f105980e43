// What all parts of one Word document share while it is read.
import type { Note } from "../html/document-html.ts";
import type { OfficePackage, Relations } from "../packages/opc.ts";
import type { XmlNode } from "../packages/xml.ts";
import type { Numbering } from "./numbering.ts";
import type { Styles } from "./word-styles.ts";

export interface WordDocument {
  file: OfficePackage;
  styles: Styles;
  numbering: Numbering;
  /** Of the part that is being read. */
  relations: Relations;
  footnotes: ReadonlyMap<string, XmlNode>;
  endnotes: ReadonlyMap<string, XmlNode>;
  comments: ReadonlyMap<string, XmlNode>;
  /** Those that the text refers to, in its order. */
  notes: Note[];
  /** The source of a picture; null when it cannot be shown. */
  picture(part: string): string | null;
}
