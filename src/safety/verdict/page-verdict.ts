// Whether a page is the requested one, or a challenge, error, sign-in page or similar. A false alarm is worse than a
// miss. Such pages have little else on them, so every signature is weighed against the amount of text.
import type { Document } from "domhandler";
import type { PageParts } from "../../html/index.ts";
import { hasPageBesideDialog } from "./beside-dialogs.ts";
import { otherProse } from "./other-prose.ts";
import { isBlocked, type PageState, stateOfStatus } from "./page-state.ts";
import { emptyView, longText, type PageView, tidyWords, viewPage } from "./page-view.ts";
import { isAlone, stateByWords } from "./state-by-words.ts";
import {
  findSignature,
  type PageEvidence,
  type SentHeaders,
  type Signature,
  vendorSignatures,
} from "./vendor-signatures.ts";

export interface PageVerdict {
  state: PageState;
  /** Whose page it is, in lower case; absent when unknown. */
  vendor?: string;
}

/** What the server sent with the page. */
export interface PageResponse {
  status: number;
  headers: SentHeaders;
  /** The requested URL; redirects may have led elsewhere. */
  askedUrl: string;
}

const content: PageVerdict = { state: "content" };
/** Block pages and notices with a successful status are shorter. */
const longNotice = 2000;
/** A page with more words about something else is the page itself, whatever signs it has. */
const mostProse: Partial<Record<PageState, number>> = {
  blocked: 90,
  challenge: 90,
  parked: 120,
  rate_limited: 120,
  maintenance: 120,
  host_error: 150,
};
/** The same where the status refuses the page. */
const mostProseOfRefusal = 200;

/** Of a page whose tree has been read. `signatures`: all that are known, unless a bench wants to know what fewer would find. */
export function verdictOfPage(
  root: Document,
  parts: PageParts,
  url: string,
  response: PageResponse,
  signatures: readonly Signature[] = vendorSignatures,
): PageVerdict {
  return verdictOf(viewPage(root, parts), url, response, signatures, () => hasPageBesideDialog(root));
}

/** Of a text that is no HTML: only an error status makes it anything but content. */
export function verdictOfText(text: string, url: string, response: PageResponse): PageVerdict {
  if (response.status < 400) return content;
  return verdictOf(
    text.length > longText ? null : { ...emptyView(), text: tidyWords(text) },
    url,
    response,
    vendorSignatures,
    () => false,
  );
}

/** Of bytes that are not read. */
export function verdictOfStatus(status: number): PageVerdict {
  return { state: stateOfStatus(status) };
}

function verdictOf(
  view: PageView | null,
  url: string,
  response: PageResponse,
  signatures: readonly Signature[],
  hasPageBesideDialog: () => boolean,
): PageVerdict {
  const { status, headers } = response;
  if (view === null || (status < 400 && view.text.length > longNotice))
    return status < 400 || status === 403 ? content : verdictOfStatus(status);
  const evidence: PageEvidence = {
    view,
    seen: firstWords(view, status),
    urls: view.sources + view.targets,
    status,
    headers,
    hasPageBesideDialog,
    ...placesOf(response.askedUrl, url),
  };
  const signature = findSignature(signatures, evidence);
  if (signature && (signature.header || !isOutweighed(signature.state, evidence)))
    return { state: signature.state, vendor: signature.vendor };
  const state = stateByWords(evidence);
  return isOutweighed(state, evidence) ? content : { state };
}

/** There is too much else on the page for what its signs say. */
function isOutweighed(state: PageState, evidence: PageEvidence): boolean {
  const most = mostProse[state];
  if (most === undefined) return false;
  const { status, view } = evidence;
  if (status >= 400) return isBlocked(state) && status === 403 && otherProse(view.text) > mostProseOfRefusal;
  return otherProse(view.text) > most || (isBlocked(state) && !isAlone(evidence));
}

/** A page that went well says at once what it is; an error page may take its time. */
function firstWords({ title, text, linkText, sideText }: PageView, status: number): string {
  if (status >= 400) return `${title} ${text} ${linkText} ${sideText}`;
  return `${title} ${text.slice(0, 1000)} ${linkText.slice(0, 500)} ${sideText.slice(0, 300)}`;
}

function placesOf(askedUrl: string, finalUrl: string): Pick<PageEvidence, "host" | "askedPath" | "finalPath"> {
  const asked = placeOf(askedUrl);
  return { host: asked.host, askedPath: asked.path, finalPath: placeOf(finalUrl).path };
}

function placeOf(url: string): { host: string; path: string } {
  if (!URL.canParse(url)) return { host: "", path: "" };
  const { hostname, pathname, search } = new URL(url);
  return { host: hostname.replace(/^www\./, ""), path: `${pathname}${search}`.toLowerCase() };
}
