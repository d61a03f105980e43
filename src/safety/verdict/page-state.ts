// The state of a fetched page, in one word.
import type { BlockKind, DocumentState } from "../../contract/index.ts";

export type PageState = DocumentState | BlockKind;

/** Whether a block page came instead of the page: a refusal or a challenge. */
export function isBlocked(state: PageState): state is BlockKind {
  return state === "blocked" || state === "challenge";
}

const states = new Map<number, PageState>([
  [401, "login_required"],
  [402, "paywall"],
  [403, "blocked"],
  [404, "not_found"],
  [407, "login_required"],
  [410, "not_found"],
  [429, "rate_limited"],
  [451, "geo_blocked"],
]);

/** What a status says when the page itself says nothing. */
export function stateOfStatus(status: number): PageState {
  return status < 400 ? "content" : (states.get(status) ?? "host_error");
}
