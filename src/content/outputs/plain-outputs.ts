// Outputs that are made from the parsed page alone, whatever part of it is selected: one row each.

import type { AnyNode, Document } from "domhandler";
import type { PageParts } from "../../html/index.ts";
import { readImages, readLinks } from "../links/links.ts";
import type { PageUrls } from "../links/page-urls.ts";
import { type PageMedia, readMedia } from "./media.ts";

/** A parsed HTML page. */
interface HtmlPage {
  root: Document;
  text: string;
  parts: PageParts;
  urls: PageUrls;
  /** Elements that no visitor sees. */
  hidden: ReadonlySet<AnyNode>;
}

/** A text that is not HTML. */
interface PlainText {
  text: string;
  links: string[];
}

interface PlainOutput<Value> {
  ofHtml(page: HtmlPage): Value;
  ofText(text: PlainText): Value;
}

const plainOutputs = {
  rawHtml: { ofHtml: ({ text }) => text, ofText: ({ text }) => text } satisfies PlainOutput<string>,
  links: {
    ofHtml: ({ parts, urls }) => readLinks(parts, urls),
    ofText: ({ links }) => links,
  } satisfies PlainOutput<string[]>,
  images: {
    ofHtml: ({ parts, urls }) => readImages(parts, urls),
    ofText: (): string[] => [],
  } satisfies PlainOutput<string[]>,
  audio: {
    ofHtml: (page) => readMedia("audio", page),
    ofText: (): PageMedia[] => [],
  } satisfies PlainOutput<PageMedia[]>,
  video: {
    ofHtml: (page) => readMedia("video", page),
    ofText: (): PageMedia[] => [],
  } satisfies PlainOutput<PageMedia[]>,
};

type Table = typeof plainOutputs;
type Name = keyof Table;

/** True for each that is asked for. */
export type PlainFormats = { [Output in Name]?: boolean };

export type PlainValues = { [Output in Name]?: ReturnType<Table[Output]["ofHtml"]> };

const rows = Object.entries(plainOutputs) as [Name, PlainOutput<unknown>][];

export function plainOutputsOfHtml(formats: PlainFormats, page: HtmlPage): PlainValues {
  return Object.fromEntries(rows.flatMap(([name, { ofHtml }]) => (formats[name] ? [[name, ofHtml(page)]] : [])));
}

export function plainOutputsOfText(formats: PlainFormats, text: PlainText): PlainValues {
  return Object.fromEntries(rows.flatMap(([name, { ofText }]) => (formats[name] ? [[name, ofText(text)]] : [])));
}
