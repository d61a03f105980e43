// A format that is made from a parsed page alone, where its tree is: no network, clock, setting or language model. Each is a file
// of this folder; its name, options and price are its row in `contract/fields/formats`.
import type { AnyNode, ChildNode, Document } from "domhandler";
import type { PageParts } from "../../html/index.ts";
import type { PageUrls } from "../links/page-urls.ts";

/** A parsed HTML page, with everything that it hides. */
export interface HtmlPage {
  root: Document;
  text: string;
  parts: PageParts;
  urls: PageUrls;
  /** What visitors do not see of it. */
  hidden: ReadonlySet<AnyNode>;
}

/** The whole page as visitors see it, whatever part of it is selected. */
export interface ShownPage {
  nodes: readonly ChildNode[];
  dropped: ReadonlySet<AnyNode>;
  urls: PageUrls;
}

/** A text that is not HTML. */
export interface PlainText {
  text: string;
  links: string[];
}

/** Adds a sentence to the warnings of the page. */
export type Warn = (sentence: string) => void;

/** `Fields`: those of the document that it fills. `Options`: those of its row; `true` for a row without any. */
export interface ContentFormat<Fields extends object = object, Options = true> {
  fromTree?(page: HtmlPage, options: Options, warn: Warn): Fields;
  /** Instead of `fromTree`. */
  fromSelection?(page: ShownPage, options: Options, warn: Warn): Fields;
  fromText(text: PlainText, options: Options): Fields;
  /** The warning for a page that has nothing of it, so that no success hides it. */
  whenEmpty?(fields: Fields): string | null;
}
