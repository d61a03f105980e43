// Types only: what callers inside this server may ask of an operation beside its input on the wire.

/** Which of the results that were found are wanted; the others are neither read nor charged. */
export interface ResultPart {
  offset: number;
  count: number;
  keeps?: ((result: KeptResult) => boolean) | undefined;
  /** Results whose site refuses their page stay, with the error, instead of being left out. */
  keepsBlocked?: boolean | undefined;
}

interface KeptResult {
  url: string;
  title: string;
  date?: string | undefined;
  imageUrl?: string | undefined;
}

export interface SearchTerms {
  part?: ResultPart | undefined;
  /** Services of the operator are not asked, only open sources and the local index. */
  isOpenOnly?: boolean | undefined;
}

export interface ParseTerms {
  /** Kept next to the document, for whoever inside this server reads it again. */
  note?: string | undefined;
  /** Told under which id the request is recorded, whether or not it succeeds; not told when nothing will be recorded. */
  onRecord?: ((id: string) => void) | undefined;
  /** A document with more tokens is refused after it was read, and not charged. */
  tokenBudget?: number | undefined;
}

export interface ScrapeTerms extends ParseTerms {
  /** robots.txt binds although the caller names the page. */
  obeysRobots?: boolean | undefined;
}

export interface CrawlTerms {
  /** Regular expressions for the hosts of pages, beside those for their paths. */
  hostPatterns?: { include: readonly string[]; exclude: readonly string[] } | undefined;
}
