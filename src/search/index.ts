export { type Candidate, type Conditions, createJudge, type Verdict } from "./filter/clause-filter.ts";
export { splitWords } from "./fold.ts";
export { createHighlighter } from "./local-index/highlight.ts";
export {
  createIndexWriter,
  type IndexedPage,
  type IndexWriter,
  type IndexWriterCounts,
} from "./local-index/index-writer.ts";
export {
  createOwnIndex,
  type IndexAnswer,
  type IndexQuery,
  type IndexResult,
  type OwnIndex,
} from "./local-index/local-index.ts";
export { type AskedAnswer, type AskedNobody, type AskedOutcome, askProviders } from "./providers/ask-providers.ts";
export { createProviders, type ProviderSettings } from "./providers/create-providers.ts";
export type {
  ProviderRequest,
  ProviderResult,
  ProviderSource,
  ProviderTime,
  SearchProvider,
} from "./providers/provider.ts";
export { type ExpressedQuery, expressQuery, type Operator } from "./query/express-query.ts";
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
} from "./query/parse-query.ts";
export { isOnHost, readableUrl, readHost } from "./query/readable-url.ts";
export { dateOf, judgeDate, type PageDates, readTimeRange, type TimeRange } from "./query/time-range.ts";
export { stopWords } from "./stop-words.ts";
