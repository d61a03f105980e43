export { isOnHost, readableUrl, readHost } from "./address.ts";
export { type Candidate, type Conditions, createJudge, type Verdict } from "./filter.ts";
export { createHighlighter } from "./highlight.ts";
export { createOwnIndex, type IndexAnswer, type IndexQuery, type IndexResult, type OwnIndex } from "./index-search.ts";
export { createIndexWriter, type IndexedPage, type IndexWriter, type IndexWriterCounts } from "./index-writer.ts";
export { type AskedAnswer, type AskedNobody, type AskedOutcome, askProviders } from "./providers/ask-providers.ts";
export { createProviders, type ProviderSettings } from "./providers/create-providers.ts";
export type {
  ProviderRequest,
  ProviderResult,
  ProviderSource,
  ProviderTime,
  SearchProvider,
} from "./providers/provider.ts";
export {
  type Clause,
  type PhraseClause,
  parseQuery,
  printQuery,
  type RelatedClause,
  type SearchQuery,
  type SiteClause,
  type Term,
  type TitleClause,
  type UrlClause,
  type UrlTerm,
  type WordClause,
} from "./query.ts";
export { type ExpressedQuery, expressQuery, type Operator } from "./rewrite.ts";
export { dateOf, judgeDate, type PageDates, readTimeRange, type TimeRange } from "./time-range.ts";
