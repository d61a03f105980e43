// A format that is made from more than a parsed page or its markdown: an answer, the response's bytes, a browser's view or the
// page's history. Each is a file of this folder; its name, options and price are its row in `contract/fields/formats`.
import type { ErrorCode, Lazy, Trace } from "../../base/index.ts";
import type { Document, Format, FormatName } from "../../contract/index.ts";
import type { Page, RenderedPage } from "../../engines/index.ts";
import type { Extractor, FilledByModel, ReaderInput } from "../../extraction/index.ts";
import type { OpenUse } from "../../llm/index.ts";
import type { BrowserTasks } from "../../reach/index.ts";

export type FormatOf<Name extends FormatName> = Extract<Format, { type: Name }>;

/** Which cached copies can serve an output: any, a finished document only, or none. */
export type UsableCopies = "any" | "documents" | "none";

/** Fields of the document, and what to tell the caller about them. */
export interface Made {
  outputs: Partial<Document>;
  warnings?: string[];
  /** False when the language model could not be used: a later request may get better outputs. */
  isFinal?: boolean;
}

/** The finished page that an output is made from. */
export interface MakeContext {
  url: string;
  /** With what was made from the page itself. */
  document: Document;
  /** Without the boilerplate, where that was asked for. */
  markdown: string;
  /** The part of the markdown that a language model may read. */
  text: string;
  /** Data for the schema or prompt of the format that wants it; null when finding them took too long. */
  data: FilledByModel | null;
  /** Things that the page's own data and text show, by format. */
  things: Partial<Record<string, { thing: object; leftOut: number }>>;
  /** Null where no language model may be used. */
  open: OpenUse;
  /** Nothing may leave this server. */
  isLocked: boolean;
  extraction: Lazy<Extractor>;
  trace: Trace;
}

export interface PageFormat<Name extends FormatName> {
  /** "any" unless given. */
  copies?(format: FormatOf<Name>): UsableCopies;
  /** The format whose price it has, unless its own; null: none. Outputs with the same one are paid once. */
  paidAs?(format: FormatOf<Name>): FormatName | null;

  /** Of bytes and browser formats. `put` stores a picture and gives the URL that shows it. */
  fromPage?(page: Page | RenderedPage, put: (picture: Buffer) => string): Partial<Document>;
  browserTasks?(format: FormatOf<Name>): Partial<BrowserTasks>;
  /** The error where there is no browser; BROWSER_NOT_AVAILABLE unless given. */
  withoutBrowser?: ErrorCode;

  /** Of answers: those with a lower order are made first. */
  order?: number;
  /** Of answers, and of what a language model adds to an output of the page. */
  make?(format: FormatOf<Name>, context: MakeContext): Promise<Made>;
  /** It takes one question to a model, so it may be asked beside others of its order. */
  asksOnce?: boolean;
  /** Whether it is made from the page's text: always, or only by a language model. */
  readsText?: "always" | "with a model";
  /** The data to look for on the page. */
  wants?(format: FormatOf<Name>): ReaderInput;
  /** The data are read by an extractor of the page's host, which is learned from them. */
  usesExtractor?: boolean;
}

export function readerInput({ schema, prompt }: { schema?: unknown; prompt?: string | null | undefined }): ReaderInput {
  return { schema: (schema as ReaderInput["schema"] | undefined) ?? null, prompt: prompt ?? null };
}
