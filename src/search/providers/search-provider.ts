// A search provider says what it supports and answers with an outcome; it never throws because of what a service does.
import type { Clock } from "../../base/index.ts";
import type { Net } from "../../net/index.ts";
import type { Category } from "../query/category.ts";
import type { Operator } from "../query/express-query.ts";
import type { SearchQuery } from "../query/parse-query.ts";
import type { TimeRange } from "../query/time-range.ts";

export type { TimeUnit } from "../query/time-range.ts";
export type ProviderSource = "web" | "news" | "images";

/** What `tbs` asks for. Without `recent`, services are asked for days. */
export type ProviderTime = TimeRange;

export interface ProviderRequest {
  /** The query, with only those operators that the provider supports. */
  text: string;
  limit: number;
  source: ProviderSource;
  timeFilter: ProviderTime | null;
  /** Two letters, or the English name. */
  country?: string | undefined;
  /** Such as `de` or `pt-BR`. */
  language?: string | undefined;
  /** A country, or "city,region,country". */
  location?: string | undefined;
  safe?: boolean | undefined;
  /** Hosts, which the text does not name; the provider adds them. */
  includeDomains?: readonly string[] | undefined;
  excludeDomains?: readonly string[] | undefined;
  /** What the text was made from: open sources each get their own text of it. */
  query?: SearchQuery | undefined;
  /** What open sources are chosen by; services are narrowed by hosts instead. */
  categories?: readonly Category[] | undefined;
  /** Whose cached answers may serve; without it nothing is cached. */
  teamId?: string | undefined;
  /** Whether there are results from elsewhere, so that it is not worth waiting for the first one. */
  hasOthers?: (() => boolean) | undefined;
}

export interface ProviderResult {
  /** Of the page; any scheme that names a host. */
  url: string;
  /** Plain text, "" when unknown, as the description. */
  title: string;
  description: string;
  /** Shown where nothing describes it. */
  about?: string;
  /** Milliseconds since 1970, null when unknown. */
  published: number | null;
  /** The date in the provider's words ("3 days ago"), "" when it names none. */
  date: string;
  imageUrl?: string;
  imageWidth?: number;
  imageHeight?: number;
  /** Who found it; unknown: the provider itself. */
  engines?: readonly string[];
  /** The category that it was found for. */
  category?: Category;
  /** How well it fits the query, and its weight among the results of all sources. */
  fit?: { relevance: number; score?: number };
}

/** One open source that was asked, or left out with the reason. */
export interface AskedSource {
  name: string;
  ms: number;
  results: number;
  error?: string;
}

export interface ProviderFailure {
  ok: false;
  /** One sentence that names the provider, without keys. */
  cause: string;
  /** Whether asking again later may help. */
  retry: boolean;
  /** Of the provider's answer, when there was one. */
  status?: number;
}

export interface ProviderAnswer {
  ok: true;
  results: ProviderResult[];
  /** Whether the provider itself applied the requested time; also true when none was requested. */
  appliedTime: boolean;
  warnings: string[];
  /** Results that the provider left out because they have no date; absent: it left out none. */
  undated?: number;
  /** Whom the provider asked, where it asks others. */
  sourcesAsked?: AskedSource[];
}

export type ProviderOutcome = ProviderAnswer | ProviderFailure;

export interface SearchProvider {
  name: string;
  supports: {
    /** Operators that the service is known to apply. */
    operators: ReadonlySet<Operator>;
    /** Operators worth sending, because they help even where they are not applied exactly; includes those above. */
    understood: ReadonlySet<Operator>;
    sources: ReadonlySet<ProviderSource>;
    timeRange: "none" | "preset" | "custom";
    maxPerCall: number;
  };
  search(request: ProviderRequest, signal: AbortSignal): Promise<ProviderOutcome>;
}

export interface ProviderDeps {
  net: Pick<Net, "fetch">;
  clock: Clock;
}
