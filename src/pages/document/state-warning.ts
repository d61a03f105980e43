// What came back instead of a page, in words for the caller.
import type { DocumentState } from "../../contract/index.ts";
import { isBlocked, type PageState } from "../../safety/index.ts";

const warnings: Record<Exclude<DocumentState, "content">, string> = {
  rate_limited: "The site reports too many requests, so this is its notice and not the page. Try again later.",
  geo_blocked: "The site does not serve this page in the country or network of this server.",
  login_required: "This page requires signing in, so this is the site's sign-in page or notice.",
  consent_wall: "The site asks for consent or an age check first, so this is its prompt and not the page.",
  paywall: "This page is for subscribers only, so its text may be cut short.",
  parked: "This domain is parked, for sale or expired, so it has no site.",
  host_error: "This is an error page or default page of the web server or hosting provider, not a page of the site.",
  not_found: "The site reports that this page does not exist.",
  maintenance: "The site is closed for maintenance.",
  empty_shell: "The text of this page appears only after its scripts have run.",
};

export function stateWarning(state: DocumentState): string | null {
  return state === "content" ? null : warnings[state];
}

/** A document is made of a block page only where its bytes are wanted as they are. */
export function asDocumentState(state: PageState): DocumentState {
  return isBlocked(state) ? "host_error" : state;
}
