// What a document is written from, in its order.
import type { FootNote } from "./footnotes.ts";
import type { PlacedTable } from "./html.ts";
import type { Paragraph } from "./paragraph.ts";

/** What a language model wrote of a page. */
export interface ToldPage {
  kind: "told";
  page: number;
  blocks: readonly string[];
}

export type DocumentPiece = Paragraph | PlacedTable | ToldPage;

export type Notes = ReadonlyMap<DocumentPiece, FootNote>;
