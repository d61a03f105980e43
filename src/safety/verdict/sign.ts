// A row of the tables of signs: by what a page of one vendor is known.

import type { PageGlance } from "./page-look.ts";
import type { PageState } from "./page-state.ts";

/** By lower-case name; a header that came several times is a list. */
export type SentHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The page as the rules see it. */
export interface PageEvidence {
  look: PageGlance;
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
  /** Something asks for consent or an age, and the page stands beside it. Looked up when asked. */
  hasPageBesideDialog(): boolean;
}

/** Everything that a row names must be there. */
export interface Sign {
  vendor: string;
  state: PageState;
  header?: readonly [name: string, value: RegExp];
  status?: readonly number[];
  title?: RegExp;
  /** In what a reader sees, lower case. */
  text?: RegExp;
  /** Like `text`, for rows that say what stands at the start or end of the text itself. */
  whole?: RegExp;
  /** In URLs of scripts, frames, forms, pictures and links, lower case. */
  source?: RegExp;
  code?: RegExp;
  /** In ids (#id) and classes (.class), lower case. */
  names?: RegExp;
  refresh?: RegExp;
  /** Letters of text beside menus and links: more, and the sign only stands on the page. */
  atMost?: number;
}

const usuallyAtMost = 2500;

export function findSign(signs: readonly Sign[], evidence: PageEvidence): Sign | undefined {
  return signs.find((sign) => fits(sign, evidence));
}

function fits(sign: Sign, { look, seen, urls, status, headers }: PageEvidence): boolean {
  if (look.text.length > (sign.atMost ?? usuallyAtMost)) return false;
  return (
    (!sign.status || sign.status.includes(status)) &&
    (!sign.header || sign.header[1].test(headerText(headers, sign.header[0]))) &&
    (!sign.title || sign.title.test(look.title)) &&
    (!sign.text || sign.text.test(seen)) &&
    (!sign.whole || sign.whole.test(look.text)) &&
    (!sign.source || sign.source.test(urls)) &&
    (!sign.names || sign.names.test(look.names)) &&
    (!sign.refresh || sign.refresh.test(look.refresh)) &&
    (!sign.code || sign.code.test(look.code))
  );
}

export function headerText(headers: SentHeaders, name: string): string {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : (value ?? "");
}
