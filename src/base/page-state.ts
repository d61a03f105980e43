// What came back for a URL, in one word: the page that was asked for, or what stood in its place.

/** States that a document can have: `metadata.pageState`. */
export const documentStates = [
  "content",
  "rate_limited",
  "geo_blocked",
  "login_required",
  "consent_wall",
  "paywall",
  "parked",
  "host_error",
  "not_found",
  "maintenance",
  "empty_shell",
] as const;

export type DocumentState = (typeof documentStates)[number];

/** A refusal, or a test that a browser may pass: there is no document of these. */
export const wallKinds = ["blocked", "challenge"] as const;

export type WallKind = (typeof wallKinds)[number];

export type PageState = DocumentState | WallKind;
