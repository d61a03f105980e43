// What an engine brings back from a URL. A page that was refused or is broken is a value, never an exception.
import type { FetchFailureCode, ProxyUse, ResponseHeaders } from "../../net/index.ts";

/** "solver": an outside one, which brings pages that its own browser has read. */
export type EngineName = "http" | "browser" | "solver";

export interface Page {
  /** The requested URL, without credentials. */
  url: string;
  /** Where redirects led. */
  finalUrl: string;
  status: number;
  /** By lower-case name; a header that came several times is a list. */
  headers: ResponseHeaders;
  /** As in Content-Type, "" when the answer names none. */
  contentType: string;
  body: Buffer;
  /** Bytes that came over the network for it, where that is known; else those of the body are taken for it. */
  wireBytes?: number;
  engine: EngineName;
  /** Why scripts would fill it in, when none ran; absent or null when it is whole. */
  unfilled?: string | null;
  /** Which kind of proxy it came through. */
  proxy: ProxyUse;
  /** The URLs that redirected, in order. */
  redirects: string[];
  /** It is in the operator's own network, or a redirect led through it. */
  isPrivate: boolean;
  /** Headers of the caller that were not sent because they belong to the connection. */
  ignoredHeaders: string[];
}

/** REDIRECT_DECLINED: by the `mayFollow` of the request, whose maker knows why. */
export type Outcome =
  | { ok: true; page: Page }
  | { ok: false; code: FetchFailureCode | "REDIRECT_DECLINED"; message: string; isRefusal?: true };
