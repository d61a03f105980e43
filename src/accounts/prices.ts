// What work costs, in credits (API.md 6.1). Failed work is free (D3); a cached page costs what a fetched one does.

export const prices = {
  /** A scraped, crawled, batched or parsed page; for a PDF each of its pages. */
  page: 1,
  redactPii: 4,
  zeroDataRetention: 1,
  /** Instead of the page's price, for a hit; a miss is free. */
  lockdownHit: 5,
  enhancedProxy: 0,
  threatScan: 2,
  map: 1,
  /** For every ten results begun. */
  searchTen: 2,
  searchTenZeroDataRetention: 10,
  browserMinute: 2,
  /** Instead of the browser minute, once a prompt was used in the session. */
  browserMinuteWithPrompt: 7,
  /** A changed page or search result that a monitor had judged. */
  judgement: 1,
} as const;

/** Extract is counted in tokens; the usage endpoints show credits in this unit too. */
export const tokensPerCredit = 15;

/** Of tokens of a language model in an extract, on top of the pages. */
export function tokenPrice(tokens: number): number {
  return Math.ceil(tokens / tokensPerCredit);
}

/** What a team must have left before work of this kind may start. */
export const minimumCredits = { page: 1, extract: 20, agent: 20, browser: 2 } as const;
