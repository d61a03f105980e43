export { isOnHost, readableUrl, readHost } from "./address.ts";
export { type Candidate, type Conditions, createJudge, type Verdict } from "./filter.ts";
export { splitWords } from "./fold.ts";
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
