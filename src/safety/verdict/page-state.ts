// What came back for a URL, in one word.
import type { BlockKind, DocumentState } from "../../contract/index.ts";

export type PageState = DocumentState | BlockKind;

/** Whether a block page came instead of the page: a refusal or a challenge. */
export function isBlocked(state: PageState): state is BlockKind {
  return state === "blocked" || state === "challenge";
}
