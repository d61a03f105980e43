// Bytes of one page -> the outputs that were asked for. Pure: one parsed tree, no network, clock, disk or setting.
import type { PageMetadata } from "./metadata.ts";

export interface AttributeQuery {
  selector: string;
  attribute: string;
}

export interface AttributeValues extends AttributeQuery {
  values: string[];
}

export interface ContentFormats {
  markdown: boolean;
  html: boolean;
  rawHtml: boolean;
  links: boolean;
  images: boolean;
  /** Empty: the output `attributes` is absent. */
  attributes: AttributeQuery[];
}

export interface ContentRequest {
  bytes: Uint8Array;
  /** The header as it came, with its parameters. */
  contentType: string | null;
  /** Where the page was found in the end; relative addresses start here. */
  url: string;
  formats: ContentFormats;
  onlyMainContent: boolean;
  includeTags: string[];
  excludeTags: string[];
  removeBase64Images: boolean;
}

export interface PageContent {
  markdown?: string;
  html?: string;
  rawHtml?: string;
  links?: string[];
  images?: string[];
  attributes?: AttributeValues[];
  metadata: PageMetadata;
  /** Sentences for the caller: the tree was cut, nothing was found … */
  warnings: string[];
  /** WHATWG name of the encoding the bytes were read with. */
  charset: string;
}

/** Bytes that are no text: a picture, an archive, a program, whatever they were declared as. */
export interface UnsupportedContent {
  unsupported: true;
  /** A sentence for the caller. */
  reason: string;
}

export type ContentResult = PageContent | UnsupportedContent;

/** Reads one page. Never throws for what a page contains. */
export function readContent(_request: ContentRequest): ContentResult {
  throw new Error("not built yet");
}
