// What came back instead of a page, in words for the caller.
import type { DocumentState } from "../../contract/index.ts";
import { isBlocked, type PageState } from "../../safety/index.ts";

const warnings: Record<Exclude<DocumentState, "content">, string> = {
  rate_limited: "The site answers that there were too many requests: this is its notice, not the page.",
  geo_blocked: "The site does not serve this page to the country or network of this server.",
  login_required: "The site shows this page only to those who are signed in: this is its sign-in page or notice.",
  consent_wall:
    "The site asks for consent or for an age before it shows this page: this is its question, not the page.",
  paywall: "The site shows this page only to subscribers: the text may end early.",
  parked: "The domain has no site: it is parked, for sale or expired.",
  host_error: "This is an error or default page of the site's server or hoster, not a page of the site.",
  not_found: "The site answers that this page does not exist.",
  maintenance: "The site is closed for maintenance.",
  empty_shell: "The page has no text until its scripts fill it in.",
};

export function stateWarning(state: DocumentState): string | null {
  return state === "content" ? null : warnings[state];
}

/** A document is made of a block page only where its bytes are wanted as they are. */
export function asDocumentState(state: PageState): DocumentState {
  return isBlocked(state) ? "host_error" : state;
}
