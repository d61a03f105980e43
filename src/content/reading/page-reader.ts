// How another room reads its own data from a page while the parsed tree is in memory.
import type { Document } from "domhandler";
import type { PageParts } from "../../html/index.ts";
import type { ContentKind } from "../bytes/kind.ts";
import type { PageUrls } from "../links/page-urls.ts";

/** What such a reader sees of a page: the one tree, and what was found while walking it. */
export interface PageSource {
  root: Document;
  parts: PageParts;
  urls: PageUrls;
  url: string;
  kind: ContentKind;
  /** The page's source. */
  text: string;
}

/** Must not change the tree. */
export type ReadPage<Input, Finding> = (source: PageSource, input: Input) => Finding;

/** What the reader's module exports. */
export interface PageReaderModule<Input, Finding> {
  readPage: ReadPage<Input, Finding>;
}

/** Names the reader's module: a thread cannot be handed a function, so it loads the module itself. */
export interface PageReader<Input, Finding> {
  /** URL of the compiled module. */
  url: string;
  /** Never set: it ties the URL to the types of what the module exports. */
  module?: PageReaderModule<Input, Finding>;
}

/** `PageReaderOf<typeof import("./reader.ts")>`: the reader in a module, with the module's own types. */
export type PageReaderOf<Module extends PageReaderModule<never, unknown>> = PageReader<
  Parameters<Module["readPage"]>[1],
  ReturnType<Module["readPage"]>
>;
