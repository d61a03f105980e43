// A request for a page's content, and its result.
import type { InjectionPlace, PageResponse, PageVerdict } from "../../safety/index.ts";
import type { Outlinks } from "../links/outlinks.ts";
import type { BlockVerdict } from "../main/block-verdicts.ts";
import type { PageMetadata } from "../metadata/metadata.ts";
import type { FileParts, FileRequest } from "../outputs/file-parts.ts";
import type { AskedFormats, MadeOutputs } from "../outputs/make-outputs.ts";
import type { SearchText } from "../outputs/search-text.ts";

export interface ContentFormats extends AskedFormats {
  markdown: boolean;
  html: boolean;
  /** Where the page leads, with the words of its links: for finding further pages, never shown to callers as it is. */
  outlinks: boolean;
}

/** `Input`: what the page reader of another room is asked for. */
export interface ContentRequest<Input = never> {
  bytes: Uint8Array;
  /** The header as received, with its parameters. */
  contentType: string | null;
  /** The final URL of the page, which relative URLs are resolved against. */
  url: string;
  /** What came with the bytes; absent for bytes that no server sent. */
  response?: PageResponse;
  formats: ContentFormats;
  onlyMainContent: boolean;
  includeTags: string[];
  excludeTags: string[];
  removeBase64Images: boolean;
  /** Given: the page reader runs, and `found` is its answer. */
  readerInput?: Input;
  /** Scripts would fill the page in, and none ran: its text is looked for in the data that they hold. */
  isShell?: boolean;
  /** Nothing is made of a shell whose data do not hold its text: a browser will be asked. */
  refusesShell?: boolean;
  /** Also what the search index keeps of the page, whatever part of it the caller wants. */
  forSearch?: boolean;
  /** The HTML was made from a file by one of our readers: what of its places in the file is asked for. */
  file?: FileRequest;
  /** The HTML is the tree of a browser's page, in which it has noted what is not seen. */
  isRendered?: boolean;
  /** True: the answer says of each block why it is in the main part or not. */
  explain?: boolean;
}

/** `Finding`: what the page reader answers. */
export interface PageContent<Finding = unknown> extends MadeOutputs, FileParts {
  markdown?: string;
  html?: string;
  outlinks?: Outlinks;
  /** What the page reader found. */
  found?: Finding;
  searchText?: SearchText;
  metadata: PageMetadata;
  /** Where the page talks to the language model that reads it; absent: nowhere. */
  injections?: InjectionPlace[];
  /** Whether this is the page that was asked for. */
  verdict: PageVerdict;
  /** The data of its scripts that the text was taken from, as the page calls them. */
  textFrom?: string;
  /** Scripts would fill it in, and its data do not hold its text. */
  lacksText?: true;
  /** Only when explained, and only where the main part was looked for. */
  verdicts?: BlockVerdict[];
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

export type ContentResult<Finding = unknown> = PageContent<Finding> | UnsupportedContent;

/** Notes where a page talks to a model, and how often. */
export function addInjections(content: PageContent, places: InjectionPlace[]): void {
  if (places.length === 0) return;
  content.injections = places;
  content.metadata.injection = places.length;
}
