// What work costs, in credits, besides formats. Failed work is free; a cached page costs as much as a fetched one.

export const prices = {
  /** A scraped, crawled, batched or parsed page; for a PDF each of its pages. */
  page: 1,
  redactPii: 4,
  /** A model looked for prompt injections; rules are free. */
  injectionJudgement: 4,
  zeroDataRetention: 1,
  /** Instead of the page's price, for a hit; a miss is free. */
  lockdownHit: 5,
  map: 1,
  /** For every ten results, the last ten rounded up. */
  searchTen: 2,
  searchTenZeroDataRetention: 10,
  browserMinute: 2,
  /** Instead of browserMinute, once a prompt was used in the session. */
  browserMinuteWithPrompt: 7,
  /** A changed page or search result that a monitor evaluated. */
  judgement: 1,
} as const;

/** Extract is measured in tokens; the usage endpoints report credits in this unit, too. */
export const tokensPerCredit = 15;

/** Price of language model tokens in an extract, on top of the pages. */
export function tokenPrice(tokens: number): number {
  return Math.ceil(tokens / tokensPerCredit);
}

/** Credits that a team must have left before such work may start. */
export const minimumCredits = { page: 1, extract: 20, agent: 20, browser: 2 } as const;
