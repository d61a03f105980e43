// What a document is written from, in its order.

import type { PlacedTable } from "./layout-html.ts";
import type { FootNote } from "./page-footnotes.ts";
import type { Paragraph } from "./paragraph.ts";

/** What a language model wrote of a page. */
export interface ToldPage {
  kind: "told";
  page: number;
  blocks: readonly string[];
}

export type DocumentPiece = Paragraph | PlacedTable | ToldPage;

export type Notes = ReadonlyMap<DocumentPiece, FootNote>;
