// A signature: what pages of one vendor have in common. All of its parts must be present.
import type { PageState } from "./page-state.ts";
import type { PageView } from "./page-view.ts";

/** By lower-case name; a header that came several times is a list. */
export type SentHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The page as the rules see it. */
export interface PageEvidence {
  view: PageView;
  /** What a reader sees first: title, text, links, menus. */
  seen: string;
  /** URLs on the page, each on a line. */
  urls: string;
  status: number;
  headers: SentHeaders;
  /** The host that was asked for, without "www.". */
  host: string;
  /** Path and query that were asked for, and where redirects led. */
  askedPath: string;
  finalPath: string;
  /** There is a page beside a dialog that asks for consent or an age. Computed on demand. */
  hasPageBesideDialog(): boolean;
}

export interface Signature {
  vendor: string;
  state: PageState;
  header?: readonly [name: string, value: RegExp];
  status?: readonly number[];
  title?: RegExp;
  /** In what a reader sees, lower case. */
  text?: RegExp;
  /** Like `text`, for patterns anchored at the start or end of the page's text. */
  whole?: RegExp;
  /** In URLs of scripts, frames, forms, pictures and links, lower case. */
  source?: RegExp;
  code?: RegExp;
  /** In ids (#id) and classes (.class), lower case. */
  names?: RegExp;
  refresh?: RegExp;
  /** Characters of text, menus and links aside: a page with more only mentions the signature. */
  atMost?: number;
}

const usuallyAtMost = 2500;

export function findSignature(signatures: readonly Signature[], evidence: PageEvidence): Signature | undefined {
  return signatures.find((signature) => fits(signature, evidence));
}

function fits(signature: Signature, { view, seen, urls, status, headers }: PageEvidence): boolean {
  if (view.text.length > (signature.atMost ?? usuallyAtMost)) return false;
  return (
    (!signature.status || signature.status.includes(status)) &&
    (!signature.header || signature.header[1].test(headerText(headers, signature.header[0]))) &&
    (!signature.title || signature.title.test(view.title)) &&
    (!signature.text || signature.text.test(seen)) &&
    (!signature.whole || signature.whole.test(view.text)) &&
    (!signature.source || signature.source.test(urls)) &&
    (!signature.names || signature.names.test(view.names)) &&
    (!signature.refresh || signature.refresh.test(view.refresh)) &&
    (!signature.code || signature.code.test(view.code))
  );
}

export function headerText(headers: SentHeaders, name: string): string {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : (value ?? "");
}
