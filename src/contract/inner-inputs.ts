// Types only: what callers inside this server may ask of an operation beside its input on the wire.

/** Which of the results that were found are wanted; the others are neither read nor charged. */
export interface ResultPart {
  offset: number;
  count: number;
  keeps?: ((result: { url: string; title: string; date?: string | undefined }) => boolean) | undefined;
}

export interface ParseTerms {
  /** Kept next to the document, for whoever inside this server reads it again. */
  note?: string | undefined;
}

export interface ScrapeTerms extends ParseTerms {
  /** A page with more tokens is refused after it was read, and not charged. */
  tokenBudget?: number | undefined;
  /** robots.txt binds although the caller names the page. */
  obeysRobots?: boolean | undefined;
}
