// What a row of the table of formats says: everything that is special about one output.
import type { ContentFormats, PageContent } from "../../content/index.ts";
import type { Document, Format, FormatName } from "../../contract/index.ts";
import type { Page, RenderedPage } from "../../engines/index.ts";
import type { MediaCollector } from "../media/media.ts";

export type FormatOf<Name extends FormatName> = Extract<Format, { type: Name }>;

/** Outputs that are made after the content was read, all of a page together. */
export interface AnswerPlan {
  json: FormatOf<"json"> | null;
  deterministic: FormatOf<"deterministicJson"> | null;
  summary: boolean;
  question: string | null;
  /** The answer must consist of the page's own sentences. */
  isQuoted: boolean;
  highlights: string | null;
  /** The longest that highlights may be; null: as long as they are. */
  highlightTokens: number | null;
  product: boolean;
  menu: boolean;
  chunks: FormatOf<"chunks"> | null;
  /** The text was only read to answer from it. */
  hidesMarkdown: boolean;
}

/** Which cached copies can serve an output: any, a finished document only, or none. */
export type UsableCopies = "any" | "documents" | "none";

export interface FormatRow<Name extends FormatName> {
  /**
   * What it is made from: the page's content, its bytes, a browser's view of it, its text and data (with a language model
   * where one is configured), its text alone, or its earlier scrapes.
   */
  source: "content" | "bytes" | "browser" | "answer" | "text" | "history";
  /** The document's field that it fills. Two formats of one field: the first one is answered. */
  field: keyof Document;
  /** What the content room makes for it. */
  content?(format: FormatOf<Name>): Partial<ContentFormats>;
  /** How it is shown, where that is more than the field of its name. */
  fromContent?(content: PageContent): Partial<Document>;
  /** Its part in the answers of the page. */
  answer?(format: FormatOf<Name>): Partial<AnswerPlan>;
  /** Whether its answer is made from the page's text: always, or only by a language model. */
  readsText?: "always" | "with a model";
  /** Makes it from the page itself. */
  fromPage?(page: Page | RenderedPage, collector: MediaCollector): Partial<Document>;
  /** The output whose price it has. Outputs with the same one are paid once. */
  paidAs?(format: FormatOf<Name>): FormatName | null;
  /** "any" unless given. */
  copies?(format: FormatOf<Name>): UsableCopies;
  /** The warning for a document in which it came back empty; null when there is something. */
  whenEmpty?(document: Partial<Document>): string | null;
}

export type FormatTable = { readonly [Name in FormatName]: FormatRow<Name> };
