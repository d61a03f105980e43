// The signatures by which pages of vendors are recognized, in the order in which they are tried. They are data: a new one is a
// row in the JSON file of its kind. All parts of a signature must be present.

import { patternOf } from "../patterns/stored-pattern.ts";
import challenges from "./challenge-signatures.json" with { type: "json" };
import firewalls from "./firewall-signatures.json" with { type: "json" };
import hosts from "./host-signatures.json" with { type: "json" };
import { isBlocked, type PageState } from "./page-state.ts";
import type { PageView } from "./page-view.ts";
import parked from "./parked-signatures.json" with { type: "json" };

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
  /** The requested host, without "www.". */
  host: string;
  /** Requested path and query, and where redirects led. */
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
/** Where only words say that a visit was refused, and the status does not. */
const wordsAtMost = 900;

export function findSignature(signatures: readonly Signature[], evidence: PageEvidence): Signature | undefined {
  return signatures.find((signature) => fits(signature, evidence));
}

function fits(signature: Signature, { view, seen, urls, status, headers }: PageEvidence): boolean {
  const usually = status < 400 && isTalk(signature) ? wordsAtMost : usuallyAtMost;
  if (view.text.length > (signature.atMost ?? usually)) return false;
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

/** An article that quotes a block page has the same words. */
function isTalk({ state, text, title, header, source, code, names, whole }: Signature): boolean {
  return isBlocked(state) && text !== undefined && !(title ?? header ?? source ?? code ?? names ?? whole);
}

export function headerText(headers: SentHeaders, name: string): string {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : (value ?? "");
}

/** A row as it is stored: patterns are strings, and "refusal" is the list of statuses with which the file's vendors refuse. */
type StoredSignature = Partial<Record<keyof Signature, string | number | readonly (string | number)[]>>;

interface SignatureFile {
  refusals?: readonly number[];
  signatures: readonly StoredSignature[];
}

const patternFields = new Set(["title", "text", "whole", "source", "code", "names", "refresh"]);

export const vendorSignatures: readonly Signature[] = [challenges, firewalls, hosts, parked].flatMap(readSignatures);

function readSignatures({ refusals, signatures }: SignatureFile): Signature[] {
  return signatures.map((row) => {
    const fields = Object.entries(row).map(([name, value]) => {
      if (patternFields.has(name)) return [name, patternOf(String(value))];
      if (name === "header") return [name, [(value as string[])[0], patternOf((value as string[])[1] ?? "")]];
      return [name, value === "refusal" ? refusals : value];
    });
    return Object.fromEntries(fields) as Signature;
  });
}
