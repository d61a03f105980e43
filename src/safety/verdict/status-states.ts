// What a status says when the page itself says nothing.
import type { PageState } from "./page-state.ts";

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

export function stateOfStatus(status: number): PageState {
  return status < 400 ? "content" : (states.get(status) ?? "host_error");
}
