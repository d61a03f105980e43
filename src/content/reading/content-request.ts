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

/** `Input`: what the page reader of another room gets. */
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
  /** An app shell whose scripts did not run: its text is looked for in their data. */
  isShell?: boolean;
  /** Return early for an empty app shell; the caller renders it. */
  refusesShell?: boolean;
  /** Also what the search index keeps of the page, whatever part of it the caller wants. */
  forSearch?: boolean;
  /** The HTML was made from a file: which positions in the file to return. */
  file?: FileRequest;
  /** The HTML comes from a browser, which has marked the hidden elements. */
  isRendered?: boolean;
  /** Given: texts of the main part that enough pages of the host have, by their numbers; they are left out. */
  repeated?: ReadonlySet<number>;
  /** Explain for each block why it is in the main content or not. */
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
  /** Prompt injections; absent: none. */
  injections?: InjectionPlace[];
  /** Whether this is the requested page. */
  verdict: PageVerdict;
  /** The name of the script data that the text was taken from. */
  textFrom?: string;
  /** An app shell whose data do not hold its text. */
  lacksText?: true;
  /** Numbers of the texts of the main part, where those that the host repeats were asked for. */
  textNumbers?: number[];
  /** Only when explained, and only where the main part was looked for. */
  verdicts?: BlockVerdict[];
  /** Sentences for the caller: the tree was cut, nothing was found … */
  warnings: string[];
  /** WHATWG name of the encoding the bytes were read with. */
  charset: string;
}

/** Bytes that are not text: a picture, an archive, a program, whatever their declared type. */
export interface UnsupportedContent {
  unsupported: true;
  /** A sentence for the caller. */
  reason: string;
}

export type ContentResult<Finding = unknown> = PageContent<Finding> | UnsupportedContent;

/** Adds prompt injections and their count. */
export function addInjections(content: PageContent, places: InjectionPlace[]): void {
  if (places.length === 0) return;
  content.injections = places;
  content.metadata.injection = places.length;
}
