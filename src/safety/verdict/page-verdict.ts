// Whether a page is the one that was asked for, and if not, what stands in its place. A false alarm is worse than a miss: a
// wall is nearly all there is on its page, so every sign is weighed against the text beside it.
import type { Document } from "domhandler";
import type { PageParts } from "../../html/index.ts";
import { hasPageBesideDialog } from "./beside-dialogs.ts";
import { emptyLook, longText, lookAt, type PageGlance, tidyWords } from "./page-look.ts";
import type { PageState } from "./page-state.ts";
import { findSign, type PageEvidence, type SentHeaders, type Sign } from "./sign.ts";
import { stateByWords } from "./state-by-words.ts";
import { stateOfStatus } from "./status-states.ts";
import { vendorSigns } from "./vendor-signs.ts";

export interface PageVerdict {
  state: PageState;
  /** Whose page it is, lower case; absent when nobody can tell. */
  vendor?: string;
}

/** What the server sent with the page. */
export interface PageResponse {
  status: number;
  headers: SentHeaders;
  /** The URL that was asked for; redirects may have led elsewhere. */
  askedUrl: string;
}

const content: PageVerdict = { state: "content" };
/** With a status that says that all is well, walls and notices are shorter than this. */
const longNotice = 2000;

/** Of a page whose tree has been read. `signs`: all that are known, unless a bench wants to know what fewer would find. */
export function verdictOfPage(
  root: Document,
  parts: PageParts,
  url: string,
  response: PageResponse,
  signs: readonly Sign[] = vendorSigns,
): PageVerdict {
  return verdictOf(lookAt(root, parts), url, response, signs, () => hasPageBesideDialog(root));
}

/** Of a text that is no HTML: only an error status makes it anything but content. */
export function verdictOfText(text: string, url: string, response: PageResponse): PageVerdict {
  if (response.status < 400) return content;
  return verdictOf(
    text.length > longText ? null : { ...emptyLook(), text: tidyWords(text) },
    url,
    response,
    vendorSigns,
    () => false,
  );
}

/** Of bytes that nobody reads. */
export function verdictOfStatus(status: number): PageVerdict {
  return { state: stateOfStatus(status) };
}

function verdictOf(
  look: PageGlance | null,
  url: string,
  response: PageResponse,
  signs: readonly Sign[],
  hasPageBesideDialog: () => boolean,
): PageVerdict {
  const { status, headers } = response;
  if (look === null || (status < 400 && look.text.length > longNotice))
    return status < 400 || status === 403 ? content : verdictOfStatus(status);
  const evidence: PageEvidence = {
    look,
    seen: firstWords(look, status),
    urls: look.sources + look.targets,
    status,
    headers,
    hasPageBesideDialog,
    ...placesOf(response.askedUrl, url),
  };
  const sign = findSign(signs, evidence);
  if (sign) return { state: sign.state, vendor: sign.vendor };
  return { state: stateByWords(evidence) };
}

/** A page that went well says at once what it is; an error page may take its time. */
function firstWords({ title, text, linkText, sideText }: PageGlance, status: number): string {
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
